// SPDX-License-Identifier: Apache-2.0
#include "core/sass/diff_text.h"
#include "core/sass/control_flow.h"

#include "core/support/kernel_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

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

struct BothFlows {
    ControlFlow a{};
    ControlFlow b{};
};

BothFlows flowsOf(const KernelDiff& diff, const SassListing& a, const SassListing& b)
{
    const auto of = [](const SassListing& listing, int kernel) {
        return kernel < 0 ? ControlFlow() : controlFlow(listing.kernels[static_cast<std::size_t>(kernel)]);
    };
    return {of(a, diff.kernelA), of(b, diff.kernelB)};
}

/// "block 5, in a loop" of the first row that differs.
std::string placeOf(const DiffRow& row, const BothFlows& flows)
{
    const bool inA = row.a >= 0;
    const auto& flow = inA ? flows.a : flows.b;
    const int block = flow.blockOf[static_cast<std::size_t>(inA ? row.a : row.b)];
    const int depth = flow.blocks[static_cast<std::size_t>(block)].loopDepth;
    return fmt::format("block {}{}{}", block, inA ? "" : " of B",
        depth == 0       ? ""
            : depth == 1 ? ", in a loop"
                         : fmt::format(", in a loop of depth {}", depth));
}

/// Writes the heads of hunks in their order.
class HunkHeads {
public:
    HunkHeads(const KernelDiff& diff, const SassListing& a, const SassListing& b, bool schedule)
        : m_diff(diff)
        , m_flows(flowsOf(diff, a, b))
        , m_schedule(schedule)
    {
        m_name = qualifiedName(diff.name);
        m_name = m_name.empty() ? diff.name : m_name;
    }

    /// "@@ -12,7 +12,8 @@ gemm, block 5, in a loop": rows of both sides from 1 on, as `diff -u` counts lines.
    std::string next(int first, int end)
    {
        m_a += rowsOfA(m_end, first);
        m_b += rowsOfB(m_end, first);
        m_end = end;
        const int a = rowsOfA(first, end);
        const int b = rowsOfB(first, end);
        auto text = fmt::format("@@ -{},{} +{},{} @@ {}, {}\n", m_a + (a > 0 ? 1 : 0), a,
            m_b + (b > 0 ? 1 : 0), b, m_name, placeOf(differing(first, end), m_flows));
        m_a += a;
        m_b += b;
        return text;
    }

private:
    std::span<const DiffRow> rows(int first, int end) const
    {
        return std::span(m_diff.rows)
            .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
    }
    int rowsOfA(int first, int end) const
    {
        return static_cast<int>(
            std::ranges::count_if(rows(first, end), [](const DiffRow& row) { return row.a >= 0; }));
    }
    int rowsOfB(int first, int end) const
    {
        return static_cast<int>(
            std::ranges::count_if(rows(first, end), [](const DiffRow& row) { return row.b >= 0; }));
    }

    /// The first row that is shown as a difference or, of B alone, one of A beside it.
    const DiffRow& differing(int first, int end) const
    {
        const auto all = rows(first, end);
        const auto at = std::ranges::find_if(all, [this](const DiffRow& row) {
            return row.kind != DiffKind::Equal && (m_schedule || row.kind != DiffKind::Schedule);
        });
        const auto from = at == all.end() ? all.begin() : at;
        const auto ofA = [](const DiffRow& row) { return row.a >= 0; };
        if (const auto next = std::find_if(from, all.end(), ofA); next != all.end()) {
            return *next;
        }
        const auto any = std::ranges::find_if(all, ofA);
        return any != all.end() ? *any : *from;
    }

    const KernelDiff& m_diff;
    BothFlows m_flows;
    bool m_schedule;
    std::string m_name;
    int m_end = 0; ///< of the hunk before
    int m_a = 0; ///< rows of A up to there
    int m_b = 0;
};

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
    const auto hunks = diffHunks(diff, context, schedule, wanted);
    if (hunks.empty()) {
        return text;
    }
    HunkHeads heads(diff, a, b, schedule);
    for (const auto& [first, end] : hunks) {
        text += heads.next(first, end);
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
