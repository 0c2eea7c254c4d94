// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/program.h"

namespace ptxwb::emulator {

/// ldmatrix: a address, extra->rows destinations (1, 2, 4); mode 1: .trans.
Step loadMatrix(Warp& warp, const Instr& in, std::uint32_t mask);
Step storeMatrix(Warp& warp, const Instr& in, std::uint32_t mask);
Step transposeMatrix(Warp& warp, const Instr& in, std::uint32_t mask); ///< movmatrix
/// mma.m16n8kK: extra->rows D, rowsA, rowsB, rowsC, types {D, A, B, C}; imm K.
Step multiplySmall(Warp& warp, const Instr& in, std::uint32_t mask); ///< 16-bit with float32 accumulators
Step multiplyGeneral(Warp& warp, const Instr& in, std::uint32_t mask);
Step multiplyDouble(Warp& warp, const Instr& in, std::uint32_t mask); ///< m8n8k4.f64

} // namespace ptxwb::emulator
