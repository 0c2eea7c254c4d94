// SPDX-License-Identifier: Apache-2.0
#include "core/sass/kernel_summary.h"

#include "core/sass/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace ptxwb {

namespace {

constexpr int tensorMemoryColumns = 512; ///< of a multiprocessor

bool isTensorProduct(std::string_view opcode)
{
    const auto base = opcode.substr(0, opcode.find('.'));
    return base.ends_with("MMA");
}

/// Which rows of a kernel stand for something by what is around them.
struct KernelRows {
    bool hasCopyGroups = false; ///< something closes groups of asynchronous copies
    std::vector<int> waitsOfAllocation{}; ///< DEPBAR rows that tcgen05.alloc brings, ascending
};

bool isAllocation(const SassInstruction& instruction)
{
    return instruction.opcode.starts_with("UTCATOMSWS.FIND_AND_SET");
}

KernelRows rowsOf(const SassKernel& kernel)
{
    KernelRows rows;
    int wait = -1;
    for (int row = 0; row < static_cast<int>(kernel.instructions.size()); ++row) {
        const auto& instruction = kernel.instructions[static_cast<std::size_t>(row)];
        rows.hasCopyGroups = rows.hasCopyGroups || instruction.opcode.starts_with("LDGDEPBAR")
            || instruction.opcode.starts_with("UTMACMDFLUSH");
        if (instruction.opcode.starts_with("DEPBAR")) {
            wait = row;
        } else if (contains(familiesOf(instruction.opcode), SassFamily::Branch)) {
            wait = -1;
        } else if (wait >= 0 && isAllocation(instruction)) {
            rows.waitsOfAllocation.push_back(wait);
            wait = -1;
        }
    }
    return rows;
}

void count(const SassKernel& kernel, const KernelRows& rows, int row, RowCounts& counts)
{
    const auto& instruction = kernel.instructions[static_cast<std::size_t>(row)];
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
    counts.asyncWaits += rows.hasCopyGroups && !std::ranges::binary_search(rows.waitsOfAllocation, row)
        ? isOne({"DEPBAR"})
        : 0;
    counts.clusterBarriers += isOne({"UCGABAR_WAIT"});
    counts.globalLoads += isOne({"LDG", "LD"});
    counts.sharedLoads += isOne({"LDS", "LDSM"});
    counts.stores += isOne({"STG", "ST", "STS", "STSM"});
    counts.atomics += isOne({"ATOM", "ATOMG", "ATOMS", "RED", "REDG"});
}

/// The stall fields of a trip, from the header to a branch back to it, on the longest and the shortest way.
/// A loop within counts as one trip of it. Rows out of line stand on no longest way: most are retries.
class TripCycles {
public:
    TripCycles(const SassKernel& kernel, const ControlFlow& flow, const SassLoop& loop)
        : m_flow(flow)
        , m_loop(loop)
        , m_places(loop.blocks.size())
    {
        const int first = block(loop.header).first;
        const int last = block(loop.latch).last;
        for (std::size_t i = 0; i < loop.blocks.size(); ++i) {
            const auto& rows = block(loop.blocks[i]);
            for (int row = rows.first; row <= rows.last; ++row) {
                const auto& instruction = kernel.instructions[static_cast<std::size_t>(row)];
                m_places[i].stall += instruction.hasEncoding ? decodeControl(instruction.encoding).stall : 0;
            }
            m_places[i].isOutOfLine = rows.first > last || rows.first < first;
        }
        walk();
    }

    int most() const { return header().most; }
    int fewest() const { return header().fewest; }

private:
    struct Place {
        int stall = 0;
        bool isOutOfLine = false;
        enum { New, Open, Done } state = New;
        std::size_t next = 0; ///< successor to look at
        bool reachesEnd = false;
        int most = 0; ///< from here to the branch back
        int fewest = 0;
    };

    const SassBlock& block(int index) const { return m_flow.blocks[static_cast<std::size_t>(index)]; }
    std::size_t placeOf(int index) const
    {
        return static_cast<std::size_t>(
            std::ranges::lower_bound(m_loop.blocks, index) - m_loop.blocks.begin());
    }
    const Place& header() const { return m_places[placeOf(m_loop.header)]; }

    void walk()
    {
        std::vector<std::size_t> stack{placeOf(m_loop.header)};
        m_places[stack.back()].state = Place::Open;
        while (!stack.empty()) {
            const auto at = stack.back();
            auto& place = m_places[at];
            const auto& successors = block(m_loop.blocks[at]).successors;
            if (place.next == successors.size()) {
                place.most += place.isOutOfLine ? 0 : place.stall;
                place.fewest += place.stall;
                place.state = Place::Done;
                stack.pop_back();
                continue;
            }
            const int successor = successors[place.next];
            const auto to = placeOf(successor);
            if (successor == m_loop.header) {
                take(place, 0, 0);
            } else if (to < m_places.size() && m_loop.blocks[to] == successor) {
                if (m_places[to].state == Place::New) {
                    m_places[to].state = Place::Open;
                    stack.push_back(to);
                    continue; // this successor is taken when it is done
                }
                if (m_places[to].state == Place::Done && m_places[to].reachesEnd) {
                    take(place, m_places[to].most, m_places[to].fewest);
                }
            }
            ++place.next;
        }
    }

    static void take(Place& place, int most, int fewest)
    {
        place.most = std::max(place.most, most);
        place.fewest = place.reachesEnd ? std::min(place.fewest, fewest) : fewest;
        place.reachesEnd = true;
    }

    const ControlFlow& m_flow;
    const SassLoop& m_loop;
    std::vector<Place> m_places;
};

LoopSummary loopOf(
    const SassKernel& kernel, const KernelRows& rows, const ControlFlow& flow, const SassLoop& blocks)
{
    const auto block = [&](int index) { return flow.blocks[static_cast<std::size_t>(index)]; };
    const TripCycles trip(kernel, flow, blocks);
    LoopSummary loop{.first = block(blocks.header).first,
        .last = block(blocks.latch).last,
        .stallCycles = trip.most(),
        .fewestStallCycles = trip.fewest()};
    int slots = -1; // rows since the last product, -1 before the first
    int waitsSince = 0;
    for (const int index : blocks.blocks) {
        if (block(index).first > loop.last || block(index).first < loop.first) {
            loop.rowsOutOfLine += block(index).last - block(index).first + 1;
            continue;
        }
        for (int row = block(index).first; row <= block(index).last; ++row) {
            const auto& instruction = kernel.instructions[static_cast<std::size_t>(row)];
            count(kernel, rows, row, loop.counts);
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

/// The columns that an allocation asks for: it takes them in units, from a uniform register that is set in
/// its block. 0: not known.
int columnsOf(const SassKernel& kernel, int first, int row)
{
    constexpr int unit = 32;
    const auto operands = kernel.instructions[static_cast<std::size_t>(row)].operands;
    const auto wanted = operands.substr(operands.rfind(' ') + 1);
    while (--row >= first) {
        const auto& setter = kernel.instructions[static_cast<std::size_t>(row)];
        const auto comma = setter.operands.find(", ");
        if (comma == std::string_view::npos || setter.operands.substr(0, comma) != wanted) {
            continue;
        }
        const auto value = setter.operands.substr(comma + 2);
        int units = 0;
        const bool isNumber = setter.opcode == "UMOV" && setter.predicate.empty() && value.starts_with("0x")
            && std::from_chars(value.data() + 2, value.data() + value.size(), units, 16).ptr
                == value.data() + value.size();
        return isNumber ? units * unit : 0;
    }
    return 0;
}

void addTensorMemory(const SassKernel& kernel, const ControlFlow& flow, KernelSummary& summary)
{
    int allocations = 0;
    for (int row = 0; row < static_cast<int>(kernel.instructions.size()); ++row) {
        if (!isAllocation(kernel.instructions[static_cast<std::size_t>(row)])) {
            continue;
        }
        const auto& block =
            flow.blocks[static_cast<std::size_t>(flow.blockOf[static_cast<std::size_t>(row)])];
        const int columns = columnsOf(kernel, block.first, row);
        // Its retry is a loop of one block that asks for the same.
        const bool isRetry = std::ranges::find(block.successors, flow.blockOf[static_cast<std::size_t>(row)])
            != block.successors.end();
        allocations += isRetry ? 0 : 1;
        summary.tensorColumns = std::max(summary.tensorColumns, columns);
        summary.hasMoreTensorColumns = summary.hasMoreTensorColumns || columns == 0 || allocations > 1;
    }
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
    if (counts.asyncCopies > 0 && counts.tmaCopies == 0) {
        add(counts.asyncWaits, "wait for them (DEPBAR)", "waits for them (DEPBAR)");
    } else {
        add(counts.asyncWaits, "wait for groups of copies (DEPBAR)", "waits for groups of copies (DEPBAR)");
    }
    add(counts.ctaBarriers, "CTA barrier", "CTA barriers");
    add(counts.clusterBarriers, "cluster barrier", "cluster barriers");
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
        text += loop.fewestStallCycles < loop.stallCycles
            ? fmt::format("; issuing a trip takes {} to {} cycles by its stall fields, by the way it takes",
                loop.fewestStallCycles, loop.stallCycles)
            : fmt::format("; issuing a trip takes {} cycles by its stall fields", loop.stallCycles);
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
    const auto rows = rowsOf(kernel);
    for (int row = 0; row < static_cast<int>(kernel.instructions.size()); ++row) {
        count(kernel, rows, row, summary.all);
    }
    addTensorMemory(kernel, flow, summary);
    std::vector<LoopSummary> loops;
    for (const auto& loop : flow.loops) {
        loops.push_back(loopOf(kernel, rows, flow, loop));
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
    if (summary.tensorColumns > 0) {
        const int ctas = tensorMemoryColumns / summary.tensorColumns;
        text += fmt::format("tensor memory: a CTA allocates {}{} of {} columns, so {} at a time of a "
                            "multiprocessor's CTAs can hold theirs; others wait in tcgen05.alloc\n",
            summary.hasMoreTensorColumns ? "at least " : "", summary.tensorColumns, tensorMemoryColumns,
            summary.hasMoreTensorColumns ? fmt::format("at most {}", ctas) : std::to_string(ctas));
    }
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
