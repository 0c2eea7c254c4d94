// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/machine.h"

#include <cstdint>

namespace ptxwb::emulator {

/// How a slice of a warp ended.
enum class SliceEnd : std::uint8_t { Budget, Blocked, Exited, Stopped };

/// Executes up to `budget` instructions of a warp. `rotate`: of several runnable splits not the one with the
/// lowest counter but the next in turn, so that a spinning split cannot keep others from running.
SliceEnd runWarp(Warp& warp, std::uint32_t budget, bool rotate);

/// A warp's turn, which can be run in parts.
struct Slice {
    std::uint32_t left = 0; ///< rounds: instructions, and choices of another split
    bool pinned = false; ///< stay with one split, however high its counter
};
struct SliceProgress {
    SliceEnd end = SliceEnd::Budget; ///< Budget: `limit` rounds were run
    std::uint32_t rounds = 0;
};
/// False: the warp has nothing to run.
bool beginSlice(Warp& warp, bool rotate, Slice& slice);
/// Runs up to `limit` rounds of a slice that has begun. Does not touch slice.left.
SliceProgress runSlice(Warp& warp, const Slice& slice, std::uint32_t limit);

/// Ends the waits that are over. True when the warp has something to run.
bool wakeReady(Warp& warp);

/// Merges splits that met and chooses the next one. False: none can run.
bool reselect(Warp& warp);

/// Takes the lanes out of the current split (they exited or went elsewhere); the others go on behind the
/// instruction.
void leaveSplit(Warp& warp, std::uint32_t lanes);

/// Parks the current split at its instruction.
Step park(Warp& warp, Wait wait, std::uint32_t on, std::uint64_t until);

} // namespace ptxwb::emulator
