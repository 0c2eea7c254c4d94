// SPDX-License-Identifier: Apache-2.0
#include "core/bench/tensor_content.h"

#include "core/bench/poison.h"
#include "core/support/sha256.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace ptxwb {

namespace {

constexpr std::size_t headLength = 16;

bool isFloat(Dtype dtype)
{
    return dtype == Dtype::Float64 || dtype == Dtype::Float32 || dtype == Dtype::Float16
        || dtype == Dtype::Bfloat16 || dtype == Dtype::Float8E4m3 || dtype == Dtype::Float8E5m2;
}

bool isPoison(const std::byte* element, std::size_t width)
{
    std::array<std::byte, 8> poison{};
    for (std::size_t i = 0; i < width; i += width == 1 ? 1 : sizeof poisonWord) {
        if (width == 1) {
            poison[0] = std::byte{poisonByte};
        } else {
            std::memcpy(poison.data() + i, &poisonWord, sizeof poisonWord);
        }
    }
    return std::memcmp(element, poison.data(), width) == 0;
}

} // namespace

TensorContent describeContent(const BufferSpec& spec, std::vector<std::byte> bytes)
{
    TensorContent content;
    content.name = spec.name;
    content.type = spec.type;
    const auto width = static_cast<std::size_t>(dtypeBytes(spec.type.dtype));
    const auto count = static_cast<std::size_t>(spec.type.elements());
    const bool tells = isFloat(spec.type.dtype) && spec.init == BufferInit::Poison;
    std::uint64_t unwritten = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto* element = bytes.data() + i * width;
        const double value = toDouble(spec.type.dtype, element);
        if (i < headLength) {
            content.head.push_back(value);
        }
        if (std::isnan(value)) {
            ++content.nanCount;
            unwritten += tells && isPoison(element, width) ? 1U : 0U;
        } else {
            content.min = std::min(content.min.value_or(value), value);
            content.max = std::max(content.max.value_or(value), value);
        }
    }
    if (tells) {
        content.unwrittenCount = unwritten;
    }
    content.sha256 = sha256Hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    content.bytes = std::move(bytes);
    return content;
}

double differenceOf(const TensorContent& first, std::span<const std::byte> other)
{
    const auto width = static_cast<std::size_t>(dtypeBytes(first.type.dtype));
    double distance = 0;
    double norm = 0;
    for (std::size_t at = 0; at + width <= other.size(); at += width) {
        const double x = toDouble(first.type.dtype, first.bytes.data() + at);
        const double y = toDouble(first.type.dtype, other.data() + at);
        if (std::isfinite(x) && std::isfinite(y)) {
            distance += (x - y) * (x - y);
            norm += x * x;
        } else if (std::isnan(x) != std::isnan(y) || (!std::isnan(x) && x != y)) {
            return std::numeric_limits<double>::infinity();
        }
    }
    return norm > 0 ? std::sqrt(distance / norm) : std::sqrt(distance);
}

double toleratedDifference(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Float64:
        return 1e-12;
    case Dtype::Float32:
        return 1e-5;
    case Dtype::Float16:
    case Dtype::Bfloat16:
        return 1e-2;
    case Dtype::Float8E4m3:
    case Dtype::Float8E5m2:
        return 0.1;
    default:
        return 0;
    }
}

} // namespace ptxwb
