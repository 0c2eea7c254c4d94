// SPDX-License-Identifier: Apache-2.0
#include "core/sass/kernel_diff.h"

#include "core/sass/alignment.h"

#include <algorithm>

namespace ptxwb {

namespace {

/// Keys of increasing leniency, one vector per level.
struct Levels {
    static constexpr std::size_t count = 6;
    std::array<std::vector<std::uint64_t>, count> keys;
};
constexpr std::size_t exactLevel = 2; ///< up to here a pair is equal but for its registers

Levels levelsOf(const KernelForms& forms, int rows)
{
    Levels levels;
    for (auto& keys : levels.keys) {
        keys.reserve(static_cast<std::size_t>(rows));
    }
    // What produced each register, in the order of the text: the key of the row, and that with its own
    // producers.
    std::array<std::uint64_t, slotCount> producer{};
    std::array<std::uint64_t, slotCount> producerAndItsOwn{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
        const auto& row = forms.rows[i];
        auto near = row.key;
        auto far = row.key;
        for (const auto& use : forms.usesOf(row)) {
            if (!use.defined) {
                near = mixed(near, producer[use.slot]);
                far = mixed(far, producerAndItsOwn[use.slot]);
            }
        }
        for (const auto& use : forms.usesOf(row)) {
            if (use.defined) {
                forEachWritten(use, [&](RegisterSlot slot, bool) {
                    producer[slot] = mixed(row.key, static_cast<std::uint64_t>(slot - use.slot));
                    producerAndItsOwn[slot] = mixed(near, static_cast<std::uint64_t>(slot - use.slot));
                });
            }
        }
        levels.keys[0].push_back(far);
        levels.keys[1].push_back(near);
        levels.keys[2].push_back(row.key);
        levels.keys[3].push_back(row.shape);
        levels.keys[4].push_back(row.base);
        levels.keys[5].push_back(row.layout);
    }
    return levels;
}

class Pairer {
public:
    Pairer(const Levels& a, const Levels& b)
        : m_a(a)
        , m_b(b)
    {
    }

    struct Match {
        int a, b;
        std::size_t level;
        auto operator<=>(const Match&) const = default;
    };

    std::vector<Match> run(int rowsA, int rowsB)
    {
        refine(0, rowsA, 0, rowsB, 0);
        std::ranges::sort(m_matches);
        return std::move(m_matches);
    }

private:
    void refine(int aFirst, int aEnd, int bFirst, int bEnd, std::size_t level)
    {
        if (aFirst == aEnd || bFirst == bEnd || level == Levels::count) {
            return;
        }
        // A row of another opcode takes a row's place only where one stands for one.
        if (level == 5 && (aEnd - aFirst != bEnd - bFirst || aEnd - aFirst > 4)) {
            return;
        }
        const auto part = [](const std::vector<std::uint64_t>& keys, int first, int end) {
            return std::span(keys).subspan(
                static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
        };
        const auto pairs =
            alignSequences(part(m_a.keys[level], aFirst, aEnd), part(m_b.keys[level], bFirst, bEnd));
        int a = aFirst;
        int b = bFirst;
        for (const auto& [i, j] : pairs) {
            refine(a, aFirst + i, b, bFirst + j, level + 1);
            m_matches.push_back({aFirst + i, bFirst + j, level});
            a = aFirst + i + 1;
            b = bFirst + j + 1;
        }
        refine(a, aEnd, b, bEnd, level + 1);
    }

    const Levels& m_a;
    const Levels& m_b;
    std::vector<Match> m_matches;
};

std::vector<std::string> differences(const RowForm& a, const RowForm& b)
{
    std::vector<std::string> what;
    if (a.base != b.base) {
        what.emplace_back("opcode");
    } else if (a.modifiers != b.modifiers) {
        what.emplace_back("modifier");
    }
    if (a.predicate != b.predicate) {
        what.emplace_back("predicate");
    }
    if (a.layout != b.layout) {
        what.emplace_back("operand");
    } else if (a.immediates != b.immediates) {
        what.emplace_back("immediate");
    }
    if (a.branchesToItself != b.branchesToItself) {
        what.emplace_back("target");
    } else if (what.empty()) {
        what.emplace_back("operand");
    }
    return what;
}

} // namespace

KernelPairing pairRows(
    const SassKernel& kernelA, const KernelForms& a, const SassKernel& kernelB, const KernelForms& b)
{
    KernelPairing pairing{kernelA, kernelB, a, b};
    const int rowsA = comparedRows(kernelA);
    const int rowsB = comparedRows(kernelB);
    const auto matches = Pairer(levelsOf(a, rowsA), levelsOf(b, rowsB)).run(rowsA, rowsB);

    auto& rows = pairing.rows;
    rows.reserve(static_cast<std::size_t>(std::max(rowsA, rowsB)));
    int nextA = 0;
    int nextB = 0;
    const auto unpairedUpTo = [&](int endA, int endB) {
        for (; nextA < endA; ++nextA) {
            rows.push_back({DiffKind::Removed, nextA, -1, {}, -1});
        }
        for (; nextB < endB; ++nextB) {
            rows.push_back({DiffKind::Added, -1, nextB, {}, -1});
        }
    };
    for (const auto& match : matches) {
        unpairedUpTo(match.a, match.b);
        DiffRow row{DiffKind::Equal, match.a, match.b, {}, -1};
        const auto& formA = a.rows[static_cast<std::size_t>(match.a)];
        const auto& formB = b.rows[static_cast<std::size_t>(match.b)];
        if (match.level > exactLevel && formA.key != formB.key) {
            row.kind = DiffKind::Changed;
            row.what = differences(formA, formB);
        }
        rows.push_back(std::move(row));
        ++nextA;
        ++nextB;
    }
    unpairedUpTo(rowsA, rowsB);
    return pairing;
}

void cutSegments(KernelPairing& pairing)
{
    const auto& rows = pairing.rows;
    const auto leads = [](const ControlFlow& flow, int row) {
        return flow.blocks[static_cast<std::size_t>(flow.blockOf[static_cast<std::size_t>(row)])].first
            == row;
    };
    pairing.segments.clear();
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
        const int a = rows[static_cast<std::size_t>(i)].a;
        if (a < 0 || !leads(pairing.a.flow, a)) {
            continue;
        }
        // Rows of B alone that stand before it belong to the block that they begin with.
        int first = i;
        for (int back = i - 1; back >= 0 && rows[static_cast<std::size_t>(back)].a < 0; --back) {
            if (leads(pairing.b.flow, rows[static_cast<std::size_t>(back)].b)) {
                first = back;
                break;
            }
        }
        first = pairing.segments.empty() ? 0 : first;
        if (!pairing.segments.empty()) {
            pairing.segments.back().end = first;
        }
        pairing.segments.push_back({first, static_cast<int>(rows.size()),
            pairing.a.flow.blockOf[static_cast<std::size_t>(a)], false});
    }
}

} // namespace ptxwb
