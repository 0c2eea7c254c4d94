// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/program.h"

#include <cstdint>

namespace ptxwb::emulator {

/// Instr::mode of loads: how the value is widened to the register.
namespace load_mode {
constexpr std::uint32_t signExtend = 1;
constexpr std::uint32_t to16 = 2; ///< the register has 16 bits
constexpr std::uint32_t to64 = 4; ///< the register has 64 bits
constexpr std::uint32_t releases = 8; ///< .release or stronger, of gpu or system scope; atomics too
} // namespace load_mode

enum class AtomicOp : std::uint8_t { Add, Min, Max, And, Or, Xor, Exch, Cas, Inc, Dec, None };

Handler loadHandler();
Handler storeHandler();
/// atom and red: nullptr where the type has no such operation.
Handler atomicHandler(AtomicOp op, ValueType type);
/// atom.cas of 128 bits: extra->rows (the old value, or none), rowsB (compared) and rowsC (stored), each the
/// rows of two 64-bit halves.
Handler compareAndSwap128();
/// One atomic step on memory, for reducing copies too: the old value stays in `where`'s place of `value`.
bool reduceElement(AtomicOp op, ValueType type, std::byte* where, const std::byte* value);
Handler prefetchHandler();

} // namespace ptxwb::emulator
