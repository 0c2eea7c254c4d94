// SPDX-License-Identifier: Apache-2.0
// Roundings of cvt. Compiled once per instruction set, as lane_templates.h.
#pragma once

#include "core/emulator/lane_templates.h"

#include <cstdint>

namespace ptxwb::emulator::PTXWB_LANES {

// Internal linkage: the linker must not mix instruction sets.
namespace {

[[maybe_unused]] inline float toSingle(double value, Rounding rounding)
{
    const float nearest = static_cast<float>(value);
    const auto back = static_cast<double>(nearest);
    if (rounding == Rounding::Rn || rounding == Rounding::None || back == value || value != value) {
        return nearest;
    }
    const bool tooHigh = back > value;
    const bool down = rounding == Rounding::Rm || (rounding == Rounding::Rz && value > 0);
    if (down == tooHigh) {
        return std::nextafter(
            nearest, down ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity());
    }
    return nearest;
}

/// Rounds a float's bits to fewer fraction bits, dropping `drop` of them.
[[maybe_unused]] inline std::uint32_t roundedBits(std::uint32_t bits, std::uint32_t drop, Rounding rounding)
{
    const std::uint32_t lost = bits & ((1U << drop) - 1U);
    const std::uint32_t kept = bits >> drop;
    const bool negative = (bits & 0x80000000U) != 0;
    const std::uint32_t half = 1U << (drop - 1);
    bool up = false;
    switch (rounding) {
    case Rounding::Rz:
        break;
    case Rounding::Rm:
        up = negative && lost != 0;
        break;
    case Rounding::Rp:
        up = !negative && lost != 0;
        break;
    case Rounding::Rna:
        up = lost >= half;
        break;
    default:
        up = lost > half || (lost == half && (kept & 1U) != 0);
    }
    return kept + (up ? 1U : 0U);
}

[[maybe_unused]] inline std::uint32_t toBrainBits(float value, Rounding rounding)
{
    return value != value ? 0x7FFFU : roundedBits(std::bit_cast<std::uint32_t>(value), 16, rounding);
}

[[maybe_unused]] inline std::uint32_t toHalfBits(float value, Rounding rounding)
{
    if (rounding != Rounding::Rz && rounding != Rounding::Rm && rounding != Rounding::Rp) {
        return floatToHalf(value);
    }
    const std::uint16_t nearest = floatToHalf(value);
    const float back = halfToFloat(nearest);
    if (back == value || value != value) {
        return nearest;
    }
    const bool tooHigh = back > value;
    const bool down = rounding == Rounding::Rm || (rounding == Rounding::Rz && value > 0);
    if (down != tooHigh) {
        return nearest;
    }
    const bool negative = (nearest & 0x8000U) != 0;
    const auto magnitude = static_cast<std::uint16_t>(nearest & 0x7FFFU);
    if (magnitude == 0) {
        return down ? 0x8001U : 0x0001U;
    }
    return static_cast<std::uint16_t>(down == negative ? nearest + 1 : nearest - 1);
}

/// A NaN of float64 keeps its sign and the top of its fraction.
[[maybe_unused]] inline std::uint32_t narrowNan(double x)
{
    const auto bits = std::bit_cast<std::uint64_t>(x);
    return static_cast<std::uint32_t>(bits >> 32U & 0x80000000U) | 0x7FC00000U
        | static_cast<std::uint32_t>(bits >> 29U & 0x003FFFFFU);
}

[[maybe_unused]] inline float withoutNegative(float x, bool relu)
{
    return relu && std::signbit(x) && x == x ? 0.0F : x; // -0 too
}

} // namespace

} // namespace ptxwb::emulator::PTXWB_LANES
