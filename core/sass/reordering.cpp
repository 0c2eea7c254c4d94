// SPDX-License-Identifier: Apache-2.0
#include "core/sass/kernel_diff.h"

#include <algorithm>
#include <unordered_map>

namespace ptxwb {

namespace {

constexpr int maximumRows = 4096;
constexpr std::uint64_t nameless =
    0x6a09e667f3bcc908ULL; ///< a value from outside the block that has no counterpart
constexpr std::uint64_t named = 0xbb67ae8584caa73bULL;

/// Value numbers: rows get the same number when they apply the same operation to the same values, and memory
/// operations of one space keep their order.
class ValueNumbers {
public:
    /// `liveIn(slot)` numbers what a register holds on entry.
    template <class LiveIn>
    ValueNumbers(const KernelForms& forms, const std::vector<int>& rows, const LiveIn& liveIn)
    {
        for (std::size_t slot = 0; slot < slotCount; ++slot) {
            m_values[slot] = liveIn(static_cast<RegisterSlot>(slot));
        }
        for (const int index : rows) {
            add(forms, forms.rows[static_cast<std::size_t>(index)]);
        }
    }

    const std::vector<std::uint64_t>& rows() const { return m_rows; }
    const std::vector<RegisterSlot>& written() const { return m_written; }
    std::uint64_t value(RegisterSlot slot) const { return m_values[slot]; }

private:
    void add(const KernelForms& forms, const RowForm& row)
    {
        auto number = row.key;
        bool guarded = false;
        for (const auto& use : forms.usesOf(row)) {
            guarded = guarded || use.guard;
            if (!use.defined) {
                number = mixed(number, m_values[use.slot]);
            }
        }
        for (unsigned space = 0; space < memorySpaces; ++space) {
            if ((((row.effects | row.reads) >> space) & 1U) != 0) {
                number = mixed(number, m_memory[space]);
            }
        }
        for (unsigned space = 0; space < memorySpaces; ++space) {
            if (((row.effects >> space) & 1U) != 0) {
                m_memory[space] = mixed(m_memory[space], number);
            }
        }
        std::uint64_t result = 0;
        for (const auto& use : forms.usesOf(row)) {
            if (!use.defined) {
                continue;
            }
            forEachWritten(use, [&](RegisterSlot slot, bool doubtful) {
                auto value = mixed(number, ++result);
                if (guarded || doubtful) {
                    value = mixed(value, m_values[slot]); // the old value may remain
                }
                m_values[slot] = value;
                m_written.push_back(slot);
            });
        }
        m_rows.push_back(number);
    }

    std::array<std::uint64_t, slotCount> m_values{};
    std::array<std::uint64_t, memorySpaces> m_memory{};
    std::vector<std::uint64_t> m_rows;
    std::vector<RegisterSlot> m_written;
};

struct Sides {
    std::vector<int> a;
    std::vector<int> b;
};

Sides sidesOf(const KernelPairing& pairing, const DiffSegment& segment)
{
    Sides sides;
    for (int i = segment.first; i < segment.end; ++i) {
        const auto& row = pairing.rows[static_cast<std::size_t>(i)];
        if (row.a >= 0) {
            sides.a.push_back(row.a);
        }
        if (row.b >= 0) {
            sides.b.push_back(row.b);
        }
    }
    return sides;
}

ValueNumbers numbersOfA(const KernelPairing& pairing, const Sides& sides, const RenameState& entry)
{
    return {pairing.a, sides.a, [&entry](RegisterSlot slot) {
                return RenameState::isSlot(entry.inB(slot)) ? mixed(named, entry.inB(slot)) : nameless;
            }};
}

ValueNumbers numbersOfB(const KernelPairing& pairing, const Sides& sides, const RenameState& entry)
{
    return {pairing.b, sides.b,
        [&entry](RegisterSlot slot) { return entry.knownInB(slot) ? mixed(named, slot) : nameless; }};
}

/// Positions sorted by number, ties in order.
std::vector<std::size_t> byNumber(const std::vector<std::uint64_t>& numbers)
{
    std::vector<std::size_t> order(numbers.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    std::ranges::stable_sort(order, {}, [&numbers](std::size_t i) { return numbers[i]; });
    return order;
}

/// Marks a longest increasing subsequence of `values`.
std::vector<char> inOrder(const std::vector<int>& values)
{
    std::vector<std::size_t> piles;
    std::vector<std::size_t> previous(values.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at =
            std::ranges::lower_bound(piles, values[i], {}, [&values](std::size_t p) { return values[p]; });
        if (at != piles.begin()) {
            previous[i] = *(at - 1);
        }
        if (at == piles.end()) {
            piles.push_back(i);
        } else {
            *at = i;
        }
    }
    std::vector<char> kept(values.size(), 0);
    for (auto i = piles.empty() ? values.size() : piles.back(); i < values.size(); i = previous[i]) {
        kept[i] = 1;
    }
    return kept;
}

bool isOneBlock(const ControlFlow& flow, const std::vector<int>& rows)
{
    return !rows.empty()
        && flow.blockOf[static_cast<std::size_t>(rows.front())]
        == flow.blockOf[static_cast<std::size_t>(rows.back())];
}

} // namespace

std::vector<DiffRow> reorderedRows(
    const KernelPairing& pairing, const DiffSegment& segment, const RenameState& entry)
{
    const auto sides = sidesOf(pairing, segment);
    if (sides.a.size() != sides.b.size() || sides.a.size() > maximumRows
        || !isOneBlock(pairing.a.flow, sides.a) || !isOneBlock(pairing.b.flow, sides.b)) {
        return {};
    }
    const auto a = numbersOfA(pairing, sides, entry);
    const auto b = numbersOfB(pairing, sides, entry);
    const auto orderA = byNumber(a.rows());
    const auto orderB = byNumber(b.rows());
    std::vector<int> partner(sides.a.size());
    for (std::size_t i = 0; i < orderA.size(); ++i) {
        if (a.rows()[orderA[i]] != b.rows()[orderB[i]]) {
            return {};
        }
        partner[orderA[i]] = static_cast<int>(orderB[i]);
    }
    const auto kept = inOrder(partner);

    std::vector<int> backwards(sides.b.size());
    for (std::size_t i = 0; i < partner.size(); ++i) {
        backwards[static_cast<std::size_t>(partner[i])] = static_cast<int>(i);
    }
    std::vector<DiffRow> rows;
    std::size_t nextB = 0;
    const auto movedOfBUpTo = [&](std::size_t end) {
        for (; nextB < end; ++nextB) {
            rows.push_back({DiffKind::Moved, -1, sides.b[nextB], {},
                sides.a[static_cast<std::size_t>(backwards[nextB])]});
        }
    };
    for (std::size_t i = 0; i < partner.size(); ++i) {
        const auto j = static_cast<std::size_t>(partner[i]);
        if (kept[i] == 0) {
            rows.push_back({DiffKind::Moved, sides.a[i], -1, {}, sides.b[j]});
            continue;
        }
        movedOfBUpTo(j);
        rows.push_back({DiffKind::Equal, sides.a[i], sides.b[j], {}, -1});
        nextB = j + 1;
    }
    movedOfBUpTo(sides.b.size());
    return rows;
}

void applyReordered(const KernelPairing& pairing, const DiffSegment& segment, RenameState& state)
{
    const auto sides = sidesOf(pairing, segment);
    const auto a = numbersOfA(pairing, sides, state);
    const auto b = numbersOfB(pairing, sides, state);
    std::unordered_map<std::uint64_t, RegisterSlot> holder;
    for (const auto slot : b.written()) {
        holder.insert_or_assign(b.value(slot), slot);
    }
    for (const auto slot : b.written()) {
        state.forgetB(slot);
    }
    for (const auto slot : a.written()) {
        state.forgetA(slot);
    }
    for (const auto slot : a.written()) {
        if (const auto at = holder.find(a.value(slot)); at != holder.end()) {
            state.define(slot, at->second);
        }
    }
}

} // namespace ptxwb
