// SPDX-License-Identifier: Apache-2.0
#include "core/sass/diff_text.h"
#include "core/sass/control_flow.h"

#include "core/support/kernel_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ptxwb {

namespace {

const SassInstruction* rowOf(const SassListing& listing, int kernel, int row)
{
    return row < 0
        ? nullptr
        : &listing.kernels[static_cast<std::size_t>(kernel)].instructions[static_cast<std::size_t>(row)];
}

std::string addressed(const SassInstruction& row)
{
    return fmt::format("/*{:04x}*/ {}", row.address, instructionText(row));
}

/// Pipes and line ends would break a Markdown table.
std::string cell(std::string text)
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '|') {
            text.insert(i++, 1, '\\');
        } else if (text[i] == '\n' || text[i] == '\r') {
            text[i] = ' ';
        }
    }
    return text;
}

/// For Markdown: as written in C++ with the raw name behind it, of both sides where they differ.
std::string nameOf(const KernelDiff& kernel)
{
    auto text = fmt::format("`{}`", titleOfKernel(kernel.name));
    if (isRenamed(kernel)) {
        text += fmt::format(" → `{}`", titleOfKernel(kernel.nameInB));
    }
    return text;
}

} // namespace

bool isRenamed(const KernelDiff& kernel)
{
    return !kernel.nameInB.empty() && kernel.nameInB != kernel.name
        && withoutFileOfUnit(kernel.nameInB) != withoutFileOfUnit(kernel.name);
}

std::vector<DiffRun> diffRuns(const KernelDiff& kernel)
{
    std::vector<DiffRun> runs;
    const auto isOfA = [&kernel](int row) { return kernel.rows[static_cast<std::size_t>(row)].a >= 0; };
    for (int i = 0; i < static_cast<int>(kernel.rows.size()); ++i) {
        const auto kind = kernel.rows[static_cast<std::size_t>(i)].kind;
        // Moved from here and moved to here are two runs, so that exchanged sides give as many.
        if (runs.empty() || runs.back().kind != kind
            || (kind == DiffKind::Moved && isOfA(i) != isOfA(runs.back().first))) {
            runs.push_back({kind, i, i});
        }
        runs.back().end = i + 1;
    }
    return runs;
}

DiffRowFilter rowsOfFamilies(
    const KernelDiff& kernel, const SassListing& a, const SassListing& b, std::vector<SassFamily> families)
{
    return [&kernel, &a, &b, families = std::move(families)](const DiffRow& row) {
        const auto isOne = [&](const SassInstruction* instruction) {
            return instruction != nullptr
                && std::any_of(families.begin(), families.end(),
                    [&](SassFamily family) { return contains(familiesOf(instruction->opcode), family); });
        };
        return isOne(rowOf(a, kernel.kernelA, row.a)) || isOne(rowOf(b, kernel.kernelB, row.b));
    };
}

std::vector<std::pair<int, int>> diffHunks(
    const KernelDiff& kernel, int context, bool schedule, const DiffRowFilter& wanted)
{
    std::vector<std::pair<int, int>> hunks;
    const auto count = static_cast<int>(kernel.rows.size());
    for (int i = 0; i < count; ++i) {
        const auto kind = kernel.rows[static_cast<std::size_t>(i)].kind;
        const bool differs = kind != DiffKind::Equal && (kind != DiffKind::Schedule || schedule);
        if (!differs || (wanted && !wanted(kernel.rows[static_cast<std::size_t>(i)]))) {
            continue;
        }
        const int first = std::max(0, i - context);
        const int end = std::min(count, i + context + 1);
        if (!hunks.empty() && first <= hunks.back().second) {
            hunks.back().second = end;
        } else {
            hunks.emplace_back(first, end);
        }
    }
    return hunks;
}

std::string instructionText(const SassInstruction& instruction)
{
    std::string text(instruction.predicate);
    text += text.empty() ? "" : " ";
    text += instruction.opcode;
    if (const auto operands = operandsShown(instruction); !operands.empty()) {
        text += ' ';
        text += operands;
    }
    return text;
}

std::string diffText(const KernelDiff& diff, const SassListing& a, const SassListing& b, int context,
    bool schedule, const DiffRowFilter& wanted)
{
    std::string text;
    auto out = std::back_inserter(text);
    for (const auto& [first, end] : diffHunks(diff, context, schedule, wanted)) {
        for (int i = first; i < end; ++i) {
            const auto& row = diff.rows[static_cast<std::size_t>(i)];
            const auto* left = rowOf(a, diff.kernelA, row.a);
            const auto* right = rowOf(b, diff.kernelB, row.b);
            switch (row.kind) {
            case DiffKind::Equal:
                fmt::format_to(out, "  {}\n", addressed(*left));
                break;
            case DiffKind::Schedule:
                fmt::format_to(out, "{} {}\n", schedule ? '!' : ' ', addressed(*left));
                break;
            case DiffKind::Changed:
                fmt::format_to(out, "- {}\n+ {}   ({}{}{})\n", addressed(*left), addressed(*right),
                    fmt::join(row.what, ", "), row.registers.empty() ? "" : ": ",
                    fmt::join(row.registers, ", "));
                break;
            case DiffKind::Removed:
                fmt::format_to(out, "- {}\n", addressed(*left));
                break;
            case DiffKind::Added:
                fmt::format_to(out, "+ {}\n", addressed(*right));
                break;
            case DiffKind::Moved:
                fmt::format_to(
                    out, "{} {}\n", left != nullptr ? '<' : '>', addressed(left != nullptr ? *left : *right));
                break;
            }
        }
        if (end < static_cast<int>(diff.rows.size())) {
            text += "  ...\n";
        }
    }
    return text;
}

std::string diffMarkdown(
    const SassDiff& diff, const SassListing& a, const SassListing& b, const DiffTitles& titles)
{
    std::string text;
    auto out = std::back_inserter(text);
    fmt::format_to(out, "**SASS: {} → {}**\n\n{}\n", cell(titles.a), cell(titles.b), diff.summary);
    if (!diff.familyDeltas.empty()) {
        text += "\n| family | change |\n|---|---:|\n";
        for (const auto& [family, n] : diff.familyDeltas) {
            fmt::format_to(out, "| {} | {:+} |\n", sassFamilyName(family), n);
        }
    }
    if (!diff.facts.empty()) {
        text += "\nBeside the instructions:\n\n";
        for (const auto& fact : diff.facts) {
            fmt::format_to(out, "- {}\n", factText(fact));
        }
    }
    if (!diff.notes.empty()) {
        text += "\nNotes of the compiler:\n\n";
        for (const auto& note : diff.notes) {
            fmt::format_to(out, "- {}\n", cell(noteText(note)));
        }
    }
    for (const auto& kernel : diff.kernels) {
        if (kernel.onlyInA || kernel.onlyInB) {
            fmt::format_to(out, "\n{}: only in {}, {} rows.\n", nameOf(kernel),
                cell(kernel.onlyInA ? titles.a : titles.b), kernel.rows.size());
            continue;
        }
        fmt::format_to(out,
            "\n{}: {} equal, {} changed, {} added, {} removed, {} moved, {} scheduled otherwise.\n",
            nameOf(kernel), kernel.equal, kernel.changed, kernel.added, kernel.removed, kernel.moved,
            kernel.schedule);
        if (const auto hunks = diffText(kernel, a, b, 2, false); !hunks.empty()) {
            fmt::format_to(out, "\n```diff\n{}```\n", hunks);
        }
    }
    return text;
}

} // namespace ptxwb
