// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/program.h"

#include <cstdint>

namespace ptxwb::emulator {

// Control flow.
Step branch(Warp& warp, const Instr& in, std::uint32_t mask); ///< target
Step branchIndexed(Warp& warp, const Instr& in, std::uint32_t mask); ///< a index, extra->targets
Step exitLanes(Warp& warp, const Instr& in, std::uint32_t mask);
Step trap(Warp& warp, const Instr& in, std::uint32_t mask);
Step notEmulated(Warp& warp, const Instr& in, std::uint32_t mask); ///< extra->text
Step nothing(Warp& warp, const Instr& in, std::uint32_t mask);
Step yieldWarp(Warp& warp, const Instr& in, std::uint32_t mask); ///< nanosleep

// Between the lanes of a warp.
namespace shuffle_mode {
constexpr std::uint32_t up = 0;
constexpr std::uint32_t down = 1;
constexpr std::uint32_t butterfly = 2;
constexpr std::uint32_t index = 3;
} // namespace shuffle_mode
Step shuffle(Warp& warp, const Instr& in,
    std::uint32_t mask); ///< d, a value, b lane, c clamp, e members, target predicate
namespace vote_mode {
constexpr std::uint32_t all = 0;
constexpr std::uint32_t any = 1;
constexpr std::uint32_t uniform = 2;
constexpr std::uint32_t ballot = 3;
constexpr std::uint32_t negated = 4;
} // namespace vote_mode
Step vote(Warp& warp, const Instr& in, std::uint32_t mask); ///< d, a predicate, b members
Step match(Warp& warp, const Instr& in, std::uint32_t mask); ///< d, a, b members, e predicate; mode 1: all
Step redux(Warp& warp, const Instr& in, std::uint32_t mask); ///< d, a, b members; mode: AtomicOp
Step activeMask(Warp& warp, const Instr& in, std::uint32_t mask);
Step elect(Warp& warp, const Instr& in, std::uint32_t mask); ///< d row or noPredicate, e predicate, b members

// Moves that are not lane operations on one register.
Step packRegisters(Warp& warp, const Instr& in, std::uint32_t mask); ///< d = {extra->rows}, in.bytes each
Step unpackRegister(Warp& warp, const Instr& in, std::uint32_t mask); ///< {extra->rows} = a
namespace predicate_mode {
constexpr std::uint32_t move = 0;
constexpr std::uint32_t both = 1;
constexpr std::uint32_t either = 2;
constexpr std::uint32_t exclusive = 3;
constexpr std::uint32_t opposite = 4;
constexpr std::uint32_t negateA = 8;
constexpr std::uint32_t negateB = 16;
} // namespace predicate_mode
Step predicateLogic(Warp& warp, const Instr& in, std::uint32_t mask); ///< d, a, b predicates
Step readClock(Warp& warp, const Instr& in, std::uint32_t mask);
Step convertAddress(Warp& warp, const Instr& in, std::uint32_t mask); ///< cvta: adds or takes away imm
Step isSpace(Warp& warp, const Instr& in, std::uint32_t mask); ///< d predicate; imm window
Step mapShared(Warp& warp, const Instr& in, std::uint32_t mask); ///< mapa: d, a, b rank
Step rankOfShared(Warp& warp, const Instr& in, std::uint32_t mask);
Step setMaxRegisters(Warp& warp, const Instr& in, std::uint32_t mask); ///< imm; mode 1: increase

} // namespace ptxwb::emulator
