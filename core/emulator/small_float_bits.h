// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ptxwb::emulator {

// Internal linkage: these are compiled with several instruction sets, and the linker must not mix them.
namespace {

/// A float64 result that may be NaN: an operand's NaN is handed on, made quiet, of several the second's, else
/// the third's (measured on an H200, tests/emulator/differential); a NaN of numbers is 0xFFF8000000000000.
[[maybe_unused]] inline double withHandedOnNan(double result, double first, double second, double third)
{
    if (result == result) {
        return result;
    }
    const double source = second != second ? second : (third != third ? third : first);
    return std::bit_cast<double>(source != source
            ? std::bit_cast<std::uint64_t>(source) | 0x0008000000000000ULL
            : 0xFFF8000000000000ULL);
}

/// binary16 to binary32, exact.
[[maybe_unused]] inline float halfToFloat(std::uint16_t half)
{
    const std::uint32_t magnitude = half & 0x7FFFU;
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const float finite = std::bit_cast<float>(magnitude << 13U) * 0x1p112F;
    const std::uint32_t special = 0x7F800000U | ((magnitude & 0x3FFU) << 13U);
    return std::bit_cast<float>(
        (magnitude >= 0x7C00U ? special : std::bit_cast<std::uint32_t>(finite)) | sign);
}

/// Round to nearest even; NaN becomes 0x7FFF as PTX has it.
[[maybe_unused]] inline std::uint16_t floatToHalf(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t small =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3F000000U;
    const std::uint32_t normal = (magnitude + 0xC8000FFFU + (magnitude >> 13U & 1U)) >> 13U;
    std::uint32_t result = magnitude < 0x38800000U ? small : normal;
    result = magnitude >= 0x477FF000U ? 0x7C00U : result;
    result = magnitude > 0x7F800000U ? 0x7FFFU : (result | sign);
    return static_cast<std::uint16_t>(result);
}

[[maybe_unused]] inline float brainToFloat(std::uint16_t brain)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(brain) << 16U);
}

[[maybe_unused]] inline std::uint16_t floatToBrain(float value)
{
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = (bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U;
    return static_cast<std::uint16_t>((bits & 0x7FFFFFFFU) > 0x7F800000U ? 0x7FFFU : rounded);
}

/// The float next to `value` whose last bit is odd unless the conversion is exact: rounding it again to fewer
/// bits gives the correctly rounded result. `error` has the sign of what `value` lacks.
[[maybe_unused]] inline float toOddFloat(double value, double error)
{
    float nearest = static_cast<float>(value);
    double missing = value - static_cast<double>(nearest);
    missing = missing != 0 ? missing : error;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
    if (missing == 0 || (bits & 1U) != 0 || !std::isfinite(nearest)) {
        return nearest;
    }
    if (nearest == 0.0F) {
        return std::copysign(0x1p-149F, static_cast<float>(missing));
    }
    const bool away = (missing > 0) == (nearest > 0);
    return std::bit_cast<float>(away ? bits + 1 : bits - 1);
}

/// a * b + c of values with at most 24 bits each, rounded so that rounding again to half or bfloat16 is
/// correct.
[[maybe_unused]] inline float fmaToOdd(float a, float b, float c)
{
    const double product = static_cast<double>(a) * static_cast<double>(b); // exact
    const double addend = static_cast<double>(c);
    const double sum = product + addend;
    if (!std::isfinite(sum)) {
        return static_cast<float>(sum);
    }
    const double part = sum - product;
    const double error = (product - (sum - part)) + (addend - part);
    return toOddFloat(sum, error);
}

} // namespace

} // namespace ptxwb::emulator
