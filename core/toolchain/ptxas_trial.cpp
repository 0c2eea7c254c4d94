// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/ptxas_trial.h"

#include "core/ptx/outline.h"
#include "core/toolchain/ptxas_messages.h"
#include "core/toolchain/tool_run.h"

#include <algorithm>

namespace ptxwb::detail {

namespace {

constexpr int mostRuns = 96;
constexpr std::chrono::milliseconds mostTime{2500};
constexpr std::chrono::milliseconds mostTimeOfOne{1000};
constexpr std::size_t smallText = 64U << 10;

// An error of our own behind the text ends ptxas before it generates code.
constexpr std::string_view nowhere = "ptxwb_nowhere";
constexpr std::string_view ending = "\n.func ptxwb_end_of_text()\n{ bra ptxwb_nowhere; }\n";

bool isOfEnding(const Diagnostic& said, int line)
{
    return said.line == line
        && (said.message.find(nowhere) != std::string::npos || said.message.starts_with("Label expected"));
}

std::vector<Diagnostic> errorsIn(const std::string& output, std::string_view file, int endingLine)
{
    auto messages = parseCompilerMessages(output, file, file);
    std::erase_if(messages.diagnostics, [&](const Diagnostic& said) {
        const bool isError = said.severity == Severity::Error || said.severity == Severity::Fatal;
        return !isError || (!said.line && said.message.starts_with("Ptx assembly aborted"))
            || isOfEnding(said, endingLine);
    });
    return std::move(messages.diagnostics);
}

} // namespace

PtxasTrial::PtxasTrial(
    const Tool& ptxas, const BuildPlan& plan, bool isPtx, TargetQuestion question, std::stop_token stop)
    : m_ptxas(ptxas)
    , m_plan{.target = plan.target,
          .options = isPtx ? plan.options : std::vector<std::string>(),
          .sandboxed = plan.sandboxed,
          .mayCrash = true,
          .readable = plan.readable}
    , m_question(std::move(question))
    , m_stop(std::move(stop))
    , m_runsLeft(mostRuns)
{
}

std::optional<PtxasTrial::Said> PtxasTrial::run(
    const std::string& text, const std::string& target, std::chrono::milliseconds timeout)
{
    if (!m_scratch) {
        auto made = TemporaryDirectory::create("ptxwb-fix");
        if (!made) {
            return std::nullopt;
        }
        m_scratch.emplace(std::move(made.value()));
    }
    const std::string file = "source.ptx";
    if (!writeScratch(m_scratch->path() / file, text)) {
        return std::nullopt;
    }
    std::vector<std::string> command{m_ptxas.path.string(), "-arch=" + target};
    command.insert(command.end(), m_plan.options.begin(), m_plan.options.end());
    command.insert(command.end(), {"-o", "out.cubin", file});
    const auto outcome = runCompiler(m_ptxas, m_plan,
        {.argv = std::move(command),
            .workingDirectory = m_scratch->path(),
            .timeout = timeout,
            .maxOutputBytes = mostCompilerOutputBytes},
        m_stop);
    if (!outcome) {
        const bool timedOut = outcome.error().code == ErrorCode::TimedOut;
        return timedOut ? std::optional(Said{.output = {}, .timedOut = true}) : std::nullopt;
    }
    constexpr int shell =
        128; // how the sandbox tells of a signal: this and its number; ptxas itself ends with 255
    constexpr int signals = 32;
    const bool crashed =
        outcome->signal.has_value() || (outcome->exitCode > shell && outcome->exitCode < shell + signals);
    return Said{.output = messageText(outcome->standardOutput, outcome->standardError), .crashed = crashed};
}

std::optional<std::vector<Diagnostic>> PtxasTrial::errorsOf(const std::string& text)
{
    return ask(text, text.size() < smallText);
}

std::optional<std::vector<Diagnostic>> PtxasTrial::frontEndErrorsOf(const std::string& text)
{
    return ask(text, false);
}

std::optional<std::vector<Diagnostic>> PtxasTrial::ask(const std::string& text, bool isWhole)
{
    const auto now = std::chrono::steady_clock::now();
    if (m_runsLeft == mostRuns) {
        m_deadline = now + mostTime;
    }
    if (m_runsLeft-- <= 0 || now > m_deadline || m_stop.stop_requested()) {
        m_runsLeft = 0;
        return std::nullopt;
    }
    auto question = m_question;
    question.fileTarget = outlinePtx(std::string_view(text).substr(0, smallText)).target;
    const auto target = chooseTarget(question);
    if (!target) {
        return std::nullopt;
    }
    const int endingLine = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 3;
    const auto said = run(text + std::string(ending), target->target, mostTimeOfOne);
    if (!said || said->timedOut) {
        return std::nullopt;
    }
    auto errors = errorsIn(said->output, "source.ptx", endingLine);
    if (said->crashed) { // somewhere behind the last line that it spoke of
        int last = 0;
        for (const auto& one : errors) {
            last = std::max(last, one.line.value_or(0));
        }
        errors.push_back(
            {.severity = Severity::Fatal, .message = "ptxas crashed", .line = last + 1, .tool = "ptxas"});
        return errors;
    }
    if (errors.empty() && isWhole) { // what only the whole run tells, if it ends soon
        if (const auto whole = run(text, target->target, mostTimeOfOne); whole && !whole->timedOut) {
            return errorsIn(whole->output, "source.ptx", 0);
        }
    }
    return errors;
}

} // namespace ptxwb::detail
