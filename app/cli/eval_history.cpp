// SPDX-License-Identifier: Apache-2.0
#include "app/cli/eval_history.h"

#include <fmt/format.h>

#ifdef PTXWB_HAVE_HISTORY
#include "core/records/kept_evaluations.h"
#endif

namespace ptxwb::cli {

EvalHistory::EvalHistory(bool off, bool again, const Session& session)
    : m_off(off)
    , m_again(again)
    , m_session(session)
{
}

void EvalHistory::lookInto(EvaluationRequest& request)
{
    if (!m_off) {
        request.known = [this, &request](const Evaluation& begun) { return find(request, begun); };
    }
}

#ifdef PTXWB_HAVE_HISTORY

std::optional<Evaluation> EvalHistory::find(const EvaluationRequest& request, const Evaluation& begun)
{
    m_work = records::workOf(request, begun);
    if (m_again) {
        return std::nullopt;
    }
    auto known = records::findEvaluation(records::historyFile(), m_work);
    if (!known) {
        return std::nullopt;
    }
    m_found = true;
    m_session.progress(
        fmt::format("the same work is in the history: evaluation {} of {} (--again does it anew)",
            known->entry.id, known->entry.madeUtc));
    return std::move(known->evaluation);
}

void EvalHistory::keep(const Evaluation& evaluation, const std::string& source)
{
    if (m_off || m_found) {
        return;
    }
    const auto id = records::keepEvaluation(records::historyFile(), evaluation, source, m_work);
    m_session.progress(id ? fmt::format("kept in the history as evaluation {}", *id)
                          : fmt::format("warning: not kept in the history: {}", describe(id.error())));
}

#else

std::optional<Evaluation> EvalHistory::find(const EvaluationRequest&, const Evaluation&)
{
    return std::nullopt;
}

void EvalHistory::keep(const Evaluation&, const std::string&)
{
    if (!m_off && !m_found && m_again) {
        m_session.progress("this ptxwb was built without SQLite: it keeps no history");
    }
}

#endif

} // namespace ptxwb::cli
