// SPDX-License-Identifier: Apache-2.0
#pragma once

// Included by matrix_kernels_impl.cpp alone, which is compiled once per instruction set.

#include "core/emulator/matrix_kernels.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ptxwb::emulator::PTXWB_MATRIX {

constexpr std::int32_t sumOfNothing = -10000;

/// The power of two of a float's leading bit, but not below `least`, as the elements' format has its
/// subnormal numbers; of 0 a number below every other.
inline std::int32_t leadingExponent(float value, std::int32_t least)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU;
    const auto exponent = static_cast<std::int32_t>(bits >> 23U) - 127;
    return bits == 0 ? sumOfNothing : (exponent < least ? least : exponent);
}

inline double powerOfTwo(std::int32_t exponent)
{
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

/// One row of `sums`: n columns, at most 256.
inline void sumRow(const float* a, const std::int32_t* exponentsA, const float* b,
    const std::int32_t* exponentsB, const float* c, double* d, std::uint32_t n, std::uint32_t k,
    const SumFormat& format)
{
    std::int32_t top[256];
    double scale[256];
    for (std::uint32_t j = 0; j < n; ++j) {
        top[j] = leadingExponent(c[j], format.leastOfC);
    }
    for (std::uint32_t kk = 0; kk < k; ++kk) {
        const std::int32_t mine = exponentsA[kk];
        const std::int32_t* others = exponentsB + std::size_t{kk} * n;
        for (std::uint32_t j = 0; j < n; ++j) {
            const std::int32_t sum = mine + others[j];
            top[j] = top[j] < sum ? sum : top[j];
        }
    }
    for (std::uint32_t j = 0; j < n; ++j) {
        top[j] = top[j] < -600 ? 0 : top[j]; // every product is 0
        scale[j] = powerOfTwo(static_cast<std::int32_t>(format.fraction) - top[j]);
        d[j] = std::trunc(static_cast<double>(c[j]) * scale[j]) + 0.0; // a sum of 0 is never -0
    }
    for (std::uint32_t kk = 0; kk < k; ++kk) {
        const auto x = static_cast<double>(a[kk]);
        const float* y = b + std::size_t{kk} * n;
        for (std::uint32_t j = 0; j < n; ++j) {
            d[j] += std::trunc(x * static_cast<double>(y[j]) * scale[j]);
        }
    }
    for (std::uint32_t j = 0; j < n; ++j) {
        d[j] *= powerOfTwo(top[j] - static_cast<std::int32_t>(format.fraction));
    }
}

inline void measuredSums(const float* a, const float* b, const float* c, double* d, std::uint32_t m,
    std::uint32_t n, std::uint32_t k, const SumFormat& format)
{
    thread_local std::vector<std::int32_t> exponents;
    exponents.resize((std::size_t{m} + n) * k);
    std::int32_t* exponentsB = exponents.data();
    std::int32_t* exponentsA = exponentsB + std::size_t{n} * k;
    for (std::size_t i = 0; i < std::size_t{n} * k; ++i) {
        exponentsB[i] = leadingExponent(b[i], format.leastOfB);
    }
    for (std::size_t i = 0; i < std::size_t{m} * k; ++i) {
        exponentsA[i] = leadingExponent(a[i], format.leastOfA);
    }
    for (std::uint32_t row = 0; row < m; ++row) {
        sumRow(a + std::size_t{row} * k, exponentsA + std::size_t{row} * k, b, exponentsB,
            c + std::size_t{row} * n, d + std::size_t{row} * n, n, k, format);
    }
}

} // namespace ptxwb::emulator::PTXWB_MATRIX
