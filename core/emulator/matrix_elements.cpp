// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/matrix_elements.h"

#include "core/bench/tensor.h"
#include "core/emulator/small_float_bits.h"

#include <array>
#include <cstring>

namespace ptxwb::emulator {

namespace {

std::array<float, 256> tableOf(Dtype dtype)
{
    std::array<float, 256> table{};
    for (std::size_t i = 0; i < 256; ++i) {
        const auto byte = static_cast<std::uint8_t>(i);
        table[i] = static_cast<float>(toDouble(dtype, &byte));
    }
    return table;
}

} // namespace

float elementOf(std::uint32_t word, std::uint32_t j, ValueType type)
{
    static const auto e4m3 = tableOf(Dtype::Float8E4m3);
    static const auto e5m2 = tableOf(Dtype::Float8E5m2);
    switch (type) {
    case ValueType::F16:
        return halfToFloat(static_cast<std::uint16_t>(word >> (16 * j)));
    case ValueType::Bf16:
        return brainToFloat(static_cast<std::uint16_t>(word >> (16 * j)));
    case ValueType::Tf32:
        return std::bit_cast<float>(word & 0xFFFFE000U); // the low 13 bits are ignored
    case ValueType::E4m3:
        return e4m3[word >> (8 * j) & 0xFFU];
    case ValueType::E5m2:
        return e5m2[word >> (8 * j) & 0xFFU];
    case ValueType::S8:
        return static_cast<float>(static_cast<std::int8_t>(word >> (8 * j)));
    case ValueType::U8:
        return static_cast<float>(word >> (8 * j) & 0xFFU);
    case ValueType::S4:
        return static_cast<float>(static_cast<std::int32_t>(word << (28 - 4 * j)) >> 28);
    case ValueType::U4:
        return static_cast<float>(word >> (4 * j) & 0xFU);
    default:
        return std::bit_cast<float>(word);
    }
}

void storeHalves(const float* low, const float* high, std::uint32_t* to)
{
    for (std::size_t l = 0; l < 32; ++l) {
        to[l] = floatToHalf(low[l]) | static_cast<std::uint32_t>(floatToHalf(high[l])) << 16U;
    }
}

void unpackPieces(SharedMemory& shared, const std::vector<std::uint32_t>& places, ValueType type,
    bool mnMajor, std::uint32_t rows, std::uint32_t k, float* out)
{
    const auto bits = static_cast<std::uint32_t>(bitsOf(type));
    const std::uint32_t perWord = 32 / bits;
    const std::uint32_t perPiece = 128 / bits;
    std::array<std::uint32_t, 4> words{};
    std::size_t piece = 0;
    if (mnMajor) { // 16-bit types only
        for (std::uint32_t i = 0; i < rows / 8; ++i) {
            for (std::uint32_t kk = 0; kk < k; ++kk) {
                std::memcpy(words.data(), shared.at(places[piece++]), 16);
                for (std::uint32_t r = 0; r < 8; ++r) {
                    out[(i * 8 + r) * k + kk] = elementOf(words[r / 2], r & 1U, type);
                }
            }
        }
        return;
    }
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t first = 0; first < k; first += perPiece) {
            std::memcpy(words.data(), shared.at(places[piece++]), 16);
            for (std::uint32_t e = 0; e < perPiece && first + e < k; ++e) {
                out[r * k + first + e] = elementOf(words[e / perWord], e % perWord, type);
            }
        }
    }
}

} // namespace ptxwb::emulator
