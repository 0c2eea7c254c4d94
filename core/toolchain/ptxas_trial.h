// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/temporary_directory.h"
#include "core/toolchain/build.h"
#include "core/toolchain/compile_target.h"
#include "core/toolchain/diagnostic.h"

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::detail {

/// The errors that ptxas has of a text, with its lines and without its closing words; nothing when it could
/// not be asked any more.
using AskPtxas = std::function<std::optional<std::vector<Diagnostic>>(const std::string& text)>;

/// Asks ptxas whether it takes texts that differ from the user's by an edit. Only its front end is run, which
/// takes milliseconds, and within bounds: what was not answered by then is not known.
class PtxasTrial {
public:
    /// `plan` is that of the user's text, whose options are for ptxas if it is PTX; `question` chooses the
    /// target of a text that names another one. The tool must outlive this.
    PtxasTrial(
        const Tool& ptxas, const BuildPlan& plan, bool isPtx, TargetQuestion question, std::stop_token stop);

    std::optional<std::vector<Diagnostic>> errorsOf(const std::string& text);
    /// Those of the front end alone, also of a small text.
    std::optional<std::vector<Diagnostic>> frontEndErrorsOf(const std::string& text);

private:
    struct Said {
        std::string output{};
        bool timedOut = false;
        bool crashed = false; ///< ptxas does over some wrong texts
    };
    std::optional<std::vector<Diagnostic>> ask(const std::string& text, bool isWhole);
    std::optional<Said> run(
        const std::string& text, const std::string& target, std::chrono::milliseconds timeout);

    const Tool& m_ptxas;
    BuildPlan m_plan; ///< without the text
    TargetQuestion m_question;
    std::stop_token m_stop;
    std::optional<TemporaryDirectory> m_scratch{};
    std::chrono::steady_clock::time_point m_deadline{}; ///< set by the first question
    int m_runsLeft;
};

} // namespace ptxwb::detail
