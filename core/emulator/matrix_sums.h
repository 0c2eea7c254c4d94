// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/value_type.h"

#include <cstdint>

namespace ptxwb::emulator {

/// Sums of products as the tensor cores of an H200 give them, in every bit of what was recorded
/// (tests/emulator/differential): d[m][n] = c[m][n] + sum over k of a[m][k] b[k][n].
struct TensorCoreSum {
    std::uint32_t m = 16;
    std::uint32_t n = 8; ///< at most 256
    std::uint32_t k = 16;
    ValueType a = ValueType::F16;
    ValueType b = ValueType::F16;
    ValueType d = ValueType::F32; ///< and C. F16: d[] holds numbers that f16 has
    bool narrow = false; ///< wgmma of 8-bit floats adds, and gives, 13 bits behind the leading one
};
void tensorCoreSums(const TensorCoreSum& sum, const float* a, const float* b, const float* c, float* d);

/// mma.sync of 8-bit floats: sm_90 has it as two products of f16 (k with bit 1 clear, then set), the second
/// added to the first, and then to C. `sum` as above, types of 8 bits.
void eightBitSums(const TensorCoreSum& sum, const float* a, const float* b, const float* c, float* d);

} // namespace ptxwb::emulator
