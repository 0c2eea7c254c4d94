// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ptxwb {

/// Matching indices, increasing on both sides: a common subsequence of `a` and `b`, the longest one where
/// that is affordable. Anchors on runs that are unique on both sides, Myers' linear-space algorithm between
/// them, and a split at the furthest point when two stretches have too little in common; time stays
/// near-linear in the input.
std::vector<std::pair<int, int>> alignSequences(
    std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

} // namespace ptxwb
