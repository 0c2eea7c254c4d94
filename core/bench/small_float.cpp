// SPDX-License-Identifier: Apache-2.0
#include "core/bench/small_float.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ptxwb {

namespace {

int bias(const SmallFloatFormat& f)
{
    return (1 << (f.exponentBits - 1)) - 1;
}

std::uint32_t allOnes(const SmallFloatFormat& f)
{
    return (1U << (f.exponentBits + f.mantissaBits)) - 1U;
}

std::uint32_t exponentMask(const SmallFloatFormat& f)
{
    return ((1U << f.exponentBits) - 1U) << f.mantissaBits;
}

/// Nearest integer, ties to even, without regard to the thread's rounding mode. `x` is at least 0 and below
/// 2^52.
double roundedToEven(double x)
{
    const double below = std::floor(x);
    const double rest = x - below;
    const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2.0) != 0.0);
    return up ? below + 1.0 : below;
}

} // namespace

std::uint32_t encodeSmallFloat(const SmallFloatFormat& f, double value)
{
    const std::uint32_t sign = std::signbit(value) ? 1U << (f.exponentBits + f.mantissaBits) : 0U;
    const std::uint32_t nan = f.hasInfinity ? exponentMask(f) | (1U << (f.mantissaBits - 1)) : allOnes(f);
    const std::uint32_t overflow = f.hasInfinity ? exponentMask(f) : allOnes(f);
    const std::uint32_t largestFinite = f.hasInfinity ? exponentMask(f) - 1U : allOnes(f) - 1U;
    if (std::isnan(value)) {
        return sign | nan;
    }
    const double magnitude = std::fabs(value);
    if (std::isinf(magnitude)) {
        return sign | overflow;
    }
    if (magnitude == 0.0) {
        return sign;
    }
    const int lowestExponent = 1 - bias(f);
    const int exponent = std::max(std::ilogb(magnitude), lowestExponent);
    // In units of the last place: below 2^mantissaBits only for subnormals; a carry into the next binade
    // keeps the encoding right because exponent and mantissa are adjacent fields.
    const double units = roundedToEven(std::ldexp(magnitude, f.mantissaBits - exponent));
    const double biased =
        static_cast<double>(exponent - lowestExponent) * std::ldexp(1.0, f.mantissaBits) + units;
    return biased > static_cast<double>(largestFinite) ? sign | overflow
                                                       : sign | static_cast<std::uint32_t>(biased);
}

double decodeSmallFloat(const SmallFloatFormat& f, std::uint32_t bits)
{
    const bool negative = ((bits >> (f.exponentBits + f.mantissaBits)) & 1U) != 0;
    const std::uint32_t magnitude = bits & allOnes(f);
    const std::uint32_t field = magnitude >> f.mantissaBits;
    const std::uint32_t mantissa = magnitude & ((1U << f.mantissaBits) - 1U);
    double value = 0;
    if (f.hasInfinity && field == (1U << f.exponentBits) - 1U) {
        value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
    } else if (!f.hasInfinity && magnitude == allOnes(f)) {
        value = std::numeric_limits<double>::quiet_NaN();
    } else if (field == 0) {
        value = std::ldexp(static_cast<double>(mantissa), 1 - bias(f) - f.mantissaBits);
    } else {
        value = std::ldexp(static_cast<double>(mantissa + (1U << f.mantissaBits)),
            static_cast<int>(field) - bias(f) - f.mantissaBits);
    }
    return negative ? -value : value;
}

} // namespace ptxwb
