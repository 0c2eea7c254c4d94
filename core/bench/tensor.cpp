// SPDX-License-Identifier: Apache-2.0
#include "core/bench/tensor.h"

#include "core/bench/small_float.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace ptxwb {

namespace {

struct DtypeFacts {
    Dtype dtype;
    std::string_view name;
    int bytes;
};

constexpr std::array<DtypeFacts, 12> facts{{
    {Dtype::Float64, "float64", 8},
    {Dtype::Float32, "float32", 4},
    {Dtype::Float16, "float16", 2},
    {Dtype::Bfloat16, "bfloat16", 2},
    {Dtype::Float8E4m3, "float8_e4m3fn", 1},
    {Dtype::Float8E5m2, "float8_e5m2", 1},
    {Dtype::Int64, "int64", 8},
    {Dtype::Int32, "int32", 4},
    {Dtype::Int16, "int16", 2},
    {Dtype::Int8, "int8", 1},
    {Dtype::Uint8, "uint8", 1},
    {Dtype::Bool, "bool", 1},
}};

const DtypeFacts& factsOf(Dtype dtype)
{
    return *std::find_if(
        facts.begin(), facts.end(), [dtype](const DtypeFacts& f) { return f.dtype == dtype; });
}

template <class T> T loaded(const void* element)
{
    T value{};
    std::memcpy(&value, element, sizeof value);
    return value;
}

template <class T> void stored(T value, void* element)
{
    std::memcpy(element, &value, sizeof value);
}

/// Nearest integer; NaN becomes 0, what is out of range the nearest value of the type.
template <class T> void storedInteger(double value, void* element)
{
    constexpr auto least = static_cast<double>(std::numeric_limits<T>::min());
    constexpr auto most = static_cast<double>(std::numeric_limits<T>::max());
    const double nearest = std::nearbyint(value);
    T result = 0;
    if (nearest >= most) {
        result = std::numeric_limits<T>::max();
    } else if (nearest <= least) {
        result = std::numeric_limits<T>::min();
    } else if (!std::isnan(nearest)) {
        result = static_cast<T>(nearest);
    }
    stored(result, element);
}

/// Values that are floats already take the short way: it is the one that fills large inputs.
std::uint16_t bfloat16Of(double value)
{
    const auto single = static_cast<float>(value);
    return static_cast<double>(single) == value
        ? toBfloat16(single)
        : static_cast<std::uint16_t>(encodeSmallFloat(bfloat16Format, value));
}

} // namespace

std::string_view dtypeName(Dtype dtype)
{
    return factsOf(dtype).name;
}

const std::vector<std::string>& dtypeNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const DtypeFacts& f : facts) {
            all.emplace_back(f.name);
        }
        return all;
    }();
    return names;
}

std::optional<Dtype> dtypeByName(std::string_view name)
{
    for (const DtypeFacts& f : facts) {
        if (f.name == name) {
            return f.dtype;
        }
    }
    return name == "float8_e4m3" ? std::optional(Dtype::Float8E4m3) : std::nullopt;
}

int dtypeBytes(Dtype dtype)
{
    return factsOf(dtype).bytes;
}

std::int64_t TensorType::elements() const
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) {
        count *= extent;
    }
    return count;
}

std::uint64_t TensorType::bytes() const
{
    return static_cast<std::uint64_t>(elements()) * static_cast<std::uint64_t>(dtypeBytes(dtype));
}

double toDouble(Dtype dtype, const void* element)
{
    switch (dtype) {
    case Dtype::Float64:
        return loaded<double>(element);
    case Dtype::Float32:
        return static_cast<double>(loaded<float>(element));
    case Dtype::Float16:
        return decodeSmallFloat(float16Format, loaded<std::uint16_t>(element));
    case Dtype::Bfloat16:
        return static_cast<double>(fromBfloat16(loaded<std::uint16_t>(element)));
    case Dtype::Float8E4m3:
        return decodeSmallFloat(e4m3Format, loaded<std::uint8_t>(element));
    case Dtype::Float8E5m2:
        return decodeSmallFloat(e5m2Format, loaded<std::uint8_t>(element));
    case Dtype::Int64:
        return static_cast<double>(loaded<std::int64_t>(element));
    case Dtype::Int32:
        return static_cast<double>(loaded<std::int32_t>(element));
    case Dtype::Int16:
        return static_cast<double>(loaded<std::int16_t>(element));
    case Dtype::Int8:
        return static_cast<double>(loaded<std::int8_t>(element));
    case Dtype::Uint8:
        return static_cast<double>(loaded<std::uint8_t>(element));
    case Dtype::Bool:
        return loaded<std::uint8_t>(element) != 0 ? 1.0 : 0.0;
    }
    return 0;
}

void fromDouble(Dtype dtype, double value, void* element)
{
    switch (dtype) {
    case Dtype::Float64:
        stored(value, element);
        break;
    case Dtype::Float32:
        stored(static_cast<float>(value), element);
        break;
    case Dtype::Float16:
        stored(static_cast<std::uint16_t>(encodeSmallFloat(float16Format, value)), element);
        break;
    case Dtype::Bfloat16:
        stored(bfloat16Of(value), element);
        break;
    case Dtype::Float8E4m3:
        stored(static_cast<std::uint8_t>(encodeSmallFloat(e4m3Format, value)), element);
        break;
    case Dtype::Float8E5m2:
        stored(static_cast<std::uint8_t>(encodeSmallFloat(e5m2Format, value)), element);
        break;
    case Dtype::Int64:
        storedInteger<std::int64_t>(value, element);
        break;
    case Dtype::Int32:
        storedInteger<std::int32_t>(value, element);
        break;
    case Dtype::Int16:
        storedInteger<std::int16_t>(value, element);
        break;
    case Dtype::Int8:
        storedInteger<std::int8_t>(value, element);
        break;
    case Dtype::Uint8:
        storedInteger<std::uint8_t>(value, element);
        break;
    case Dtype::Bool:
        stored(static_cast<std::uint8_t>(value != 0.0 ? 1 : 0), element);
        break;
    }
}

std::uint16_t toBfloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) {
        return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
    }
    const std::uint32_t half = 0x7FFFU + ((bits >> 16) & 1U);
    return static_cast<std::uint16_t>((bits + half) >> 16);
}

float fromBfloat16(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t toFloat16(float value)
{
    return static_cast<std::uint16_t>(encodeSmallFloat(float16Format, static_cast<double>(value)));
}

float fromFloat16(std::uint16_t bits)
{
    return static_cast<float>(decodeSmallFloat(float16Format, bits));
}

} // namespace ptxwb
