// SPDX-License-Identifier: Apache-2.0
#include "core/sass/kernel_diff.h"

#include <unordered_map>

namespace ptxwb {

namespace {

constexpr std::size_t runLength = 4; ///< rows that make a repeated run recognisable
constexpr std::size_t fewEnough = 4; ///< equal single rows on each side that are still paired off

struct Unpaired {
    std::vector<int> rows; ///< indices into the pairing's rows
    std::vector<std::uint64_t> keys;
};

std::uint64_t runHash(const Unpaired& side, std::size_t first)
{
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < runLength; ++i) {
        hash = mixed(hash, side.keys[first + i]);
    }
    return hash;
}

class MoveFinder {
public:
    explicit MoveFinder(KernelPairing& pairing)
        : m_pairing(pairing)
    {
        for (std::size_t i = 0; i < pairing.rows.size(); ++i) {
            const auto& row = pairing.rows[i];
            if (row.kind == DiffKind::Removed) {
                add(m_removed, i, pairing.a.rows[static_cast<std::size_t>(row.a)].key);
            } else if (row.kind == DiffKind::Added) {
                add(m_added, i, pairing.b.rows[static_cast<std::size_t>(row.b)].key);
            }
        }
        m_movedA.assign(m_removed.rows.size(), 0);
        m_movedB.assign(m_added.rows.size(), 0);
    }

    void run()
    {
        if (m_removed.rows.empty() || m_added.rows.empty()) {
            return;
        }
        moveRuns();
        moveSingles();
    }

private:
    static void add(Unpaired& side, std::size_t row, std::uint64_t key)
    {
        side.rows.push_back(static_cast<int>(row));
        side.keys.push_back(key);
    }

    void move(std::size_t removed, std::size_t added)
    {
        m_movedA[removed] = 1;
        m_movedB[added] = 1;
        auto& from = m_pairing.rows[static_cast<std::size_t>(m_removed.rows[removed])];
        auto& to = m_pairing.rows[static_cast<std::size_t>(m_added.rows[added])];
        from.kind = DiffKind::Moved;
        from.peer = to.b;
        to.kind = DiffKind::Moved;
        to.peer = from.a;
    }

    /// Whole stretches, such as a block that the compiler laid out elsewhere.
    void moveRuns()
    {
        if (m_removed.rows.size() < runLength || m_added.rows.size() < runLength) {
            return;
        }
        std::unordered_map<std::uint64_t, std::size_t> runs; // by hash, the first that is not moved yet
        for (std::size_t i = m_removed.rows.size() - runLength + 1; i-- > 0;) {
            runs[runHash(m_removed, i)] = i;
        }
        for (std::size_t j = 0; j + runLength <= m_added.rows.size();) {
            const auto at = runs.find(runHash(m_added, j));
            std::size_t length = 0;
            if (at != runs.end()) {
                while (at->second + length < m_removed.rows.size() && j + length < m_added.rows.size()
                    && m_movedA[at->second + length] == 0
                    && m_removed.keys[at->second + length] == m_added.keys[j + length]) {
                    ++length;
                }
            }
            if (length < runLength) {
                ++j;
                continue;
            }
            for (std::size_t i = 0; i < length; ++i) {
                move(at->second + i, j + i);
            }
            j += length;
        }
    }

    void moveSingles()
    {
        struct Places {
            std::vector<std::size_t> a, b;
        };
        std::unordered_map<std::uint64_t, Places> places;
        for (std::size_t i = 0; i < m_removed.rows.size(); ++i) {
            if (m_movedA[i] == 0) {
                places[m_removed.keys[i]].a.push_back(i);
            }
        }
        for (std::size_t j = 0; j < m_added.rows.size(); ++j) {
            if (m_movedB[j] == 0) {
                if (const auto at = places.find(m_added.keys[j]); at != places.end()) {
                    at->second.b.push_back(j);
                }
            }
        }
        for (const auto& [key, both] : places) {
            if (both.a.size() == both.b.size() && both.a.size() <= fewEnough) {
                for (std::size_t i = 0; i < both.a.size(); ++i) {
                    move(both.a[i], both.b[i]);
                }
            }
        }
    }

    KernelPairing& m_pairing;
    Unpaired m_removed;
    Unpaired m_added;
    std::vector<char> m_movedA;
    std::vector<char> m_movedB;
};

} // namespace

void findMoves(KernelPairing& pairing)
{
    MoveFinder(pairing).run();
}

} // namespace ptxwb
