// SPDX-License-Identifier: Apache-2.0
// wgmma bit by bit as an H200 does it, and of single bits.
#include "core/emulator/matrix_elements.h"
#include "core/emulator/matrix_sums.h"
#include "core/emulator/wgmma_op.h"

#include <bit>
#include <cstring>

namespace ptxwb::emulator {

bool WgmmaOp::measured() const
{
    return bitsOf(typeA()) == 8 || typeD() == ValueType::F16 || cta->cluster->launch->measuredSums;
}

void WgmmaOp::loadB(std::vector<float>& b, std::uint32_t k)
{
    const bool mn = (in->mode & wgmma_mode::mnMajorB) != 0;
    std::vector<std::uint32_t> places;
    pieces(MatrixDescriptor(descB), mn, columns(), static_cast<std::uint32_t>(bitsOf(typeB())), places);
    b.resize(std::size_t{columns()} * k);
    unpackPieces(cta->shared, places, typeB(), mn, columns(), k, b.data());
    if ((in->mode & wgmma_mode::negateB) != 0) {
        for (auto& x : b) {
            x = -x;
        }
    }
}

void WgmmaOp::multiplyMeasured()
{
    thread_local std::vector<float> a;
    thread_local std::vector<float> rows;
    thread_local std::vector<float> b; // [k][n]
    thread_local std::vector<float> c;
    thread_local std::vector<float> d;
    TensorCoreSum sum{.m = 64,
        .n = columns(),
        .k = depth(),
        .a = typeA(),
        .b = typeB(),
        .d = typeD(),
        .narrow = bitsOf(typeA()) == 8};
    const std::uint32_t n = sum.n;
    loadA(a);
    loadB(rows, sum.k);
    b.resize(rows.size());
    for (std::uint32_t column = 0; column < n; ++column) {
        for (std::uint32_t k = 0; k < sum.k; ++k) {
            b[std::size_t{k} * n + column] = rows[std::size_t{column} * sum.k + k];
        }
    }
    const bool half = sum.d == ValueType::F16;
    c.assign(std::size_t{64} * n, 0);
    d.resize(c.size());
    const auto each = [&](auto f) { // the place in c of lane l, register i of warp w
        for (std::uint32_t w = 0; w < 4; ++w) {
            for (std::uint32_t i = 0; i < n / 2; ++i) {
                auto* words = members[w]->row(in->extra->rows[half ? i / 2 : i]);
                const std::uint32_t row = 16 * w + 8 * (i >> 1U & 1U);
                const std::uint32_t column = (i & 1U) + 8 * (i >> 2U);
                for (std::uint32_t l = 0; l < laneCount; ++l) {
                    f(words[l], i, std::size_t{row + l / 4} * n + column + 2 * (l & 3U));
                }
            }
        }
    };
    if (accumulate) {
        each([&](std::uint32_t word, std::uint32_t i, std::size_t at) {
            c[at] = elementOf(word, half ? i & 1U : 0U, half ? ValueType::F16 : ValueType::F32);
        });
    }
    tensorCoreSums(sum, a.data(), b.data(), c.data(), d.data());
    if (half) {
        for (std::uint32_t w = 0; w < 4; ++w) {
            for (std::uint32_t i = 0; i < n / 2; i += 2) {
                float low[laneCount];
                float high[laneCount];
                for (std::uint32_t l = 0; l < laneCount; ++l) {
                    const std::size_t at =
                        std::size_t{16 * w + 8 * (i >> 1U & 1U) + l / 4} * n + 8 * (i >> 2U) + 2 * (l & 3U);
                    low[l] = d[at];
                    high[l] = d[at + 1];
                }
                storeHalves(low, high, members[w]->row(in->extra->rows[i / 2]));
            }
        }
        return;
    }
    each([&](std::uint32_t& word, std::uint32_t, std::size_t at) { std::memcpy(&word, &d[at], 4); });
}

void WgmmaOp::multiplyBits()
{
    constexpr std::uint32_t words = 8; // 256 bits
    std::vector<std::uint32_t> places;
    std::vector<std::uint32_t> a(std::size_t{64} * words);
    std::vector<std::uint32_t> b(std::size_t{columns()} * words);
    const auto load = [&](std::uint64_t descriptor, std::uint32_t rows, std::vector<std::uint32_t>& to) {
        pieces(MatrixDescriptor(descriptor), false, rows, 1, places);
        for (std::size_t piece = 0; piece < places.size(); ++piece) {
            std::memcpy(to.data() + piece * 4, cta->shared.at(places[piece]), 16);
        }
    };
    load(descB, columns(), b);
    if (fromRegisters()) {
        for (std::uint32_t w = 0; w < 4; ++w) {
            for (std::uint32_t r = 0; r < 4; ++r) {
                const auto* from = members[w]->row(in->extra->rowsA[r]);
                for (std::uint32_t l = 0; l < laneCount; ++l) {
                    a[std::size_t{16 * w + l / 4 + 8 * (r & 1U)} * words + (l & 3U) + (r >> 1U) * 4] =
                        from[l];
                }
            }
        }
    } else {
        load(descA, 64, a);
    }
    for (std::uint32_t w = 0; w < 4; ++w) {
        for (std::uint32_t i = 0; i < columns() / 2; ++i) {
            auto* d = members[w]->row(in->extra->rows[i]);
            for (std::uint32_t l = 0; l < laneCount; ++l) {
                const std::uint32_t* x = &a[std::size_t{16 * w + l / 4 + 8 * (i >> 1U & 1U)} * words];
                const std::uint32_t* y = &b[std::size_t{2 * (l & 3U) + (i & 1U) + 8 * (i >> 2U)} * words];
                std::uint32_t sum = accumulate ? d[l] : 0;
                for (std::uint32_t word = 0; word < words; ++word) {
                    sum += static_cast<std::uint32_t>(std::popcount(x[word] & y[word]));
                }
                d[l] = sum;
            }
        }
    }
}

} // namespace ptxwb::emulator
