// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Shared with CUDA code: C++20, no other project header.
#if defined(__CUDACC__)
#define PTXWB_HOST_DEVICE __host__ __device__
#else
#define PTXWB_HOST_DEVICE
#endif

namespace ptxwb {

/// Counter-based generator (splitmix64 finaliser): the value depends on (seed, tensor, index) only, so GPU,
/// CPU and emulator make the same inputs in any order.
PTXWB_HOST_DEVICE inline std::uint64_t mixedBits(
    std::uint64_t seed, std::uint32_t tensor, std::uint64_t index)
{
    std::uint64_t z = seed * 0x9E3779B97F4A7C15ULL + (static_cast<std::uint64_t>(tensor) << 48) + index
        + 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    z = (z + index * 0xD1342543DE82EF95ULL) * 0xBF58476D1CE4E5B9ULL;
    return z ^ (z >> 29);
}

/// Two uniforms in (0, 1] and [0, 1) of 24 bits each, from one draw.
PTXWB_HOST_DEVICE inline float uniformOpen(std::uint64_t bits)
{
    return (static_cast<float>(static_cast<std::uint32_t>(bits >> 40)) + 1.0F) * (1.0F / 16777216.0F);
}
PTXWB_HOST_DEVICE inline float uniformClosed(std::uint64_t bits)
{
    return static_cast<float>(static_cast<std::uint32_t>(bits >> 16) & 0xFFFFFFU) * (1.0F / 16777216.0F);
}

} // namespace ptxwb
