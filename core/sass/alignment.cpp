// SPDX-License-Identifier: Apache-2.0
#include "core/sass/alignment.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

namespace ptxwb {

namespace {

struct Range {
    int aFirst, aEnd, bFirst, bEnd;
    int depth = 0;
    bool anchored = true; ///< look for unique runs first
};

constexpr int unreached = std::numeric_limits<int>::min() / 2;
constexpr int editBudget = 256; ///< edits after which a stretch is split instead of solved
constexpr int smallEnough = 64; ///< rows below which anchors are not worth their hashing
constexpr int maximumDepth = 24;
constexpr std::array<int, 3> runLengths{8, 3, 1};

class Aligner {
public:
    Aligner(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b)
        : m_a(a)
        , m_b(b)
        , m_forward(2 * editBudget + 3)
        , m_backward(2 * editBudget + 3)
    {
    }

    std::vector<std::pair<int, int>> run()
    {
        m_work.push_back({0, static_cast<int>(m_a.size()), 0, static_cast<int>(m_b.size())});
        while (!m_work.empty()) {
            auto range = m_work.back();
            m_work.pop_back();
            trim(range);
            if (range.aFirst == range.aEnd || range.bFirst == range.bEnd) {
                continue;
            }
            const bool large = range.aEnd - range.aFirst + range.bEnd - range.bFirst > smallEnough;
            if (range.anchored && large && range.depth < maximumDepth && splitAtAnchors(range)) {
                continue;
            }
            splitAtSnake(range);
        }
        std::ranges::sort(m_matches);
        return std::move(m_matches);
    }

private:
    bool same(int i, int j) const
    {
        return m_a[static_cast<std::size_t>(i)] == m_b[static_cast<std::size_t>(j)];
    }

    void trim(Range& range)
    {
        while (range.aFirst < range.aEnd && range.bFirst < range.bEnd && same(range.aFirst, range.bFirst)) {
            m_matches.emplace_back(range.aFirst++, range.bFirst++);
        }
        while (
            range.aFirst < range.aEnd && range.bFirst < range.bEnd && same(range.aEnd - 1, range.bEnd - 1)) {
            m_matches.emplace_back(--range.aEnd, --range.bEnd);
        }
    }

    struct Occurrence {
        int inA = -1; ///< -2: more than one
        int inB = -1;
    };

    static std::uint64_t runHash(std::span<const std::uint64_t> keys, int first, int length)
    {
        std::uint64_t hash = 0;
        for (int i = 0; i < length; ++i) {
            hash = (hash ^ keys[static_cast<std::size_t>(first + i)]) * 0x9e3779b97f4a7c15ULL;
            hash ^= hash >> 32U;
        }
        return hash;
    }

    bool splitAtAnchors(const Range& range)
    {
        for (const int length : runLengths) {
            const auto anchors = uniqueRuns(range, length);
            if (anchors.empty()) {
                continue;
            }
            int aFirst = range.aFirst;
            int bFirst = range.bFirst;
            for (const auto& [i, j] : anchors) {
                if (i < aFirst || j < bFirst) {
                    continue; // overlaps the run before
                }
                m_work.push_back({aFirst, i, bFirst, j, range.depth + 1, true});
                for (int k = 0; k < length; ++k) {
                    m_matches.emplace_back(i + k, j + k);
                }
                aFirst = i + length;
                bFirst = j + length;
            }
            m_work.push_back({aFirst, range.aEnd, bFirst, range.bEnd, range.depth + 1, true});
            return true;
        }
        return false;
    }

    /// Runs of `length` keys that occur once on each side, as the longest increasing sequence (patience).
    std::vector<std::pair<int, int>> uniqueRuns(const Range& range, int length)
    {
        std::unordered_map<std::uint64_t, Occurrence> seen;
        seen.reserve(static_cast<std::size_t>(range.aEnd - range.aFirst));
        for (int i = range.aFirst; i + length <= range.aEnd; ++i) {
            auto& occurrence = seen[runHash(m_a, i, length)];
            occurrence.inA = occurrence.inA == -1 ? i : -2;
        }
        for (int j = range.bFirst; j + length <= range.bEnd; ++j) {
            const auto at = seen.find(runHash(m_b, j, length));
            if (at != seen.end()) {
                at->second.inB = at->second.inB == -1 ? j : -2;
            }
        }
        std::vector<std::pair<int, int>> pairs;
        for (const auto& [hash, occurrence] : seen) {
            if (occurrence.inA >= 0 && occurrence.inB >= 0) {
                bool equal = true;
                for (int k = 0; k < length && equal; ++k) {
                    equal = same(occurrence.inA + k, occurrence.inB + k);
                }
                if (equal) {
                    pairs.emplace_back(occurrence.inA, occurrence.inB);
                }
            }
        }
        std::ranges::sort(pairs);
        return longestIncreasing(pairs);
    }

    static std::vector<std::pair<int, int>> longestIncreasing(const std::vector<std::pair<int, int>>& pairs)
    {
        std::vector<int> piles; // index of the pair on top of each pile
        std::vector<int> previous(pairs.size(), -1);
        for (int i = 0; i < static_cast<int>(pairs.size()); ++i) {
            const auto value = pairs[static_cast<std::size_t>(i)].second;
            const auto at = std::ranges::lower_bound(piles, value, {},
                [&pairs](int index) { return pairs[static_cast<std::size_t>(index)].second; });
            if (at != piles.begin()) {
                previous[static_cast<std::size_t>(i)] = *(at - 1);
            }
            if (at == piles.end()) {
                piles.push_back(i);
            } else {
                *at = i;
            }
        }
        std::vector<std::pair<int, int>> chain;
        for (int i = piles.empty() ? -1 : piles.back(); i >= 0; i = previous[static_cast<std::size_t>(i)]) {
            chain.push_back(pairs[static_cast<std::size_t>(i)]);
        }
        std::ranges::reverse(chain);
        return chain;
    }

    struct Point {
        int x, y;
    };

    /// Splits the range at a point of a shortest edit path, or where the search got furthest within the
    /// budget.
    void splitAtSnake(const Range& range)
    {
        const auto at = middle(range);
        const bool progress =
            (at.x > 0 || at.y > 0) && (at.x < range.aEnd - range.aFirst || at.y < range.bEnd - range.bFirst);
        if (!progress) {
            return; // nothing in common
        }
        const int a = range.aFirst + at.x;
        const int b = range.bFirst + at.y;
        m_work.push_back({range.aFirst, a, range.bFirst, b, range.depth, false});
        m_work.push_back({a, range.aEnd, b, range.bEnd, range.depth, false});
    }

    /// One step of the greedy search on diagonal `k` (x - y) from the frontier of d - 1 edits.
    template <class Same>
    static int extend(const std::vector<int>& frontier, int k, int d, int n, int m, const Same& equal)
    {
        const auto reached = [&](int diagonal) {
            return diagonal < -(d - 1) || diagonal > d - 1
                ? unreached
                : frontier[static_cast<std::size_t>(diagonal + editBudget + 1)];
        };
        int x = d == 0 ? 0 : unreached;
        if (d > 0) {
            const int right = reached(k - 1);
            const int down = reached(k + 1);
            if (right >= 0 && right < n) {
                x = right + 1;
            }
            if (down >= 0 && down - k <= m) {
                x = std::max(x, down);
            }
        }
        if (x < 0) {
            return unreached;
        }
        while (x < n && x - k < m && equal(x, x - k)) {
            ++x;
        }
        return x;
    }

    Point middle(const Range& range)
    {
        const int n = range.aEnd - range.aFirst;
        const int m = range.bEnd - range.bFirst;
        const int delta = n - m;
        const bool odd = (delta & 1) != 0;
        const auto ahead = [&](int x, int y) { return same(range.aFirst + x, range.bFirst + y); };
        const auto behind = [&](int x, int y) { return same(range.aEnd - 1 - x, range.bEnd - 1 - y); };
        const auto slot = [](int k) { return static_cast<std::size_t>(k + editBudget + 1); };
        Point best{0, 0};
        for (int d = 0; d <= editBudget; ++d) {
            for (int k = -d; k <= d; k += 2) {
                const int x = extend(m_forward, k, d, n, m, ahead);
                m_forward[slot(k)] = x;
                if (x < 0) {
                    continue;
                }
                if (x + x - k > best.x + best.y) {
                    best = {x, x - k};
                }
                const int opposite = delta - k;
                if (odd && opposite >= -(d - 1) && opposite <= d - 1 && m_backward[slot(opposite)] >= 0
                    && x + m_backward[slot(opposite)] >= n) {
                    return {x, x - k};
                }
            }
            for (int k = -d; k <= d; k += 2) {
                const int x = extend(m_backward, k, d, n, m, behind);
                m_backward[slot(k)] = x;
                if (x < 0) {
                    continue;
                }
                const int opposite = delta - k;
                if (!odd && opposite >= -d && opposite <= d && m_forward[slot(opposite)] >= 0
                    && x + m_forward[slot(opposite)] >= n) {
                    return {n - x, m - (x - k)};
                }
            }
        }
        return best;
    }

    std::span<const std::uint64_t> m_a;
    std::span<const std::uint64_t> m_b;
    std::vector<int> m_forward;
    std::vector<int> m_backward;
    std::vector<Range> m_work;
    std::vector<std::pair<int, int>> m_matches;
};

} // namespace

std::vector<std::pair<int, int>> alignSequences(
    std::span<const std::uint64_t> a, std::span<const std::uint64_t> b)
{
    return Aligner(a, b).run();
}

} // namespace ptxwb
