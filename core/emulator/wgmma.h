// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/machine.h"

#include <cstdint>

namespace ptxwb::emulator {

/// Instr::mode of wgmma.mma_async: a descriptor row (or extra->rowsA), b descriptor row, c scale-d predicate,
/// target N, imm K, extra->rows D, extra->types {D, A, B}.
namespace wgmma_mode {
constexpr std::uint32_t negateA = 1;
constexpr std::uint32_t negateB = 2;
constexpr std::uint32_t mnMajorA = 4;
constexpr std::uint32_t mnMajorB = 8;
constexpr std::uint32_t registersA = 16;
constexpr std::uint32_t negatedScale = 32;
constexpr std::uint32_t saturates = 64;
} // namespace wgmma_mode

Step wgmmaMultiply(Warp& warp, const Instr& in, std::uint32_t mask);
Step wgmmaFence(Warp& warp, const Instr& in, std::uint32_t mask);

/// The registers of operations that a wait covers may be used again.
void releaseWaited(Warp& warp, std::uint32_t allowed);

/// Registers of an unfinished wgmma that an instruction touches. False when the CTA ends.
bool checkInFlight(Warp& warp, const Instr& in);

} // namespace ptxwb::emulator
