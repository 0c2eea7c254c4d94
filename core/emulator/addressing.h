// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/diagnose.h"

#include <cstdint>

namespace ptxwb::emulator {

/// Where the lanes of an access point to, checked.
struct LaneAddresses {
    Space space = Space::Global; ///< of all lanes; Generic when they differ
    std::array<std::byte*, laneCount> host{};
    std::array<std::uint64_t, laneCount> address{};
};

enum class AccessKind : std::uint8_t { Read, Write, Atomic };

/// Addresses of the row in.a + in.offset, `bytes` at each, aligned to `bytes`. Checks bounds, alignment,
/// initialisation of shared memory, and notes shared writes. False: a report was filed and the CTA ends.
bool resolveLanes(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, AccessKind kind,
    LaneAddresses& out);

/// One address in shared memory of the CTA or its cluster, as async operations and barriers use it. nullptr:
/// reported.
std::byte* resolveShared(Warp& warp, const Instr& in, std::uint64_t address, std::uint32_t bytes,
    std::uint32_t alignment, Cta*& owner, std::uint32_t& offset);

/// The same for global memory.
std::byte* resolveGlobal(Warp& warp, const Instr& in, std::uint64_t address, std::uint64_t bytes,
    std::uint32_t alignment, bool write);

inline std::uint64_t laneAddress(const Warp& warp, const Instr& in, std::uint32_t row, std::uint32_t lane)
{
    const std::uint64_t base = in.wideAddress ? warp.row64(row)[lane] : warp.row(row)[lane];
    return base + static_cast<std::uint64_t>(in.offset);
}

/// The shared offset (with rank) of an address given in the generic space or in the shared window.
inline std::uint32_t sharedOffset(std::uint64_t address)
{
    return static_cast<std::uint32_t>(address);
}

} // namespace ptxwb::emulator
