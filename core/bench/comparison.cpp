// SPDX-License-Identifier: Apache-2.0
#include "core/bench/comparison.h"

#include "core/bench/poison.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ptxwb {

namespace {

bool isFloating(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Float64:
    case Dtype::Float32:
    case Dtype::Float16:
    case Dtype::Bfloat16:
    case Dtype::Float8E4m3:
    case Dtype::Float8E5m2:
        return true;
    default:
        return false;
    }
}

bool holdsPoison(Dtype dtype, const std::byte* element, std::size_t width)
{
    if (!isFloating(dtype)) {
        return false;
    }
    if (width == 1) {
        return std::to_integer<std::uint8_t>(*element) == poisonByte;
    }
    for (std::size_t i = 0; i < width; i += sizeof poisonWord) {
        if (std::memcmp(element + i, &poisonWord, sizeof poisonWord) != 0) {
            return false;
        }
    }
    return true;
}

/// Same infinity or both NaN.
bool sameSpecial(double got, double expected)
{
    return (std::isnan(got) && std::isnan(expected)) || (std::isinf(got) && got == expected);
}

} // namespace

OutputComparison compareOnHost(std::string output, Dtype dtype, const std::byte* candidate,
    std::span<const double> reference, const Tolerance& tolerance)
{
    constexpr double tiny = 1e-8; // of the paper's relative error
    OutputComparison result;
    result.output = std::move(output);
    result.elements = reference.size();
    result.allZero = !reference.empty();
    const auto width = static_cast<std::size_t>(dtypeBytes(dtype));
    double errorSquares = 0;
    double referenceSquares = 0;
    const auto mismatch = [&](std::size_t i, double got) {
        ++result.mismatched;
        if (!result.firstMismatch) {
            result.firstMismatch = i;
            result.firstMismatchGot = got;
            result.firstMismatchExpected = reference[i];
        }
    };
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const std::byte* element = candidate + i * width;
        const double got = toDouble(dtype, element);
        const double expected = reference[i];
        result.allZero = result.allZero && got == 0.0;
        result.poisonCount += holdsPoison(dtype, element, width) ? 1U : 0U;
        if (!std::isfinite(got) || !std::isfinite(expected)) {
            if (!sameSpecial(got, expected)) {
                result.nanCount += std::isnan(got) ? 1U : 0U;
                result.infCount += std::isinf(got) ? 1U : 0U;
                mismatch(i, got);
            }
            continue;
        }
        const double error = std::fabs(got - expected);
        errorSquares += error * error;
        referenceSquares += expected * expected;
        const auto expectedFloat = static_cast<double>(static_cast<float>(expected));
        const double absolute = std::fabs(static_cast<double>(static_cast<float>(got)) - expectedFloat);
        const double relative = absolute / (std::fabs(expectedFloat) + tiny);
        result.maxAbsError = std::max(result.maxAbsError, absolute);
        result.maxRelError = std::max(result.maxRelError, relative);
        if (absolute > tolerance.atol && relative > tolerance.rtol) {
            mismatch(i, got);
        }
    }
    if (errorSquares > 0) {
        result.normwiseRelError =
            referenceSquares > 0 ? std::sqrt(errorSquares / referenceSquares) : INFINITY;
    }
    return result;
}

} // namespace ptxwb
