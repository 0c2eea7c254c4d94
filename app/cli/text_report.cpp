// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text_report.h"

#include "app/cli/inspected_file.h"
#include "core/support/kernel_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb::cli {

namespace {

// A terminal counts code points (good enough for the plain text of core), not bytes.
std::size_t columnsOf(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string orUnknown(const std::optional<int>& value)
{
    return value ? std::to_string(*value) : std::string("?");
}

std::string kernelLines(const std::vector<KernelResources>& kernels)
{
    std::string text;
    for (const auto& kernel : kernels) {
        text += fmt::format("kernel {}: {} registers, spills {} B stored / {} B loaded, {} B static shared, "
                            "{} B stack, {} barriers\n",
            titleOfKernel(kernel.name), orUnknown(kernel.registers), orUnknown(kernel.spillStoreBytes),
            orUnknown(kernel.spillLoadBytes), orUnknown(kernel.sharedBytes), orUnknown(kernel.stackBytes),
            orUnknown(kernel.barriers));
    }
    return text;
}

/// How the line of a note was found, where the tool did not say it.
std::string_view byWhat(const PerformanceNote& note)
{
    return note.lineBy == "setmaxnreg" ? " (its setmaxnreg)"
        : note.lineBy == "kernel"      ? " (where its kernel starts)"
        : note.lineBy != "ours"        ? ""
        : note.message.find(" line ") != std::string::npos
        ? " (by the line map; the line in the message is one of nvcc's PTX)"
        : " (by the line map)";
}

/// The lines of notes are those of the user's file, also where that is CUDA. Notes that differ by their line
/// only are told once.
std::string noteLines(const std::vector<PerformanceNote>& notes, const std::vector<KernelResources>& kernels,
    const std::string& file)
{
    std::string text;
    const auto word = [&](const std::string& name) {
        const bool isKernel = kernels.empty()
            || std::any_of(kernels.begin(), kernels.end(), [&](const auto& one) { return one.name == name; });
        return isKernel ? "kernel" : "function";
    };
    std::vector<const PerformanceNote*> told;
    for (const auto& note : notes) {
        const auto isSame = [&](const PerformanceNote* other) {
            return other->code == note.code && other->kernel == note.kernel && other->meaning == note.meaning;
        };
        if (std::any_of(told.begin(), told.end(), isSame)) {
            continue;
        }
        told.push_back(&note);
        std::vector<std::string> lines;
        int count = 0;
        for (const auto& other : notes) {
            if (isSame(&other)) {
                ++count;
                if (other.line) {
                    lines.push_back(std::to_string(*other.line));
                }
            }
        }
        lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
        text += fmt::format("note {}{}{}{}{}: {}\n", note.code,
            count > 1 ? fmt::format(", {} times", count) : "",
            lines.empty() ? "" : fmt::format(", {}:{}{}", file, fmt::join(lines, ", "), byWhat(note)),
            note.kernel.empty() ? "" : fmt::format(", {} {}", word(note.kernel), titleOfKernel(note.kernel)),
            note.registers ? fmt::format(", {} registers used", *note.registers) : "", note.message);
        if (!note.meaning.empty()) {
            text += fmt::format("    {}\n", note.meaning);
        }
        if (!note.usualCause.empty()) {
            text += fmt::format("    usual cause (our guess): {}\n", note.usualCause);
        }
        if (!note.lookFor.empty()) {
            text += fmt::format("    look for (our guess): {}\n", note.lookFor);
        }
    }
    return text;
}

std::string seen(const emulator::Report& report)
{
    return report.atLeast
        ? fmt::format("seen at least {} time(s) until the run was stopped", report.occurrences)
        : fmt::format("seen {} time(s)", report.occurrences);
}

std::string axesText(const std::map<std::string, std::int64_t>& axes)
{
    std::vector<std::string> parts;
    parts.reserve(axes.size());
    for (const auto& [name, value] : axes) {
        parts.push_back(fmt::format("{}={}", name, value));
    }
    return fmt::format("{}", fmt::join(parts, " "));
}

} // namespace

std::string reportLines(const std::vector<emulator::Report>& reports)
{
    std::string text;
    for (const auto& report : reports) {
        text += fmt::format("{}: {}\n", emulator::ruleName(report.rule), report.message);
        for (const auto& line : report.lines) {
            text += line.line > 0 ? fmt::format("    at {}:{}\n", line.file, line.line)
                                  : fmt::format("    in {}\n", line.file);
        }
        if (!report.fix.empty()) {
            text += fmt::format("    mend: {}\n", report.fix);
        }
        if (report.bySanitizer) {
            text += fmt::format("    {}, {}, reported by compute-sanitizer\n",
                report.warp.empty() ? report.kernel : report.warp, seen(report));
            continue;
        }
        if (report.policy.empty()) {
            continue; // refused before anything ran
        }
        text += fmt::format("    {}{}, policy {}, seed {}, step {}, {}\n", report.warp,
            report.agent.empty() ? "" : fmt::format(" / {}", report.agent), report.policy, report.seed,
            report.step, seen(report));
    }
    return text;
}

std::string table(const std::vector<std::vector<std::string>>& rows, std::string_view indent)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], columnsOf(row[i]));
        }
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) {
                line.append(widths[i] - columnsOf(row[i]) + 2, ' ');
            }
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string compileReport(const CompileOutcome& outcome, const std::string& file)
{
    std::string text = diagnosticsText(outcome.diagnostics);
    text += noteLines(outcome.notes, outcome.kernels, file);
    text += kernelLines(outcome.kernels);
    if (!outcome.target.empty()) {
        text += fmt::format("target {}{}\n", outcome.target,
            outcome.targetReason.empty() ? "" : fmt::format(": {}", outcome.targetReason));
    }
    text += outcome.ok ? fmt::format("compiled{}\n", outcome.fromCache ? " (from the cache)" : "")
                       : "did not compile\n";
    return text;
}

std::string evaluationReport(const Evaluation& e)
{
    std::string text = fmt::format("{} on {} / {} ({}){}\n", e.candidatePath, e.task, e.workload.name(),
        axesText(e.axes), e.target.empty() ? "" : fmt::format(", {}", e.target));
    text += fmt::format("run on: {}{}\n\n", e.on, e.onReason.empty() ? "" : fmt::format(" - {}", e.onReason));
    text += diagnosticsText(e.diagnostics);
    // The same reason behind ten rows would bury the rows: it stands once, above.
    const auto shortened = [&](const std::string& reason) {
        return e.on == "none" && !reason.empty() && reason == e.onReason ? std::string("not run, see above")
                                                                         : reason;
    };
    std::vector<std::vector<std::string>> phases;
    for (const auto& phase : e.phases) {
        phases.push_back({std::string(phaseName(phase.phase)), std::string(phaseStateName(phase.state)),
            phase.state == PhaseState::Skipped ? "-" : fmt::format("{:.1f} ms", phase.ms),
            shortened(phase.reason)});
    }
    text += table(phases, "  ") + '\n';
    text += kernelLines(e.kernels);
    text += noteLines(e.notes, e.kernels, e.candidatePath);
    text += reportLines(e.reports);
    const auto howOrWhyNot = [&](const Evidence& row) {
        if (row.state == EvidenceState::NotMeasured) {
            const auto reason = shortened(row.reason);
            const bool said = e.verdict != Verdict::Correct && !reason.empty() && reason == e.explanation;
            return said ? std::string("see the verdict") : reason;
        }
        return row.value == "no" && !row.reason.empty() ? fmt::format("{}; {}", row.how, row.reason)
                                                        : row.how;
    };
    std::vector<std::vector<std::string>> ledger{{"state", "claim", "value", "how / why not"}};
    for (const auto& row : e.evidence) {
        const bool known = row.state != EvidenceState::NotMeasured;
        ledger.push_back({std::string(evidenceStateName(row.state)), row.claim, known ? row.value : "-",
            howOrWhyNot(row)});
    }
    text += "\nevidence\n" + table(ledger, "  ");
    for (const auto& note : e.taskNotes) {
        text += fmt::format("note on the task: {}\n", note);
    }
    const auto missed = missedGoals(e);
    text += fmt::format("\nseed {}\nverdict: {}{}{} - {}\n", e.seed, verdictName(e.verdict),
        missed.empty()           ? ""
            : missed.size() == 1 ? "; goal missed: "
                                 : "; goals missed: ",
        fmt::join(missed, ", "),
        e.explanation.empty() ? std::string(verdictMeaning(e.verdict)) : e.explanation);
    return text;
}

} // namespace ptxwb::cli
