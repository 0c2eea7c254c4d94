// SPDX-License-Identifier: Apache-2.0
#include "app/cli/eval_history.h"

#include "core/support/files.h"
#include "core/support/sha256.h"
#include "core/support/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#ifdef PTXWB_HAVE_HISTORY
#include "core/records/history.h"
#endif

namespace ptxwb::cli {

namespace {

/// Everything that decides the answer. Empty: another file may decide it too, so nothing can be said.
std::string workOf(const EvaluationRequest& request, const Evaluation& begun)
{
    // A seed of its own is drawn for each run: the work is the same.
    const auto definition = readFile(request.task.directory / "task.json");
    const auto& own = request.baseline;
    const bool includes = request.text.find("#include \"") != std::string::npos
        || (own && own->text.find("#include \"") != std::string::npos)
        || std::any_of(request.options.begin(), request.options.end(),
            [](const std::string& option) { return option.starts_with("-I"); });
    // Stored tensors and an interpreter's torch may change beside an unchanged definition.
    const bool isOutside = request.task.oracle.name == "stored" || request.task.oracle.name == "python";
    if (includes || isOutside || !definition) {
        return {};
    }
    std::vector<std::string> sanitizers;
    for (const auto tool : request.sanitize) {
        sanitizers.push_back(std::to_string(static_cast<int>(tool)));
    }
    const auto& device = begun.device;
    return sha256Hex(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{} {} {} {}\n{}\n{}\n{}\n{} {} {} {}\n{}\n{}",
        productVersion(), begun.candidateSha256, begun.task, sha256Hex(*definition), begun.workload.uuid,
        fmt::join(begun.axes, " "), begun.on, device ? device->name : "", device ? device->driver : "",
        begun.host.value_or(""), request.target.value_or(""), fmt::join(request.options, "\n"),
        fmt::join(sanitizers, " "), request.rule == Rule::Paper, request.measure, request.profile,
        request.sandboxed, request.seed,
        (request.task.oracle.name.empty() ? "no oracle\n" : std::string())
            + (request.measuredSums ? "sums as an H200\n" : "") + (own ? sha256Hex(own->text) + "\n" : std::string())));
}

} // namespace

std::filesystem::path historyFile()
{
    const char* named = std::getenv("PTXWB_HISTORY");
    return named != nullptr && *named != '\0' ? std::filesystem::path(named)
                                              : userDataDirectory() / "history.sqlite";
}

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
    m_work = workOf(request, begun);
    if (m_again || m_work.empty()) {
        return std::nullopt;
    }
    std::error_code failed;
    if (!std::filesystem::exists(historyFile(), failed)) {
        return std::nullopt;
    }
    const auto history = records::History::open(historyFile());
    if (!history) {
        return std::nullopt; // keep() will say it
    }
    const auto entry = history->find(m_work);
    if (!entry || !*entry) {
        return std::nullopt;
    }
    auto evaluation = evaluationFromJson((*entry)->document);
    // What could not be done then may be possible now.
    if (!evaluation || exitStatusOf(evaluation->verdict) == Missing) {
        return std::nullopt;
    }
    m_found = true;
    m_session.progress(
        fmt::format("the same work is in the history: evaluation {} of {} (--again does it anew)",
            (*entry)->id, (*entry)->madeUtc));
    return *std::move(evaluation);
}

void EvalHistory::keep(const Evaluation& e, const std::string& source)
{
    if (m_off || m_found) {
        return;
    }
    auto history = records::History::open(historyFile());
    Result<std::int64_t> id = std::int64_t{0};
    if (history) {
        std::vector<records::HistoryBlob> blobs{
            {.kind = "source", .sha256 = e.candidateSha256, .bytes = source}};
        for (const auto& artefact : e.artefacts) {
            if (artefact.kind != "source") {
                blobs.push_back({.kind = artefact.kind, .sha256 = artefact.sha256, .bytes = artefact.bytes});
            }
        }
        const auto* leading = leadingBaseline(e);
        id = history->add(
            {.work = m_work,
                .madeUtc = e.madeUtc,
                .candidatePath = e.candidatePath,
                .candidateSha256 = e.candidateSha256,
                .task = e.task,
                .workload = e.workload.name(),
                .target = e.target,
                .on = e.on,
                .device = e.device ? e.device->name : std::string(),
                .verdict = std::string(verdictName(e.verdict)),
                .speedup = leading == nullptr ? std::nullopt : std::optional(leading->speedup->ratio),
                .coldMedianUs = e.timing ? median(e.timing->candidate.coldUs) : std::nullopt,
                .productVersion = e.productVersion,
                .document = toJson(e)},
            blobs);
    }
    if (!history || !id) {
        m_session.progress(fmt::format(
            "warning: not kept in the history: {}", describe(history ? id.error() : history.error())));
    } else {
        m_session.progress(fmt::format("kept in the history as evaluation {}", *id));
    }
}

#else

std::optional<Evaluation> EvalHistory::find(const EvaluationRequest& request, const Evaluation& begun)
{
    m_work = workOf(request, begun);
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
