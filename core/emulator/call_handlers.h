// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/program.h"

#include <cstdint>

namespace ptxwb::emulator {

/// What one lane may keep of functions that call themselves.
constexpr std::uint64_t maxStackBytes = 128U * 1024U;
constexpr std::uint32_t maxCallDepth = 2000; ///< of functions that call themselves

/// Lanes of `mask` go to `pc` with `frame`; the other lanes of the split go on behind the instruction.
Step jumpTo(Warp& warp, std::uint32_t mask, std::uint32_t pc, std::int32_t frame);

Step callFunction(Warp& warp, const Instr& in, std::uint32_t mask); ///< target
/// a: row of the pointer; extra->addresses: the arguments in local memory (offset, and bytes as row).
Step callPointer(Warp& warp, const Instr& in, std::uint32_t mask);
/// Behind such a call: copies imm bytes of the callee's result to in.offset.
Step takePointerResult(Warp& warp, const Instr& in, std::uint32_t mask);
Step returnOrExit(Warp& warp, const Instr& in, std::uint32_t mask);

/// Copies imm bytes per lane within local memory, from in.offset to in.target (arguments and results of
/// calls).
Step copyLocal(Warp& warp, const Instr& in, std::uint32_t mask);

/// Around a call that may come back: puts registers and local memory of the function `target` on the lanes'
/// stacks, and takes them back but for the call's results (extra->rows; extra->addresses as above).
Step saveFunction(Warp& warp, const Instr& in, std::uint32_t mask);
Step restoreFunction(Warp& warp, const Instr& in, std::uint32_t mask);

/// Local memory of one lane.
std::byte* localOf(Warp& warp, std::uint32_t lane);

// Functions without a body that every GPU has. extra->addresses: the arguments.
Step printFormatted(Warp& warp, const Instr& in, std::uint32_t mask); ///< vprintf; target: result, 0 none
Step failAssertion(Warp& warp, const Instr& in, std::uint32_t mask); ///< __assertfail

} // namespace ptxwb::emulator
