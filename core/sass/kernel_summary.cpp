// SPDX-License-Identifier: Apache-2.0
#include "core/sass/kernel_summary.h"

#include "core/sass/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace ptxwb {

namespace {

bool isTensorProduct(std::string_view opcode)
{
    const auto base = opcode.substr(0, opcode.find('.'));
    return base.ends_with("MMA");
}

void count(const SassInstruction& instruction, RowCounts& counts)
{
    const auto opcode = instruction.opcode;
    const auto families = familiesOf(opcode);
    counts.rows += 1;
    counts.tensorProducts += isTensorProduct(opcode) ? 1 : 0;
    counts.tensorWaits += opcode.starts_with("WARPGROUP.DEPBAR") ? 1 : 0;
    counts.tensorFences += opcode.starts_with("WARPGROUP.ARRIVE") ? 1 : 0;
    counts.mbarrierWaits += opcode.starts_with("SYNCS.PHASECHK") ? 1 : 0;
    counts.tmaCopies += (contains(families, SassFamily::Tma) && !opcode.starts_with("UTMACMDFLUSH")
                            && !opcode.starts_with("UTMACCTL"))
            || opcode.starts_with("UBLKCP")
        ? 1
        : 0;
    counts.ctaBarriers += opcode.starts_with("BAR.SYNC") || opcode.starts_with("BAR.RED") ? 1 : 0;
    const auto base = opcode.substr(0, opcode.find('.'));
    const auto isOne = [base](std::initializer_list<std::string_view> opcodes) {
        return std::find(opcodes.begin(), opcodes.end(), base) != opcodes.end() ? 1 : 0;
    };
    counts.localAccesses += isOne({"LDL", "STL"});
    counts.asyncCopies += isOne({"LDGSTS"});
    counts.asyncWaits += isOne({"DEPBAR"});
    counts.globalLoads += isOne({"LDG", "LD"});
    counts.sharedLoads += isOne({"LDS", "LDSM"});
    counts.stores += isOne({"STG", "ST", "STS", "STSM"});
    counts.atomics += isOne({"ATOM", "ATOMG", "ATOMS", "RED", "REDG"});
}

LoopSummary loopOf(const SassKernel& kernel, const ControlFlow& flow, const SassLoop& blocks)
{
    const auto block = [&](int index) { return flow.blocks[static_cast<std::size_t>(index)]; };
    LoopSummary loop{.first = block(blocks.header).first, .last = block(blocks.latch).last};
    int slots = -1; // rows since the last product, -1 before the first
    int waitsSince = 0;
    for (const int index : blocks.blocks) {
        if (block(index).first > loop.last || block(index).first < loop.first) {
            loop.rowsOutOfLine += block(index).last - block(index).first + 1;
            continue;
        }
        for (int row = block(index).first; row <= block(index).last; ++row) {
            const auto& instruction = kernel.instructions[static_cast<std::size_t>(row)];
            count(instruction, loop.counts);
            if (instruction.hasEncoding) {
                loop.stallCycles += decodeControl(instruction.encoding).stall;
            }
            waitsSince += instruction.opcode.starts_with("WARPGROUP.DEPBAR") ? 1 : 0;
            if (!isTensorProduct(instruction.opcode)) {
                slots += slots < 0 ? 0 : 1;
                continue;
            }
            if (slots >= 0) {
                loop.slotsBetweenProducts.push_back(slots);
                loop.waitsAmongProducts += waitsSince;
            }
            slots = 0;
            waitsSince = 0;
        }
    }
    return loop;
}

/// Of the loops that satisfy `wanted` those that hold no other such loop.
template <class Wanted>
std::vector<LoopSummary> innermost(
    const ControlFlow& flow, const std::vector<LoopSummary>& summaries, Wanted wanted)
{
    std::vector<LoopSummary> chosen;
    for (std::size_t i = 0; i < summaries.size(); ++i) {
        bool holdsAnother = false;
        for (std::size_t k = 0; k < summaries.size(); ++k) {
            const auto& blocks = flow.loops[i].blocks;
            holdsAnother = holdsAnother
                || (k != i && wanted(summaries[k])
                    && std::binary_search(blocks.begin(), blocks.end(), flow.loops[k].header));
        }
        if (wanted(summaries[i]) && !holdsAnother) {
            chosen.push_back(summaries[i]);
        }
    }
    return chosen;
}

std::string things(int number, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", number, number == 1 ? one : many);
}

void addThings(std::string& text, int number, std::string_view one, std::string_view many)
{
    if (number > 0) {
        text += ", " + things(number, one, many);
    }
}

void addCounts(std::string& text, const RowCounts& counts)
{
    const auto add = [&text](int number, std::string_view one, std::string_view many) {
        addThings(text, number, one, many);
    };
    add(counts.tensorProducts, "tensor core product", "tensor core products");
    add(counts.tensorWaits, "wait for them (WARPGROUP.DEPBAR)", "waits for them (WARPGROUP.DEPBAR)");
    add(counts.tmaCopies, "TMA copy", "TMA copies");
    add(counts.mbarrierWaits, "mbarrier wait row", "mbarrier wait rows");
    add(counts.asyncCopies, "cp.async copy (LDGSTS)", "cp.async copies (LDGSTS)");
    add(counts.asyncWaits, "wait for them (DEPBAR)", "waits for them (DEPBAR)");
    add(counts.ctaBarriers, "CTA barrier", "CTA barriers");
    add(counts.localAccesses, "local memory access (LDL, STL)", "local memory accesses (LDL, STL)");
}

/// What a loop without tensor work lives on.
void addMemoryCounts(std::string& text, const RowCounts& counts)
{
    const auto add = [&text](int number, std::string_view one, std::string_view many) {
        addThings(text, number, one, many);
    };
    add(counts.globalLoads, "load from global memory", "loads from global memory");
    add(counts.sharedLoads, "load from shared memory", "loads from shared memory");
    add(counts.stores, "store", "stores");
    add(counts.atomics, "atomic", "atomics");
}

std::string loopText(const SassKernel& kernel, const LoopSummary& loop)
{
    const auto address = [&](int row) { return kernel.instructions[static_cast<std::size_t>(row)].address; };
    std::string text = fmt::format("loop {:05x}..{:05x}: {}", address(loop.first), address(loop.last),
        things(loop.counts.rows, "row", "rows"));
    addCounts(text, loop.counts);
    if (loop.counts.tensorProducts + loop.counts.tmaCopies == 0) {
        addMemoryCounts(text, loop.counts);
    }
    if (!loop.slotsBetweenProducts.empty()) {
        const auto [least, most] =
            std::minmax_element(loop.slotsBetweenProducts.begin(), loop.slotsBetweenProducts.end());
        text += *least == *most
            ? fmt::format("; {} between products", things(*least, "issue slot", "issue slots"))
            : fmt::format("; {} to {} issue slots between products", *least, *most);
    }
    if (loop.stallCycles > 0) {
        text += fmt::format("; issuing a trip takes {} cycles by its stall fields", loop.stallCycles);
    }
    if (loop.rowsOutOfLine > 0) {
        text += fmt::format("; {} of it out of line", things(loop.rowsOutOfLine, "row", "rows"));
    }
    if (loop.waitsAmongProducts > 0) {
        text += "; waits stand between them: batches of products run one after the other";
    }
    return text;
}

} // namespace

KernelSummary summarise(const SassKernel& kernel, const ControlFlow& flow)
{
    KernelSummary summary;
    for (const auto& instruction : kernel.instructions) {
        count(instruction, summary.all);
    }
    std::vector<LoopSummary> loops;
    for (const auto& loop : flow.loops) {
        loops.push_back(loopOf(kernel, flow, loop));
    }
    const auto multiplies = [](const LoopSummary& loop) { return loop.counts.tensorProducts > 0; };
    summary.tensorLoops = innermost(flow, loops, multiplies);
    summary.copyLoops = innermost(
        flow, loops, [&](const LoopSummary& loop) { return loop.counts.tmaCopies > 0 && !multiplies(loop); });
    if (summary.tensorLoops.empty() && summary.copyLoops.empty()) {
        constexpr int rowsOfARetry = 8;
        summary.otherLoops = innermost(flow, loops, [&](const LoopSummary& loop) {
            return loop.counts.mbarrierWaits == 0 || loop.counts.rows > rowsOfARetry;
        });
    }
    return summary;
}

std::string summaryText(const SassKernel& kernel, const KernelSummary& summary)
{
    std::string text = things(summary.all.rows, "row", "rows");
    addCounts(text, summary.all);
    text += '\n';
    for (const auto* loops : {&summary.tensorLoops, &summary.copyLoops}) {
        for (const auto& loop : *loops) {
            text += loopText(kernel, loop) + '\n';
        }
    }
    constexpr std::size_t mostOtherLoops = 4;
    for (std::size_t i = 0; i < std::min(summary.otherLoops.size(), mostOtherLoops); ++i) {
        text += loopText(kernel, summary.otherLoops[i]) + '\n';
    }
    if (summary.otherLoops.size() > mostOtherLoops) {
        text += fmt::format("{} more\n",
            things(static_cast<int>(summary.otherLoops.size() - mostOtherLoops), "loop", "loops"));
    }
    return text;
}

} // namespace ptxwb
