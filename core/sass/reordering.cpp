// SPDX-License-Identifier: Apache-2.0
#include "core/sass/kernel_diff.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

namespace ptxwb {

namespace {

constexpr int maximumRows = 200'000;
constexpr int rounds = 2; ///< of telling unknown registers apart by what reads them
constexpr std::uint64_t nameless = 0x6a09e667f3bcc908ULL; ///< from outside the block, nothing else is known
constexpr std::uint64_t named = 0xbb67ae8584caa73bULL;
constexpr std::uint64_t onlyInA = 0x3c6ef372fe94f82bULL; ///< B holds the value no more
constexpr std::uint64_t onlyInB = 0xa54ff53a5f1d36f1ULL;

using Values = std::array<std::uint64_t, slotCount>;

/// A row that reads what an unknown register held on entry.
struct UnknownRead {
    int row = 0; ///< position in the block
    int operand = 0;
    RegisterSlot slot = 0;
};

/// Value numbers: rows get the same number when they apply the same operation to the same values, and memory
/// operations of one space keep their order, save those that touch other bytes from one base.
class ValueNumbers {
public:
    ValueNumbers(const KernelForms& forms, const std::vector<int>& rows, const Values& liveIn,
        const std::bitset<slotCount>& unknown)
        : m_values(liveIn)
        , m_unknown(unknown)
    {
        for (std::size_t slot = 0; slot < slotCount; ++slot) {
            m_origins[slot] = mixed(named, slot);
        }
        for (const int index : rows) {
            add(forms, forms.rows[static_cast<std::size_t>(index)]);
        }
    }

    const std::vector<std::uint64_t>& rows() const { return m_rows; }
    const std::vector<RegisterSlot>& written() const { return m_written; }
    const std::vector<UnknownRead>& unknownReads() const { return m_unknownReads; }
    std::uint64_t value(RegisterSlot slot) const { return m_values[slot]; }

private:
    void add(const KernelForms& forms, const RowForm& row)
    {
        auto number = row.key;
        bool guarded = false;
        bool async = false;
        int operand = 0;
        const auto base = row.access ? baseOf(forms, row) : 0;
        auto origin = row.key;
        for (const auto& use : forms.usesOf(row)) {
            guarded = guarded || use.guard;
            for (int i = 0; i < use.width + use.doubtful && use.slot + i < static_cast<int>(slotCount); ++i) {
                const auto slot = static_cast<RegisterSlot>(use.slot + i);
                async = async || forms.asyncSlots.test(slot);
                if (use.defined) {
                    continue;
                }
                number = mixed(number, m_values[slot]);
                origin = mixed(origin, m_origins[slot]);
                ++operand;
                if (m_unknown.test(slot)) {
                    m_unknownReads.push_back({static_cast<int>(m_rows.size()), operand, slot});
                }
            }
        }
        for (unsigned space = 0; space < memorySpaces; ++space) {
            if ((((row.effects | row.reads) >> space) & 1U) != 0) {
                number = mixed(
                    number, row.access ? m_memory[space].of(*row.access, base) : m_memory[space].whole());
            }
        }
        if (async) { // on which side of a wait for wgmma it stands matters
            number = mixed(number, m_memory[memorySpaces - 1].whole());
        }
        for (unsigned space = 0; space < memorySpaces; ++space) {
            if (((row.effects >> space) & 1U) != 0) {
                row.access ? m_memory[space].write(*row.access, base, number)
                           : m_memory[space].writeAnywhere(number);
            }
        }
        if (guarded || row.effects != 0 || row.reads != 0) { // no other row is known to make the same
            origin = mixed(origin, m_rows.size() + 1);
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
                m_origins[slot] = mixed(origin, mixed(result, doubtful ? m_rows.size() + 1 : 0));
                m_unknown.reset(slot);
                m_written.push_back(slot);
            });
        }
        m_rows.push_back(number);
    }

    /// Names the address that a row's registers add up to.
    std::uint64_t baseOf(const KernelForms& forms, const RowForm& row) const
    {
        auto base = row.access->form;
        const auto uses = forms.usesOf(row);
        for (std::size_t i = 0; i < uses.size(); ++i) {
            for (int k = 0; ((row.addressUses >> i) & 1U) != 0 && k < uses[i].width
                 && uses[i].slot + k < static_cast<int>(slotCount);
                 ++k) {
                base = mixed(base, m_origins[static_cast<std::size_t>(uses[i].slot + k)]);
            }
        }
        return base;
    }

    Values m_values;
    Values m_origins{}; ///< by which registers of this side are known to hold the same
    std::bitset<slotCount> m_unknown;
    std::array<MemoryValue, memorySpaces> m_memory{};
    std::vector<std::uint64_t> m_rows;
    std::vector<RegisterSlot> m_written;
    std::vector<UnknownRead> m_unknownReads;
};

/// What registers hold on entry of a block: the same number on both sides where the renaming says that they
/// hold the same. Those that it says nothing about are told apart by the rows that read them.
ValueNumbers numbersOf(const KernelForms& forms, const std::vector<int>& rows,
    const std::function<std::uint64_t(RegisterSlot)>& onEntry)
{
    Values values{};
    std::bitset<slotCount> unknown;
    for (std::size_t slot = 0; slot < slotCount; ++slot) {
        values[slot] = onEntry(static_cast<RegisterSlot>(slot));
        unknown.set(slot, values[slot] == nameless);
    }
    ValueNumbers numbers(forms, rows, values, unknown);
    for (int round = 0; round < rounds && !numbers.unknownReads().empty(); ++round) {
        Values sums{};
        for (const auto& read : numbers.unknownReads()) {
            sums[read.slot] += mixed(
                numbers.rows()[static_cast<std::size_t>(read.row)], static_cast<std::uint64_t>(read.operand));
        }
        for (std::size_t slot = 0; slot < slotCount; ++slot) {
            values[slot] = unknown.test(slot) ? mixed(nameless, sums[slot]) : values[slot];
        }
        numbers = ValueNumbers(forms, rows, values, unknown);
    }
    return numbers;
}

/// Whether rows that were paired read the same unknown registers, under one renaming.
bool agreeOnUnknown(const ValueNumbers& a, const ValueNumbers& b, const std::vector<int>& partner)
{
    std::vector<std::vector<RegisterSlot>> readsOfB(partner.size());
    for (const auto& read : b.unknownReads()) {
        readsOfB[static_cast<std::size_t>(read.row)].push_back(read.slot);
    }
    std::vector<std::size_t> seen(partner.size(), 0);
    RenameState renaming(RenameState::unknown);
    for (const auto& read : a.unknownReads()) {
        const auto row = static_cast<std::size_t>(partner[static_cast<std::size_t>(read.row)]);
        const auto at = seen[row]++;
        if (at >= readsOfB[row].size() || !renaming.use(read.slot, readsOfB[row][at])) {
            return false;
        }
    }
    return a.unknownReads().size() == b.unknownReads().size();
}

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
    return numbersOf(pairing.a, sides.a, [&entry](RegisterSlot slot) {
        const auto other = entry.inB(slot);
        return RenameState::isSlot(other) ? mixed(named, other)
            : other == RenameState::lost  ? mixed(onlyInA, slot)
                                          : nameless;
    });
}

ValueNumbers numbersOfB(const KernelPairing& pairing, const Sides& sides, const RenameState& entry)
{
    return numbersOf(pairing.b, sides.b, [&entry](RegisterSlot slot) {
        const auto other = entry.inA(slot);
        return RenameState::isSlot(other) ? mixed(named, slot)
            : other == RenameState::lost  ? mixed(onlyInB, slot)
                                          : nameless;
    });
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

/// Which row of B stands for a row of A, by places in the block; -1 for none.
class Partners {
public:
    Partners(std::size_t a, std::size_t b)
        : m_ofA(a, -1)
        , m_ofB(b, -1)
    {
    }

    const std::vector<int>& ofA() const { return m_ofA; }

    /// True when both were free.
    bool pair(int a, int b)
    {
        auto& to = m_ofA[static_cast<std::size_t>(a)];
        auto& from = m_ofB[static_cast<std::size_t>(b)];
        if (to >= 0 || from >= 0) {
            return false;
        }
        to = b;
        from = a;
        return true;
    }

    /// Pairs free rows of equal number, in order; returns how many.
    int pairEqual(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b)
    {
        const auto orderA = byNumber(a);
        const auto orderB = byNumber(b);
        int pairs = 0;
        for (std::size_t i = 0, j = 0; i < orderA.size() && j < orderB.size();) {
            if (m_ofA[orderA[i]] >= 0) {
                ++i;
            } else if (m_ofB[orderB[j]] >= 0) {
                ++j;
            } else if (a[orderA[i]] == b[orderB[j]]) {
                pairs += pair(static_cast<int>(orderA[i++]), static_cast<int>(orderB[j++])) ? 1 : 0;
            } else {
                (a[orderA[i]] < b[orderB[j]] ? i : j) += 1;
            }
        }
        return pairs;
    }

private:
    std::vector<int> m_ofA;
    std::vector<int> m_ofB;
};

/// The rows of both sides: partners in order stand side by side, the others are moved, what has none is
/// removed or added. `loose`: the row as it was, for partners that are not known to be equal.
std::vector<DiffRow> rowsInOrder(
    const Sides& sides, const std::vector<int>& partner, const std::unordered_map<int, DiffRow>& loose)
{
    std::vector<int> targets;
    std::vector<int> backwards(sides.b.size(), -1);
    for (std::size_t i = 0; i < partner.size(); ++i) {
        if (partner[i] >= 0) {
            targets.push_back(partner[i]);
            backwards[static_cast<std::size_t>(partner[i])] = static_cast<int>(i);
        }
    }
    const auto kept = inOrder(targets);
    const auto isChanged = [&loose](int i) {
        const auto at = loose.find(i);
        return at != loose.end() && at->second.kind == DiffKind::Changed;
    };
    std::vector<DiffRow> rows;
    std::size_t nextB = 0;
    const auto ofBUpTo = [&](std::size_t end) {
        for (; nextB < end; ++nextB) {
            const int i = backwards[nextB];
            const bool moved = i >= 0 && !isChanged(i);
            rows.push_back({moved ? DiffKind::Moved : DiffKind::Added, -1, sides.b[nextB], {},
                moved ? sides.a[static_cast<std::size_t>(i)] : -1});
        }
    };
    std::size_t next = 0;
    for (std::size_t i = 0; i < partner.size(); ++i) {
        if (partner[i] < 0) {
            rows.push_back({DiffKind::Removed, sides.a[i], -1, {}, -1});
            continue;
        }
        const auto j = static_cast<std::size_t>(partner[i]);
        if (kept[next++] == 0) {
            const bool moved = !isChanged(static_cast<int>(i));
            rows.push_back(
                {moved ? DiffKind::Moved : DiffKind::Removed, sides.a[i], -1, {}, moved ? sides.b[j] : -1});
            continue;
        }
        ofBUpTo(j);
        const auto at = loose.find(static_cast<int>(i));
        rows.push_back(
            at != loose.end() ? at->second : DiffRow{DiffKind::Equal, sides.a[i], sides.b[j], {}, -1});
        nextB = j + 1;
    }
    ofBUpTo(sides.b.size());
    return rows;
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
    if (!agreeOnUnknown(a, b, partner)) {
        return {};
    }
    return rowsInOrder(sides, partner, {});
}

std::vector<DiffRow> mostlyReorderedRows(
    const KernelPairing& pairing, const DiffSegment& segment, const RenameState& entry, int problems)
{
    constexpr int worthIt = 16;
    const auto sides = sidesOf(pairing, segment);
    if (problems < worthIt || sides.a.size() > maximumRows || sides.b.size() > maximumRows
        || !isOneBlock(pairing.a.flow, sides.a) || !isOneBlock(pairing.b.flow, sides.b)) {
        return {};
    }
    const auto a = numbersOfA(pairing, sides, entry);
    const auto b = numbersOfB(pairing, sides, entry);
    Partners partners(sides.a.size(), sides.b.size());
    partners.pairEqual(a.rows(), b.rows());

    std::unordered_map<int, int> placeOfA;
    std::unordered_map<int, int> placeOfB;
    for (std::size_t i = 0; i < sides.a.size(); ++i) {
        placeOfA[sides.a[i]] = static_cast<int>(i);
    }
    for (std::size_t j = 0; j < sides.b.size(); ++j) {
        placeOfB[sides.b[j]] = static_cast<int>(j);
    }
    std::unordered_map<int, DiffRow> loose; // by the place in A
    int left = 0;
    for (int r = segment.first; r < segment.end; ++r) {
        const auto& row = pairing.rows[static_cast<std::size_t>(r)];
        if (row.a >= 0 && row.b >= 0 && partners.pair(placeOfA.at(row.a), placeOfB.at(row.b))) {
            loose.emplace(placeOfA.at(row.a), row);
            ++left;
        }
    }
    const auto keysOf = [](const KernelForms& forms, const std::vector<int>& rows) {
        std::vector<std::uint64_t> keys;
        for (const int row : rows) {
            keys.push_back(forms.rows[static_cast<std::size_t>(row)].key);
        }
        return keys;
    };
    left += partners.pairEqual(keysOf(pairing.a, sides.a), keysOf(pairing.b, sides.b));
    auto rows = rowsInOrder(sides, partners.ofA(), loose);
    const auto count = [&rows](DiffKind kind) {
        return static_cast<int>(std::ranges::count(rows, kind, &DiffRow::kind));
    };
    left += count(DiffKind::Removed) + count(DiffKind::Added) + count(DiffKind::Moved) / 8;
    return left * 2 < problems ? rows : std::vector<DiffRow>();
}

void applyReordered(const KernelPairing& pairing, const DiffSegment& segment, RenameState& state)
{
    const auto sides = sidesOf(pairing, segment);
    const auto a = numbersOfA(pairing, sides, state);
    const auto b = numbersOfB(pairing, sides, state);
    struct Holders {
        std::set<RegisterSlot> a, b;
    };
    std::unordered_map<std::uint64_t, Holders> holders;
    for (const auto slot : a.written()) {
        holders[a.value(slot)].a.insert(slot);
        state.forgetA(slot);
    }
    for (const auto slot : b.written()) {
        holders[b.value(slot)].b.insert(slot);
        state.forgetB(slot);
    }
    for (const auto& entry : holders) {
        const auto& both = entry.second; // no structured binding: clang 14 lets no lambda capture one
        if (both.a.size() == 1 && both.b.size() == 1) {
            state.define(*both.a.begin(), *both.b.begin());
            continue;
        }
        // Of several that hold the same, the next use decides.
        std::ranges::for_each(
            both.a, [&](RegisterSlot slot) { both.b.empty() ? state.loseA(slot) : void(); });
        std::ranges::for_each(
            both.b, [&](RegisterSlot slot) { both.a.empty() ? state.loseB(slot) : void(); });
    }
}

} // namespace ptxwb
