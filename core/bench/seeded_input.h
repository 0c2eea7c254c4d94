// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#if !defined(__CUDA_ARCH__)
#include <bit>
#endif

// Shared with CUDA code: C++20, no other project header. Every function gives the same bits on CPU and GPU:
// integers, and float operations that are each rounded once (IEEE 754, nearest even). Multiply-adds are
// explicit, and no product feeds an addition, so a compiler that contracts expressions finds nothing to
// contract.
#if defined(__CUDACC__)
#define PTXWB_HOST_DEVICE __host__ __device__
#else
#define PTXWB_HOST_DEVICE
#endif

namespace ptxwb {

/// Counter-based generator (splitmix64 finaliser): the value depends on (seed, tensor, index) only, so GPU,
/// CPU and emulator make the same inputs in any order. `tensor` is the buffer's index in
/// ResolvedPlan::buffers.
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

/// An integer of [low, low + count), for integer tensors. count is at most 2^31.
PTXWB_HOST_DEVICE inline std::int64_t uniformInteger(
    std::uint64_t bits, std::int64_t low, std::uint32_t count)
{
    return low + static_cast<std::int64_t>(((bits >> 32) * count) >> 32);
}

namespace rounded {

#if defined(__CUDA_ARCH__)
__device__ inline float multiplyAdd(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}
__device__ inline float multiply(float a, float b)
{
    return __fmul_rn(a, b);
}
__device__ inline float subtract(float a, float b)
{
    return __fsub_rn(a, b);
}
__device__ inline float add(float a, float b)
{
    return __fadd_rn(a, b);
}
__device__ inline float squareRoot(float a)
{
    return __fsqrt_rn(a);
}
__device__ inline float fromBits(std::uint32_t bits)
{
    return __uint_as_float(bits);
}
__device__ inline std::uint32_t toBits(float value)
{
    return __float_as_uint(value);
}
__device__ inline int leadingZeros(std::uint64_t value)
{
    return __clzll(static_cast<long long>(value));
}
#else
PTXWB_HOST_DEVICE inline float multiplyAdd(float a, float b, float c)
{
    return std::fma(a, b, c);
}
PTXWB_HOST_DEVICE inline float multiply(float a, float b)
{
    return a * b;
}
PTXWB_HOST_DEVICE inline float subtract(float a, float b)
{
    return a - b;
}
PTXWB_HOST_DEVICE inline float add(float a, float b)
{
    return a + b;
}
PTXWB_HOST_DEVICE inline float squareRoot(float a)
{
    return std::sqrt(a);
}
PTXWB_HOST_DEVICE inline float fromBits(std::uint32_t bits)
{
    return std::bit_cast<float>(bits);
}
PTXWB_HOST_DEVICE inline std::uint32_t toBits(float value)
{
    return std::bit_cast<std::uint32_t>(value);
}
PTXWB_HOST_DEVICE inline int leadingZeros(std::uint64_t value)
{
    return std::countl_zero(value);
}
#endif

/// log2 of a positive normal number, within 3e-8 (absolute) plus the rounding of its integer part.
PTXWB_HOST_DEVICE inline float log2(float value)
{
    const std::uint32_t bits = toBits(value);
    const float exponent = static_cast<float>(static_cast<int>(bits >> 23) - 127);
    const float t = subtract(fromBits((bits & 0x7FFFFFU) | 0x3F800000U), 1.5F);
    float r = 5.413892213e-03F;
    r = multiplyAdd(r, t, -8.874696679e-03F);
    r = multiplyAdd(r, t, 1.173340622e-02F);
    r = multiplyAdd(r, t, -2.068585530e-02F);
    r = multiplyAdd(r, t, 3.803393245e-02F);
    r = multiplyAdd(r, t, -7.128301263e-02F);
    r = multiplyAdd(r, t, 1.424867213e-01F);
    r = multiplyAdd(r, t, -3.205976784e-01F);
    r = multiplyAdd(r, t, 9.617967010e-01F);
    r = multiplyAdd(r, t, 5.849624872e-01F);
    return add(exponent, r);
}

} // namespace rounded

/// A standard normal from 64 random bits, tails to 9 sigma. The inverse of the normal distribution: with p
/// the tail's probability, z / (1 - 2p) is a smooth function of w = -log2(4 p (1 - p)); two polynomials fit
/// it, in w and in sqrt(w) (Chebyshev fits of our own to the exact inverse, within 1e-7 below w = 8 and 2e-5
/// above).
PTXWB_HOST_DEVICE inline float normalFromBits(std::uint64_t bits)
{
    // 2p = k / 2^63 for the upper 63 bits k, cut to 24 significant bits; the lowest bit is the sign.
    const std::uint64_t upper = bits >> 1;
    const std::uint64_t k = upper == 0 ? 1 : upper;
    const int zeros = rounded::leadingZeros(k);
    const auto mantissa = static_cast<std::uint32_t>((k << zeros) >> 40) & 0x7FFFFFU;
    const float twoP = rounded::fromBits((static_cast<std::uint32_t>(127 - zeros) << 23) | mantissa);
    const float w = -rounded::log2(rounded::multiply(twoP, rounded::subtract(2.0F, twoP)));
    float g = 0;
    if (w < 8.0F) {
        const float t = rounded::subtract(w, 4.0F);
        g = -3.654156422e-10F;
        g = rounded::multiplyAdd(g, t, 4.687287780e-10F);
        g = rounded::multiplyAdd(g, t, 5.135309422e-08F);
        g = rounded::multiplyAdd(g, t, -4.061305674e-07F);
        g = rounded::multiplyAdd(g, t, -2.216954499e-06F);
        g = rounded::multiplyAdd(g, t, 6.797540846e-05F);
        g = rounded::multiplyAdd(g, t, -4.802861367e-04F);
        g = rounded::multiplyAdd(g, t, -3.469304880e-03F);
        g = rounded::multiplyAdd(g, t, 2.392821759e-01F);
        g = rounded::multiplyAdd(g, t, 2.217919827e+00F);
    } else {
        const float t = rounded::subtract(rounded::squareRoot(w), 5.0F);
        g = 2.987593689e-06F;
        g = rounded::multiplyAdd(g, t, -2.016533290e-05F);
        g = rounded::multiplyAdd(g, t, 3.552916314e-05F);
        g = rounded::multiplyAdd(g, t, 2.005153448e-07F);
        g = rounded::multiplyAdd(g, t, 8.183348109e-05F);
        g = rounded::multiplyAdd(g, t, -6.125839427e-04F);
        g = rounded::multiplyAdd(g, t, 9.538598242e-04F);
        g = rounded::multiplyAdd(g, t, 1.189013243e+00F);
        g = rounded::multiplyAdd(g, t, 5.662683487e+00F);
    }
    const float z = rounded::multiply(rounded::subtract(1.0F, twoP), g);
    return (bits & 1U) != 0 ? -z : z;
}

/// The standard normal at (seed, tensor, index).
PTXWB_HOST_DEVICE inline float randomNormal(std::uint64_t seed, std::uint32_t tensor, std::uint64_t index)
{
    return normalFromBits(mixedBits(seed, tensor, index));
}

} // namespace ptxwb
