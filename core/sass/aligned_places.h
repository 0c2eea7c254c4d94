// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/kernel_diff.h"

#include <span>

namespace ptxwb {

/// Which rows of the two sides stand at the same place of a pairing whose segments are cut.
class AlignedPlaces {
public:
    explicit AlignedPlaces(const KernelPairing& pairing);

    /// Whether a branch to row `a` of A and one to row `b` of B lead to the same place. Padding is any place.
    bool correspond(int a, int b) const;

    /// The same of jump tables, entry by entry; of one without entries nothing is known.
    bool correspond(std::span<const int> a, std::span<const int> b) const;

private:
    std::vector<int> m_placeOfA; ///< index into the rows of the pairing
    std::vector<int> m_placeOfB;
    std::vector<int> m_nextPair; ///< by place: the next one where both sides have a row
    std::vector<int> m_segmentOf;
};

} // namespace ptxwb
