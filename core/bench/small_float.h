// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ptxwb {

/// A binary floating-point format of at most 16 bits.
struct SmallFloatFormat {
    int exponentBits = 5;
    int mantissaBits = 10;
    bool hasInfinity = true; ///< e4m3fn: the all-ones exponent holds finite values, all ones is NaN
};

inline constexpr SmallFloatFormat bfloat16Format{8, 7, true};
inline constexpr SmallFloatFormat float16Format{5, 10, true};
inline constexpr SmallFloatFormat e5m2Format{5, 2, true};
inline constexpr SmallFloatFormat e4m3Format{4, 3, false};

/// One rounding to nearest even from double. Overflow gives Inf, NaN where the format has none.
std::uint32_t encodeSmallFloat(const SmallFloatFormat& format, double value);
double decodeSmallFloat(const SmallFloatFormat& format, std::uint32_t bits);

} // namespace ptxwb
