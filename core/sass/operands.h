// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/control_flow.h"
#include "core/sass/memory_access.h"

#include <bitset>
#include <cstdint>
#include <span>
#include <string>

namespace ptxwb {

/// Every register that a kernel can name has one slot: R0.., UR0.., P0.., UP0.., B0... RZ, URZ, PT and UPT
/// have none.
using RegisterSlot = std::uint16_t;
inline constexpr RegisterSlot generalSlots = 0;
inline constexpr RegisterSlot uniformSlots = 256;
inline constexpr RegisterSlot predicateSlots = 512;
inline constexpr RegisterSlot uniformPredicateSlots = 520;
inline constexpr RegisterSlot barrierSlots = 528;
inline constexpr RegisterSlot slotCount = 544;

/// "UR18".
std::string registerName(RegisterSlot slot);

/// A register that a row names.
struct RegisterUse {
    RegisterSlot slot = 0;
    bool defined = false; ///< written by the row; a doubtful case counts as written
    bool guard = false; ///< in the row's predicate
    std::uint8_t width = 1; ///< registers read or written from `slot` on
    std::uint8_t doubtful = 0; ///< registers beyond these that may be written too
};

/// A row without the names of its registers, labels and scoreboards.
struct RowForm {
    std::uint64_t key = 0; ///< all else: opcode, modifiers, immediates, shape of the operands
    std::uint64_t shape = 0; ///< base opcode and shape of the operands
    std::uint64_t base = 0; ///< base opcode
    std::uint64_t modifiers = 0; ///< opcode with modifiers
    std::uint64_t layout = 0; ///< shape of the operands alone
    std::uint64_t immediates = 0;
    std::uint64_t predicate = 0; ///< kind and sign of the guard
    std::uint32_t firstUse = 0;
    std::uint16_t useCount = 0;
    std::uint8_t effects =
        0; ///< memory spaces that it writes or orders (a bit each); all for barriers and async work
    std::uint8_t reads = 0; ///< memory spaces that it reads
    bool branchesToItself = false;
    std::uint16_t addressUses = 0; ///< bit i: its use i stands in brackets
    std::optional<MemoryAccess> access{};
};

inline constexpr unsigned memorySpaces =
    4; ///< bits of effects and reads: global, shared, local, anything else

struct KernelForms {
    std::vector<RowForm> rows{};
    std::vector<RegisterUse> uses{};
    ControlFlow flow{};
    std::bitset<slotCount> asyncSlots{}; ///< registers that wgmma reads or writes behind the row's back

    std::span<const RegisterUse> usesOf(const RowForm& row) const
    {
        return std::span(uses).subspan(row.firstUse, row.useCount);
    }
};

KernelForms formsOf(const SassKernel& kernel);

/// Mixes `value` into `hash` (not cryptographic; equal only by construction or by accident of 1 in 2^64).
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 12U) + (hash >> 4U);
    hash *= 0xbf58476d1ce4e5b9ULL;
    return hash ^ (hash >> 29U);
}

} // namespace ptxwb
