// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command_line.h"
#include "core/evaluation/evaluator.h"

namespace ptxwb::cli {

/// The history beside one `ptxwb eval`: what it knows is not done again, what it does not know is added. A
/// history that cannot be read or written is a warning, never the end of an evaluation. One thread.
class EvalHistory {
public:
    /// `off`: touch nothing. `again`: do not look, but add.
    EvalHistory(bool off, bool again, const Session& session);
    /// Sets `request.known`.
    void lookInto(EvaluationRequest& request);
    /// Unless it came from the history.
    void keep(const Evaluation& evaluation, const std::string& source);

private:
    std::optional<Evaluation> find(const EvaluationRequest& request, const Evaluation& begun);

    bool m_off = false;
    bool m_again = false;
    const Session& m_session;
    std::string m_work; ///< hash of what was asked; empty: not known yet, or not to be compared
    bool m_found = false;
};

} // namespace ptxwb::cli
