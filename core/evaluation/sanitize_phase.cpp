// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/sanitize_phase.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb {

namespace {

// Verdicts of a candidate that ran to its end: a fault in how it got there says more than they do.
bool ranToItsEnd(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Correct:
    case Verdict::IncorrectNumerical:
    case Verdict::NotFinite:
    case Verdict::NotWritten:
    case Verdict::Nondeterministic:
    case Verdict::Unverified:
        return true;
    default:
        return false;
    }
}

Verdict verdictOf(emulator::RuleId rule)
{
    switch (rule) {
    case emulator::RuleId::Race:
        return Verdict::Race;
    case emulator::RuleId::OutOfBounds:
        return Verdict::OutOfBounds;
    default:
        return Verdict::RuntimeError;
    }
}

void judgeBy(Evaluation& e, const emulator::Report& report, SanitizerTool tool)
{
    std::string place;
    for (const auto& line : report.lines) {
        place += fmt::format("{}line {}", place.empty() ? " (" : ", ", line.line);
    }
    place += place.empty() ? "" : ")";
    e.verdict = verdictOf(report.rule);
    e.explanation = fmt::format("Reported by the tool {}{}: {}.", sanitizerName(tool), place, report.message);
    e.strict = Judgement{
        .verdict = e.verdict, .explanation = e.explanation, .check = std::string(sanitizerName(tool))};
    e.paper = e.strict;
    e.timing.reset();
}

} // namespace

CodeLines codeLines(const SassListing& listing, Language language)
{
    CodeLines lines;
    for (const auto& kernel : listing.kernels) {
        auto& ofKernel = lines[std::string(kernel.name)];
        for (const auto& row : kernel.instructions) {
            const int line = language == Language::Cuda ? row.sourceLine : row.ptxLine;
            if (line > 0) {
                ofKernel.emplace(row.address, line);
            }
        }
    }
    return lines;
}

Result<void> sanitizeOnGpu(Evaluation& evaluation, const Placement& placement, const EvaluateRequest& request,
    const std::vector<SanitizerTool>& tools, const CodeLines& lines, PhaseLog& log, std::stop_token stop)
{
    if (!ranToItsEnd(evaluation.verdict) || evaluation.trials.empty()) {
        log.skip(Phase::Sanitize,
            fmt::format("a candidate that is {} is not looked at", verdictName(evaluation.verdict)));
        return {};
    }
    log.begin(Phase::Sanitize);
    std::vector<std::string> missing;
    std::size_t errors = 0;
    for (const auto tool : tools) {
        log.progress(Phase::Sanitize, 0, std::string(sanitizerName(tool)));
        auto run = runSanitizer(tool, *placement.endpoint, request, evaluation.candidatePath, lines, stop);
        if (!run) {
            return run.error();
        }
        if (!run->ran) {
            missing.push_back(fmt::format("{}: {}", sanitizerName(tool), run->reason));
        }
        for (const auto& report : run->reports) {
            const bool isError = report.severity == emulator::ReportSeverity::Error;
            if (isError && errors++ == 0) {
                judgeBy(evaluation, report, tool);
            }
            evaluation.reports.push_back(report);
        }
        evaluation.sanitizers.push_back(*std::move(run));
    }
    const auto state = errors > 0 ? PhaseState::Failed
        : missing.empty()         ? PhaseState::Passed
                                  : PhaseState::Skipped;
    log.end(Phase::Sanitize, state,
        errors > 0 ? evaluation.explanation : fmt::format("{}", fmt::join(missing, "; ")));
    return {};
}

} // namespace ptxwb
