// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/machine.h"

#include <cstdint>
#include <deque>

namespace ptxwb::emulator {

/// What a warp looked like at the head of a loop. When it comes by again and looks the same, and nobody has
/// changed memory or a barrier since, it will do so for ever.
struct LoopWatch {
    bool armed = false; ///< the next jump is remembered
    std::uint32_t pc = 0xFFFFFFFFU;
    std::uint64_t effects = 0; ///< the count at that time
    std::uint64_t slice = 0; ///< of the warp
    std::uint32_t comparisons = 0; ///< since then
    std::uint32_t patience = 64; ///< comparisons before another state is remembered; doubles
    std::uint32_t differentRow = 0; ///< differed last time: differs next time too, most often
    std::uint32_t carry = 0;
    std::vector<std::uint32_t> rows{}; ///< registers, then predicates
    std::vector<Split> splits{};
};

/// After a slice that used up its budget: a warp that had no effect in it is watched.
void watchLoop(Warp& warp);

/// After a jump of a warp that is watched.
void noteJump(Warp& warp);

/// True when every warp waits or goes round in circles, and at least one does the latter.
bool onlyLoops(const Cluster& cluster);

/// True when the clusters that take turns were all found to go round in circles, with nothing changed since.
bool allAreStuck(const std::deque<std::unique_ptr<Cluster>>& others, const Cluster& cluster);

} // namespace ptxwb::emulator
