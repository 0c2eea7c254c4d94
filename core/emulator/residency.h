// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

// How much of a grid an H200 holds at once (CUDA C++ Programming Guide, "Compute Capabilities", 9.0), as far
// as threads and shared memory decide it: how many registers ptxas takes is not known to the emulator.
namespace ptxwb::emulator::residency {

inline constexpr int multiprocessors = 132;
inline constexpr int threadsPerMultiprocessor = 2048;
inline constexpr int ctasPerMultiprocessor = 32;
inline constexpr int sharedBytesPerMultiprocessor = 228 << 10;
inline constexpr int reservedSharedBytesPerCta = 1024;

/// CTAs of `threads` threads and `sharedBytes` (static and dynamic) on one multiprocessor; 0: none.
constexpr int ctasThatFit(std::uint64_t threads, std::uint64_t sharedBytes)
{
    if (threads == 0 || threads > 1024) {
        return 0;
    }
    const auto warpThreads = static_cast<int>((threads + 31) / 32 * 32);
    const auto shared =
        static_cast<int>(std::min<std::uint64_t>(sharedBytes + reservedSharedBytesPerCta, 1U << 30));
    return std::min({ctasPerMultiprocessor, threadsPerMultiprocessor / warpThreads,
        sharedBytesPerMultiprocessor / shared});
}

} // namespace ptxwb::emulator::residency
