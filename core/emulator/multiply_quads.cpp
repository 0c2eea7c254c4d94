// SPDX-License-Identifier: Apache-2.0
// mma.sync m8n8k4 of f16, as Volta had it: four products at once, each by a quad and the quad 16 lanes above.
// Fragment layouts: PTX ISA 9.0, 9.7.14.5.1.
#include "core/bench/tensor.h"
#include "core/emulator/machine.h"
#include "core/emulator/matrix_elements.h"
#include "core/emulator/matrix_handlers.h"

#include <cmath>
#include <cstring>

namespace ptxwb::emulator {

namespace {

/// One product: lanes 4q to 4q + 3, and those 16 above.
struct Product {
    float a[8][4] = {};
    float b[4][8] = {};
    float d[8][8] = {};
};

std::uint32_t productOf(std::uint32_t lane)
{
    return lane % 16 / 4;
}
std::uint32_t upper(std::uint32_t lane)
{
    return lane >= 16 ? 4 : 0;
}

/// Row and column of element i of a lane's part of C and D.
std::pair<std::uint32_t, std::uint32_t> placeOf(std::uint32_t lane, std::uint32_t i, bool half)
{
    if (half) {
        return {lane % 4 + upper(lane), i};
    }
    return {(lane & 1U) + (i & 2U) + upper(lane), (i & 4U) + (lane & 2U) + (i & 1U)};
}

} // namespace

Step multiplyQuads(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto& extra = *in.extra;
    const bool columnsA = (in.mode & quad_mode::columnsA) != 0;
    const bool rowsB = (in.mode & quad_mode::rowsB) != 0;
    const auto typeC = extra.types[3];
    const auto typeD = extra.types[0];
    Product products[4];
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        auto& p = products[productOf(l)];
        for (std::uint32_t i = 0; i < 4; ++i) {
            const float a = elementOf(warp.row(extra.rowsA[i / 2])[l], i & 1U, ValueType::F16);
            const float b = elementOf(warp.row(extra.rowsB[i / 2])[l], i & 1U, ValueType::F16);
            (columnsA ? p.a[i + upper(l)][l % 4] : p.a[l % 4 + upper(l)][i]) = a;
            (rowsB ? p.b[l % 4][i + upper(l)] : p.b[i][l % 4 + upper(l)]) = b;
        }
        for (std::uint32_t i = 0; i < 8; ++i) {
            const bool half = typeC == ValueType::F16;
            const auto [row, column] = placeOf(l, i, half);
            p.d[row][column] = half ? elementOf(warp.row(extra.rowsC[i / 2])[l], i & 1U, ValueType::F16)
                                    : elementOf(warp.row(extra.rowsC[i])[l], 0, ValueType::F32);
        }
    }
    for (auto& p : products) {
        for (std::uint32_t r = 0; r < 8; ++r) {
            for (std::uint32_t c = 0; c < 8; ++c) {
                for (std::uint32_t k = 0; k < 4; ++k) {
                    p.d[r][c] = std::fma(p.a[r][k], p.b[k][c], p.d[r][c]);
                }
            }
        }
    }
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        for (std::uint32_t i = 0; i < 8; ++i) {
            const bool half = typeD == ValueType::F16;
            const auto [row, column] = placeOf(l, i, half);
            const float value = products[productOf(l)].d[row][column];
            if (half) {
                auto& word = warp.row(extra.rows[i / 2])[l];
                const std::uint32_t shift = 16 * (i & 1U);
                word = (word & ~(0xFFFFU << shift)) | static_cast<std::uint32_t>(toFloat16(value)) << shift;
            } else {
                std::memcpy(&warp.row(extra.rows[i])[l], &value, sizeof(value));
            }
        }
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
