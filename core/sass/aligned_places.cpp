// SPDX-License-Identifier: Apache-2.0
#include "core/sass/aligned_places.h"

#include <algorithm>

namespace ptxwb {

AlignedPlaces::AlignedPlaces(const KernelPairing& pairing)
    : m_placeOfA(pairing.a.rows.size(), -1)
    , m_placeOfB(pairing.b.rows.size(), -1)
    , m_nextPair(pairing.rows.size() + 1, static_cast<int>(pairing.rows.size()))
    , m_segmentOf(pairing.rows.size(), 0)
{
    for (auto i = pairing.rows.size(); i-- > 0;) {
        const auto& row = pairing.rows[i];
        m_nextPair[i] = row.a >= 0 && row.b >= 0 ? static_cast<int>(i) : m_nextPair[i + 1];
        if (row.a >= 0) {
            m_placeOfA[static_cast<std::size_t>(row.a)] = static_cast<int>(i);
        }
        if (row.b >= 0) {
            m_placeOfB[static_cast<std::size_t>(row.b)] = static_cast<int>(i);
        }
    }
    for (std::size_t s = 0; s < pairing.segments.size(); ++s) {
        const auto& segment = pairing.segments[s];
        std::fill(
            m_segmentOf.begin() + segment.first, m_segmentOf.begin() + segment.end, static_cast<int>(s));
    }
}

bool AlignedPlaces::correspond(int a, int b) const
{
    const int placeA = m_placeOfA[static_cast<std::size_t>(a)];
    const int placeB = m_placeOfB[static_cast<std::size_t>(b)];
    return placeA < 0 || placeB < 0 // into the padding
        || m_nextPair[static_cast<std::size_t>(placeA)] == m_nextPair[static_cast<std::size_t>(placeB)]
        || m_segmentOf[static_cast<std::size_t>(placeA)] == m_segmentOf[static_cast<std::size_t>(placeB)];
}

bool AlignedPlaces::correspond(std::span<const int> a, std::span<const int> b) const
{
    if (a.empty() || b.empty()) {
        return true;
    }
    return std::ranges::equal(
        a, b, [this](int x, int y) { return x < 0 || y < 0 ? x == y : correspond(x, y); });
}

} // namespace ptxwb
