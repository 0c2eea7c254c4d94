// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/program.h"

#include <cstdint>

namespace ptxwb::emulator {

/// ldmatrix: a address, extra->rows destinations (1, 2, 4); mode 1: .trans.
Step loadMatrix(Warp& warp, const Instr& in, std::uint32_t mask);
Step storeMatrix(Warp& warp, const Instr& in, std::uint32_t mask);
Step transposeMatrix(Warp& warp, const Instr& in, std::uint32_t mask); ///< movmatrix
/// mma of M (target) x 8 x K (imm): extra->rows D, rowsA, rowsB, rowsC, types {D, A, B, C}; mode 1:
/// .satfinite.
Step multiplySmall(Warp& warp, const Instr& in, std::uint32_t mask); ///< 16-bit with float32 accumulators
Step multiplyGeneral(Warp& warp, const Instr& in, std::uint32_t mask);
Step multiplyBits(Warp& warp, const Instr& in, std::uint32_t mask); ///< b1; count 1: .and
Step multiplyDouble(Warp& warp, const Instr& in, std::uint32_t mask); ///< f64
/// m8n8k4 of f16; mode: quad_mode.
Step multiplyQuads(Warp& warp, const Instr& in, std::uint32_t mask);
namespace quad_mode {
constexpr std::uint32_t columnsA = 1; ///< A by columns
constexpr std::uint32_t rowsB = 2; ///< B by rows
} // namespace quad_mode

} // namespace ptxwb::emulator
