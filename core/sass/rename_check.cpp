// SPDX-License-Identifier: Apache-2.0
#include "core/sass/aligned_places.h"
#include "core/sass/kernel_diff.h"

#include <algorithm>
#include <iterator>

namespace ptxwb {

namespace {

constexpr int maximumSweeps = 64;

/// What a pair's registers said about the renaming so far.
struct Verdict {
    std::vector<RegisterSlot> unlike{}; ///< registers of A that are no names for those of B
    bool guard = true;
};

class RenameChecker {
public:
    explicit RenameChecker(KernelPairing& pairing)
        : m_pairing(pairing)
    {
    }

    void run()
    {
        cutSegments(m_pairing);
        solve();
        if (rearrange()) {
            cutSegments(m_pairing);
            restoreReordered();
            solve();
        }
        mark();
    }

private:
    /// Entry states of all segments, to a fixed point. Segments and blocks of A correspond one to one.
    void solve()
    {
        const auto& segments = m_pairing.segments;
        const auto& blocks = m_pairing.a.flow.blocks;
        m_segmentOfBlock.assign(blocks.size(), -1);
        for (std::size_t s = 0; s < segments.size(); ++s) {
            m_segmentOfBlock[static_cast<std::size_t>(segments[s].block)] = static_cast<int>(s);
        }
        m_entries.assign(segments.size(), RenameState());
        std::vector<char> hasPredecessor(segments.size(), 0);
        for (const auto& segment : segments) {
            for (const int to : blocks[static_cast<std::size_t>(segment.block)].successors) {
                if (const int s = m_segmentOfBlock[static_cast<std::size_t>(to)]; s >= 0) {
                    hasPredecessor[static_cast<std::size_t>(s)] = 1;
                }
            }
        }
        std::vector<char> dirty(segments.size(), 0);
        for (std::size_t s = 0; s < segments.size(); ++s) {
            if (s == 0 || hasPredecessor[s] == 0) {
                m_entries[s] = RenameState(RenameState::unknown);
                dirty[s] = 1;
            }
        }
        bool changed = true;
        for (int sweep = 0; changed && sweep < maximumSweeps; ++sweep) {
            changed = false;
            for (std::size_t s = 0; s < segments.size(); ++s) {
                if (dirty[s] != 0) {
                    dirty[s] = 0;
                    changed = spread(s, dirty) || changed;
                }
            }
        }
        if (changed) { // not settled: claim nothing about the blocks
            m_entries.assign(segments.size(), RenameState(RenameState::unknown));
        }
    }

    bool spread(std::size_t s, std::vector<char>& dirty)
    {
        const auto& segment = m_pairing.segments[s];
        auto state = m_entries[s];
        state.settle();
        pass(segment, state, [](int, const Verdict&) {});
        const auto& block = m_pairing.a.flow.blocks[static_cast<std::size_t>(segment.block)];
        const bool calls =
            m_pairing.kernelA.instructions[static_cast<std::size_t>(block.last)].opcode.starts_with("CALL");
        bool changed = false;
        for (const int to : block.successors) {
            const int next = m_segmentOfBlock[static_cast<std::size_t>(to)];
            if (next < 0) {
                continue;
            }
            // What a callee leaves in the registers is not followed.
            const bool returned = calls && to == segment.block + 1;
            auto& entry = m_entries[static_cast<std::size_t>(next)];
            if (entry.meet(returned ? RenameState(RenameState::unknown) : state)) {
                dirty[static_cast<std::size_t>(next)] = 1;
                changed = true;
            }
        }
        return changed;
    }

    template <class Report> void pass(const DiffSegment& segment, RenameState& state, const Report& report)
    {
        if (segment.reordered) {
            applyReordered(m_pairing, segment, state);
            return;
        }
        for (int i = segment.first; i < segment.end; ++i) {
            report(i, follow(m_pairing.rows[static_cast<std::size_t>(i)], state));
        }
    }

    Verdict follow(const DiffRow& row, RenameState& state)
    {
        const auto& a = m_pairing.a;
        const auto& b = m_pairing.b;
        if (row.b < 0) {
            forget(a, row.a, [&state](RegisterSlot slot) { state.forgetA(slot); });
            return {};
        }
        if (row.a < 0) {
            forget(b, row.b, [&state](RegisterSlot slot) { state.forgetB(slot); });
            return {};
        }
        const auto usesA = a.usesOf(a.rows[static_cast<std::size_t>(row.a)]);
        const auto usesB = b.usesOf(b.rows[static_cast<std::size_t>(row.b)]);
        const bool comparable =
            std::ranges::equal(usesA, usesB, [](const RegisterUse& x, const RegisterUse& y) {
                return x.defined == y.defined && x.guard == y.guard && fileOf(x.slot) == fileOf(y.slot);
            });
        if (!comparable) {
            forget(a, row.a, [&state](RegisterSlot slot) { state.forgetA(slot); });
            forget(b, row.b, [&state](RegisterSlot slot) { state.forgetB(slot); });
            return {};
        }
        Verdict verdict;
        RowGuard guard;
        for (std::size_t i = 0; i < usesA.size(); ++i) {
            if (usesA[i].guard) {
                verdict.guard = state.use(usesA[i].slot, usesB[i].slot);
                guard = {usesA[i].slot, a.rows[static_cast<std::size_t>(row.a)].predicate};
            }
        }
        for (std::size_t i = 0; i < usesA.size(); ++i) {
            if (!usesA[i].defined && !usesA[i].guard) {
                read(usesA[i], usesB[i], guard, state, verdict);
            }
        }
        const auto constant = constantOf(a.rows[static_cast<std::size_t>(row.a)], usesA, state);
        for (std::size_t i = 0; i < usesA.size(); ++i) {
            if (usesA[i].defined) {
                define(usesA[i], usesB[i], guard, constant, state);
            }
        }
        return verdict;
    }

    static int fileOf(RegisterSlot slot)
    {
        return slot < uniformSlots         ? 0
            : slot < predicateSlots        ? 1
            : slot < uniformPredicateSlots ? 2
            : slot < barrierSlots          ? 3
                                           : 4;
    }

    template <class Forget> static void forget(const KernelForms& forms, int row, const Forget& forgetSlot)
    {
        for (const auto& use : forms.usesOf(forms.rows[static_cast<std::size_t>(row)])) {
            if (use.defined) {
                forEachWritten(use, [&forgetSlot](RegisterSlot slot, bool) { forgetSlot(slot); });
            }
        }
    }

    /// Names the value of a row that depends on constants alone; 0 for any other.
    static std::uint32_t constantOf(
        const RowForm& row, std::span<const RegisterUse> uses, const RenameState& state)
    {
        auto value = row.key;
        for (const auto& use : uses) {
            for (int i = 0; !use.defined && i < use.width && use.slot + i < static_cast<int>(slotCount);
                 ++i) {
                const auto part = state.constant(static_cast<RegisterSlot>(use.slot + i));
                if (part == 0) {
                    return 0;
                }
                value = mixed(value, part);
            }
        }
        return row.effects != 0 || row.reads != 0 ? 0 : static_cast<std::uint32_t>(value) | 1U;
    }

    static void read(const RegisterUse& a, const RegisterUse& b, const RowGuard& guard, RenameState& state,
        Verdict& verdict)
    {
        for (int i = 0; i < std::min(a.width, b.width); ++i) {
            const auto x = static_cast<RegisterSlot>(a.slot + i);
            const auto y = static_cast<RegisterSlot>(b.slot + i);
            if (fileOf(x) == fileOf(a.slot) && fileOf(y) == fileOf(b.slot) && !state.use(x, y, guard)) {
                verdict.unlike.push_back(x);
            }
        }
    }

    static void define(const RegisterUse& a, const RegisterUse& b, const RowGuard& guard,
        std::uint32_t constant, RenameState& state)
    {
        if (a.width != b.width) {
            forEachWritten(a, [&state](RegisterSlot slot, bool) { state.forgetA(slot); });
            forEachWritten(b, [&state](RegisterSlot slot, bool) { state.forgetB(slot); });
            state.define(a.slot, b.slot, guard);
            return;
        }
        forEachWritten(b, [&state](RegisterSlot slot, bool doubtful) {
            if (doubtful) {
                state.forgetB(slot);
            }
        });
        forEachWritten(a, [&](RegisterSlot slot, bool doubtful) {
            const auto other = static_cast<RegisterSlot>(b.slot + (slot - a.slot));
            if (doubtful || fileOf(other) != fileOf(b.slot)) {
                state.forgetA(slot);
            } else {
                const auto part = static_cast<std::uint64_t>(slot - a.slot);
                state.define(slot, other, guard,
                    constant == 0 ? 0 : static_cast<std::uint32_t>(mixed(constant, part)) | 1U);
            }
        });
    }

    /// Rewrites segments that differ in order alone. True if there were any.
    bool rearrange()
    {
        std::vector<DiffRow> rows;
        rows.reserve(m_pairing.rows.size());
        m_reorderedBlocks.clear();
        bool changed = false;
        for (std::size_t s = 0; s < m_pairing.segments.size(); ++s) {
            const auto& segment = m_pairing.segments[s];
            std::vector<DiffRow> better;
            auto state = m_entries[s];
            state.settle();
            bool proven = true;
            if (const int problems = problemsIn(segment, state); problems > 0) {
                auto entry = m_entries[s];
                entry.settle();
                better = reorderedRows(m_pairing, segment, entry);
                if (better.empty()) {
                    proven = false;
                    better = mostlyReorderedRows(m_pairing, segment, entry, problems);
                }
            }
            if (better.empty()) {
                rows.insert(
                    rows.end(), m_pairing.rows.begin() + segment.first, m_pairing.rows.begin() + segment.end);
            } else {
                changed = true;
                if (proven) {
                    m_reorderedBlocks.push_back(segment.block);
                } else {
                    m_pairing.reorderingProven = false;
                }
                std::ranges::move(better, std::back_inserter(rows));
            }
        }
        if (changed) {
            m_pairing.rows = std::move(rows);
        }
        return changed;
    }

    int problemsIn(const DiffSegment& segment, RenameState& state)
    {
        int problems = 0;
        pass(segment, state, [&](int i, const Verdict& verdict) {
            const auto kind = m_pairing.rows[static_cast<std::size_t>(i)].kind;
            problems += kind != DiffKind::Equal || !verdict.unlike.empty() || !verdict.guard ? 1 : 0;
        });
        return problems;
    }

    void restoreReordered()
    {
        for (auto& segment : m_pairing.segments) {
            segment.reordered = std::ranges::binary_search(m_reorderedBlocks, segment.block);
        }
    }

    void mark()
    {
        auto& rows = m_pairing.rows;
        for (std::size_t s = 0; s < m_pairing.segments.size(); ++s) {
            const auto& segment = m_pairing.segments[s];
            auto state = m_entries[s];
            state.settle();
            if (segment.reordered && reorderedRows(m_pairing, segment, state).empty()) {
                m_pairing.reorderingProven = false; // the first look knew less about the registers
            }
            pass(segment, state, [&rows](int i, const Verdict& verdict) {
                auto& row = rows[static_cast<std::size_t>(i)];
                if (!verdict.guard) {
                    differ(row, "predicate");
                }
                if (!verdict.unlike.empty()) {
                    differ(row, "operand");
                    row.registers.clear();
                    for (const auto slot : verdict.unlike) {
                        row.registers.push_back(registerName(slot));
                    }
                }
            });
        }
        markTargets();
    }

    static void differ(DiffRow& row, const char* what)
    {
        row.kind = DiffKind::Changed;
        if (std::ranges::find(row.what, what) == row.what.end()) {
            row.what.emplace_back(what);
        }
    }

    /// Branches must lead to places that are aligned too, and so must each entry of a jump table.
    void markTargets()
    {
        const AlignedPlaces places(m_pairing);
        const auto& flowA = m_pairing.a.flow;
        const auto& flowB = m_pairing.b.flow;
        for (auto& row : m_pairing.rows) {
            if (row.a < 0 || row.b < 0) {
                continue;
            }
            const int targetA = flowA.target[static_cast<std::size_t>(row.a)];
            const int targetB = flowB.target[static_cast<std::size_t>(row.b)];
            if (targetA < 0 || targetB < 0) {
                // One of them jumps to where no row begins.
                if ((targetA >= 0 && namesNoLabel(m_pairing.kernelB, row.b))
                    || (targetB >= 0 && namesNoLabel(m_pairing.kernelA, row.a))) {
                    differ(row, "target");
                }
            } else if (!places.correspond(targetA, targetB)) {
                differ(row, "target");
            }
            if (!places.correspond(tableOf(flowA, row.a), tableOf(flowB, row.b))) {
                differ(row, "target");
            }
        }
    }

    /// Empty where the listing names no targets.
    static std::span<const int> tableOf(const ControlFlow& flow, int row)
    {
        const auto at = std::ranges::lower_bound(
            flow.tableEntries, row, {}, [](const auto& entry) { return entry.first; });
        return at == flow.tableEntries.end() || at->first != row ? std::span<const int>() : at->second;
    }

    static bool namesNoLabel(const SassKernel& kernel, int row)
    {
        return kernel.instructions[static_cast<std::size_t>(row)].operands.find('`')
            == std::string_view::npos;
    }

    KernelPairing& m_pairing;
    std::vector<RenameState> m_entries;
    std::vector<int> m_segmentOfBlock;
    std::vector<int> m_reorderedBlocks;
};

} // namespace

void checkRenaming(KernelPairing& pairing)
{
    RenameChecker(pairing).run();
}

} // namespace ptxwb
