// SPDX-License-Identifier: Apache-2.0
// Values, layouts and PTX pieces that the tests of matrix instructions share.
#pragma once

#include "core/bench/tensor.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ptxwb::emulator::matrix_values {

inline constexpr const char* head = ".version 8.0\n.target sm_90a\n.address_size 64\n";

struct ElementType {
    const char* name;
    Dtype dtype;
    int bits;
};
inline constexpr ElementType bf16{"bf16", Dtype::Bfloat16, 16};
inline constexpr ElementType f16{"f16", Dtype::Float16, 16};
inline constexpr ElementType tf32{"tf32", Dtype::Float32, 32};
inline constexpr ElementType e4m3{"e4m3", Dtype::Float8E4m3, 8};
inline constexpr ElementType e5m2{"e5m2", Dtype::Float8E5m2, 8};
inline constexpr ElementType s8{"s8", Dtype::Int8, 8};

/// Small values that every type holds exactly.
inline double smallValue(std::mt19937& random)
{
    return static_cast<double>(static_cast<int>(random() % 9U)) - 4.0;
}

inline std::uint32_t bytesOf(const ElementType& type)
{
    return static_cast<std::uint32_t>(type.bits) / 8;
}

/// Byte offset of element (r, k) of a K-major operand as a TMA box of `span` bytes per row leaves it: rows of
/// span bytes, pieces of 16 bytes exchanged by the row (8 rows for 128 bytes, every second for 64, every
/// fourth for 32).
inline std::uint32_t kMajor(std::uint32_t r, std::uint32_t kBytes, std::uint32_t span)
{
    if (span == 0) { // 8 x 16-byte core matrices, one after the other: first along K, then along rows
        return (r / 8) * 256 + (kBytes / 16) * 128 + (r % 8) * 16 + kBytes % 16;
    }
    const std::uint32_t exchange = span == 128 ? r % 8 : span == 64 ? r / 2 % 4 : r / 4 % 2;
    return r * span + ((kBytes / 16) ^ exchange) * 16 + kBytes % 16;
}

inline std::string registerList(const char* prefix, std::uint32_t count)
{
    std::string list = "{";
    for (std::uint32_t i = 0; i < count; ++i) {
        list += (i == 0 ? "%" : ", %") + std::string(prefix) + std::to_string(i);
    }
    return list + "}";
}

inline std::uint32_t wordOf(const ElementType& type, const std::vector<double>& values)
{
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < values.size(); ++j) {
        fromDouble(type.dtype, values[j], reinterpret_cast<std::byte*>(&word) + j * bytesOf(type));
    }
    return word;
}

} // namespace ptxwb::emulator::matrix_values
