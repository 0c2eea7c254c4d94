// SPDX-License-Identifier: Apache-2.0
#include "core/sass/diff.h"

#include "core/sass/change_phrases.h"
#include "core/sass/kernel_diff.h"

#include <algorithm>
#include <bit>
#include <span>

namespace ptxwb {

namespace {

/// The base opcode; where that says too little (SYNCS waits and arrives, so does WARPGROUP), with its first
/// modifier.
std::string_view countedName(std::string_view opcode)
{
    const auto dot = opcode.find('.');
    const auto base = opcode.substr(0, dot);
    return base == "SYNCS" || base == "WARPGROUP" ? opcode.substr(0, opcode.find('.', dot + 1)) : base;
}

/// Scheduling fields that differ. Scoreboards may be numbered otherwise, so only their presence counts.
std::vector<std::string> scheduleDifferences(const SassInstruction& a, const SassInstruction& b)
{
    std::vector<std::string> what;
    if (!a.hasEncoding || !b.hasEncoding) {
        return what;
    }
    const auto x = decodeControl(a.encoding);
    const auto y = decodeControl(b.encoding);
    const auto note = [&what](bool differs, const char* name) {
        if (differs) {
            what.emplace_back(name);
        }
    };
    note(x.stall != y.stall, "stall");
    note(x.yield != y.yield, "yield");
    note((x.writeBarrier < 0) != (y.writeBarrier < 0), "write_barrier");
    note((x.readBarrier < 0) != (y.readBarrier < 0), "read_barrier");
    note(std::popcount(static_cast<unsigned>(x.waitMask)) != std::popcount(static_cast<unsigned>(y.waitMask)),
        "wait_mask");
    note(x.reuse != y.reuse, "reuse");
    return what;
}

std::span<const SassInstruction> comparedSpan(const SassKernel& kernel)
{
    return std::span(kernel.instructions).first(static_cast<std::size_t>(comparedRows(kernel)));
}

std::optional<int> stallCycles(const SassKernel& kernel)
{
    int cycles = 0;
    for (const auto& row : comparedSpan(kernel)) {
        if (!row.hasEncoding) {
            return {};
        }
        cycles += decodeControl(row.encoding).stall;
    }
    return cycles;
}

using OpcodeCounts = std::map<std::string, int, std::less<>>;

void add(OpcodeCounts& counts, std::string_view name, int n)
{
    auto at = counts.find(name);
    if (at == counts.end()) {
        at = counts.emplace(std::string(name), 0).first;
    }
    at->second += n;
}

/// Of the opcodes whose number differs, the rows that stand in loops.
void addLoopDeltas(KernelDiff& diff, const SassKernel& kernel, int sign)
{
    const auto flow = controlFlow(kernel);
    const auto rows = comparedSpan(kernel);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (flow.blocks[static_cast<std::size_t>(flow.blockOf[i])].loopDepth > 0
            && diff.opcodeDeltas.contains(countedName(rows[i].opcode))) {
            add(diff.loopOpcodeDeltas, countedName(rows[i].opcode), sign);
        }
    }
}

void addDeltas(KernelDiff& diff, const SassKernel* a, const SassKernel* b)
{
    const auto count = [&diff](const SassKernel* kernel, int sign) {
        if (kernel == nullptr) {
            return;
        }
        for (const auto& [family, n] : countFamilies(*kernel)) {
            diff.familyDeltas[family] += sign * n;
        }
        for (const auto& row : comparedSpan(*kernel)) {
            if (const auto name = countedName(row.opcode); name != "NOP") {
                add(diff.opcodeDeltas, name, sign);
            }
        }
    };
    count(a, -1);
    count(b, 1);
    const auto isZero = [](const auto& entry) { return entry.second == 0; };
    std::erase_if(diff.familyDeltas, isZero);
    std::erase_if(diff.opcodeDeltas, isZero);
    if (a == nullptr || b == nullptr) {
        return;
    }
    if (!diff.opcodeDeltas.empty()) {
        addLoopDeltas(diff, *a, -1);
        addLoopDeltas(diff, *b, 1);
        std::erase_if(diff.loopOpcodeDeltas, isZero);
    }
    const auto cyclesA = stallCycles(*a);
    const auto cyclesB = stallCycles(*b);
    if (cyclesA && cyclesB) {
        diff.stallDelta = *cyclesB - *cyclesA;
    }
}

void count(KernelDiff& diff)
{
    for (const auto& row : diff.rows) {
        switch (row.kind) {
        case DiffKind::Equal:
            ++diff.equal;
            break;
        case DiffKind::Changed:
            ++diff.changed;
            break;
        case DiffKind::Added:
            ++diff.added;
            break;
        case DiffKind::Removed:
            ++diff.removed;
            break;
        case DiffKind::Moved:
            diff.moved += row.a >= 0 ? 1 : 0;
            break;
        case DiffKind::Schedule:
            ++diff.schedule;
            break;
        }
    }
}

/// Both sides in the order of comesFirst.
KernelDiff diffInOrder(const SassKernel& a, const SassKernel& b)
{
    const auto formsA = formsOf(a);
    const auto formsB = formsOf(b);
    auto pairing = pairRows(a, formsA, b, formsB);
    checkRenaming(pairing);
    KernelDiff diff;
    diff.reorderedOnly = pairing.reorderingProven;
    const auto movesBefore = std::ranges::count(pairing.rows, DiffKind::Moved, &DiffRow::kind);
    findMoves(pairing);
    // Moves that were only found by looking alike are not known to keep the order of anything.
    diff.reorderedOnly = diff.reorderedOnly
        && movesBefore == std::ranges::count(pairing.rows, DiffKind::Moved, &DiffRow::kind);
    for (auto& row : pairing.rows) {
        if (row.kind == DiffKind::Equal) {
            row.what = scheduleDifferences(a.instructions[static_cast<std::size_t>(row.a)],
                b.instructions[static_cast<std::size_t>(row.b)]);
            row.kind = row.what.empty() ? DiffKind::Equal : DiffKind::Schedule;
        }
    }
    diff.rows = std::move(pairing.rows);
    return diff;
}

KernelDiff diffKernels(const SassKernel& a, const SassKernel& b)
{
    const bool inOrder = comesFirst(a, b);
    auto diff = inOrder ? diffInOrder(a, b) : diffInOrder(b, a);
    if (!inOrder) {
        exchangeSides(diff.rows);
    }
    orderOneSided(diff.rows);
    return diff;
}

KernelDiff oneSided(const SassKernel& kernel, bool inA)
{
    KernelDiff diff;
    for (int i = 0; i < comparedRows(kernel); ++i) {
        diff.rows.push_back({inA ? DiffKind::Removed : DiffKind::Added, inA ? i : -1, inA ? -1 : i, {}, -1});
    }
    diff.onlyInA = inA;
    diff.onlyInB = !inA;
    return diff;
}

void total(SassDiff& diff)
{
    bool same = true;
    bool ordered = true;
    bool scheduled = false;
    std::optional<int> stalls;
    for (const auto& kernel : diff.kernels) {
        const bool paired = !kernel.onlyInA && !kernel.onlyInB;
        same = same && paired && kernel.changed + kernel.added + kernel.removed == 0;
        ordered = ordered && kernel.moved == 0;
        scheduled = scheduled || kernel.schedule > 0 || kernel.moved > 0;
        same = same && (kernel.moved == 0 || kernel.reorderedOnly);
        for (const auto& [family, n] : kernel.familyDeltas) {
            diff.familyDeltas[family] += n;
        }
        if (kernel.stallDelta) {
            stalls = stalls.value_or(0) + *kernel.stallDelta;
        }
    }
    std::erase_if(diff.familyDeltas, [](const auto& entry) { return entry.second == 0; });
    diff.instructionsIdentical = same && ordered;
    diff.identical = diff.instructionsIdentical;
    diff.scheduleOnly = same && scheduled;
    diff.stallDelta = stalls;
}

} // namespace

std::string_view diffKindName(DiffKind kind)
{
    switch (kind) {
    case DiffKind::Equal:
        return "equal";
    case DiffKind::Changed:
        return "changed";
    case DiffKind::Added:
        return "added";
    case DiffKind::Removed:
        return "removed";
    case DiffKind::Moved:
        return "moved";
    case DiffKind::Schedule:
        return "schedule";
    }
    return "equal";
}

SassDiff diffListings(const SassListing& a, const SassListing& b)
{
    SassDiff diff;
    for (const auto& [i, j] : pairKernels(a, b)) {
        const auto* kernelA = i < 0 ? nullptr : &a.kernels[static_cast<std::size_t>(i)];
        const auto* kernelB = j < 0 ? nullptr : &b.kernels[static_cast<std::size_t>(j)];
        auto kernel = kernelA != nullptr && kernelB != nullptr
            ? diffKernels(*kernelA, *kernelB)
            : oneSided(kernelA != nullptr ? *kernelA : *kernelB, kernelA != nullptr);
        kernel.name = std::string(kernelA != nullptr ? kernelA->name : kernelB->name);
        kernel.nameInB = std::string(kernelB != nullptr ? kernelB->name : kernelA->name);
        kernel.kernelA = i;
        kernel.kernelB = j;
        addDeltas(kernel, kernelA, kernelB);
        count(kernel);
        if (kernelA != nullptr && kernelB != nullptr) {
            kernel.changes = changePhrases(kernel, *kernelA, *kernelB);
        }
        diff.kernels.push_back(std::move(kernel));
    }
    total(diff);
    diff.summary = diffSummary(diff);
    return diff;
}

} // namespace ptxwb
