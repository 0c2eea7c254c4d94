// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/matrix_sums.h"

#include "core/emulator/matrix_kernels.h"
#include "core/emulator/small_float_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace ptxwb::emulator {

namespace {

/// The power of two of the least normal number.
std::int32_t leastOf(ValueType type)
{
    switch (type) {
    case ValueType::F16:
    case ValueType::E5m2:
        return -14;
    case ValueType::E4m3:
        return -6;
    default:
        return -126;
    }
}

/// The bits behind the leading one that do not fit are left out.
float cut(double value, std::uint32_t fraction)
{
    const auto kept = std::bit_cast<std::uint64_t>(value) & ~((1ULL << (52U - fraction)) - 1);
    const auto result = static_cast<float>(std::bit_cast<double>(kept));
    // Subnormal results round in the conversion.
    return std::fabs(static_cast<double>(result)) > std::fabs(value) ? std::nextafterf(result, 0.0F) : result;
}

/// To the nearest f16. The last bit of the cut float says whether anything was left out.
float nearestHalf(double value)
{
    const float down = cut(value, 23);
    const bool exact = static_cast<double>(down) == value;
    return halfToFloat(
        floatToHalf(exact ? down : std::bit_cast<float>(std::bit_cast<std::uint32_t>(down) | 1U)));
}

bool allFinite(const float* values, std::size_t count)
{
    return std::all_of(values, values + count, [](float x) { return std::isfinite(x); });
}

/// Infinities and NaN, where there are any: the sum of a row and a column that hold some.
void putSpecials(const TensorCoreSum& sum, const float* a, const float* b, const float* c, float* d)
{
    for (std::uint32_t row = 0; row < sum.m; ++row) {
        for (std::uint32_t column = 0; column < sum.n; ++column) {
            const std::size_t at = std::size_t{row} * sum.n + column;
            auto total = static_cast<double>(c[at]);
            for (std::uint32_t k = 0; k < sum.k; ++k) {
                total += static_cast<double>(a[std::size_t{row} * sum.k + k])
                    * static_cast<double>(b[std::size_t{k} * sum.n + column]);
            }
            if (!std::isfinite(total)) {
                d[at] = std::isnan(total) ? std::bit_cast<float>(0x7FFFFFFFU) : static_cast<float>(total);
            }
        }
    }
}

} // namespace

void tensorCoreSums(const TensorCoreSum& sum, const float* a, const float* b, const float* c, float* d)
{
    thread_local std::vector<double> exact;
    const std::size_t count = std::size_t{sum.m} * sum.n;
    exact.resize(count);
    matrixKernels().sums(a, b, c, exact.data(), sum.m, sum.n, sum.k,
        {leastOf(sum.a), leastOf(sum.b), leastOf(sum.d), sum.narrow ? 13U : 25U});
    const bool specials = !allFinite(a, std::size_t{sum.m} * sum.k)
        || !allFinite(b, std::size_t{sum.n} * sum.k) || !allFinite(c, count);
    const bool half = sum.d == ValueType::F16;
    for (std::size_t i = 0; i < count; ++i) {
        d[i] = half ? nearestHalf(exact[i]) : cut(exact[i], sum.narrow ? 13U : 23U);
    }
    if (specials) {
        putSpecials(sum, a, b, c, d);
    }
}

void eightBitSums(const TensorCoreSum& sum, const float* a, const float* b, const float* c, float* d)
{
    const std::uint32_t half = sum.k / 2;
    TensorCoreSum part = sum;
    part.k = half;
    part.a = part.b = ValueType::F16;
    std::vector<float> partA(std::size_t{sum.m} * half);
    std::vector<float> partB(std::size_t{half} * sum.n);
    std::vector<float> total(std::size_t{sum.m} * sum.n);
    for (std::uint32_t which = 0; which < 2; ++which) {
        for (std::uint32_t k = 0; k < half; ++k) {
            const std::uint32_t from = (k / 2) * 4 + which * 2 + k % 2;
            for (std::uint32_t row = 0; row < sum.m; ++row) {
                partA[std::size_t{row} * half + k] = a[std::size_t{row} * sum.k + from];
            }
            std::copy_n(b + std::size_t{from} * sum.n, sum.n, partB.data() + std::size_t{k} * sum.n);
        }
        const auto before = total;
        tensorCoreSums(part, partA.data(), partB.data(), before.data(), total.data());
    }
    for (std::size_t i = 0; i < total.size(); ++i) {
        const float result = total[i] + c[i];
        d[i] = std::isnan(result) ? std::bit_cast<float>(0x7FFFFFFFU) : result;
    }
}

} // namespace ptxwb::emulator
