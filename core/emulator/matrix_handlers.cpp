// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix, movmatrix, mma.sync. Fragment layouts: PTX ISA 9.0, 9.7.14.5.
#include "core/emulator/matrix_handlers.h"

#include "core/emulator/addressing.h"
#include "core/emulator/matrix_elements.h"
#include "core/emulator/matrix_kernels.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace ptxwb::emulator {

namespace {

std::uint16_t halfword(const std::byte* row, std::uint32_t column)
{
    std::uint16_t value = 0;
    std::memcpy(&value, row + std::size_t{column} * 2, 2);
    return value;
}

} // namespace

Step loadMatrix(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto count = static_cast<std::uint32_t>(in.extra->rows.size());
    const std::uint32_t pointing = count == 4 ? allLanes : (1U << (8 * count)) - 1U;
    LaneAddresses from;
    if (!resolveLanes(warp, in, pointing, 16, AccessKind::Read, from)) {
        return Step::Stop;
    }
    for (std::uint32_t matrix = 0; matrix < count; ++matrix) {
        const auto* rows = from.host.data() + std::size_t{matrix} * 8;
        auto* d = warp.row(in.extra->rows[matrix]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            if (in.mode == 0) {
                std::memcpy(&d[l], rows[l / 4] + std::size_t{l & 3U} * 4, 4);
            } else {
                const std::uint32_t first = (l & 3U) * 2;
                d[l] = halfword(rows[first], l / 4)
                    | static_cast<std::uint32_t>(halfword(rows[first + 1], l / 4)) << 16U;
            }
        }
    }
    return Step::Next;
}

Step storeMatrix(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto count = static_cast<std::uint32_t>(in.extra->rows.size());
    const std::uint32_t pointing = count == 4 ? allLanes : (1U << (8 * count)) - 1U;
    LaneAddresses to;
    if (!resolveLanes(warp, in, pointing, 16, AccessKind::Write, to)) {
        return Step::Stop;
    }
    for (std::uint32_t matrix = 0; matrix < count; ++matrix) {
        const auto* rows = to.host.data() + std::size_t{matrix} * 8;
        const auto* s = warp.row(in.extra->rows[matrix]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            if (in.mode == 0) {
                std::memcpy(rows[l / 4] + std::size_t{l & 3U} * 4, &s[l], 4);
            } else {
                const std::uint32_t first = (l & 3U) * 2;
                const auto low = static_cast<std::uint16_t>(s[l]);
                const auto high = static_cast<std::uint16_t>(s[l] >> 16U);
                std::memcpy(rows[first] + std::size_t{l / 4} * 2, &low, 2);
                std::memcpy(rows[first + 1] + std::size_t{l / 4} * 2, &high, 2);
            }
        }
    }
    return Step::Next;
}

Step transposeMatrix(Warp& warp, const Instr& in, std::uint32_t)
{
    std::uint32_t source[laneCount];
    std::copy_n(warp.row(in.a), laneCount, source);
    const auto element = [&](std::uint32_t row, std::uint32_t column) {
        return source[row * 4 + column / 2] >> (16 * (column & 1U)) & 0xFFFFU;
    };
    auto* d = warp.row(in.d);
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        const std::uint32_t first = (l & 3U) * 2;
        d[l] = element(first, l / 4) | element(first + 1, l / 4) << 16U;
    }
    return Step::Next;
}

Step multiplySmall(Warp& warp, const Instr& in, std::uint32_t)
{
    std::uint32_t* d[4];
    const std::uint32_t* a[4] = {};
    const std::uint32_t* b[2] = {};
    const std::uint32_t* c[4];
    const auto& extra = *in.extra;
    for (std::size_t i = 0; i < 4; ++i) {
        d[i] = warp.row(extra.rows[i]);
        c[i] = warp.row(extra.rowsC[i]);
    }
    for (std::size_t i = 0; i < extra.rowsA.size(); ++i) {
        a[i] = warp.row(extra.rowsA[i]);
    }
    for (std::size_t i = 0; i < extra.rowsB.size(); ++i) {
        b[i] = warp.row(extra.rowsB[i]);
    }
    matrixKernels().mma16(d, a, b, c,
        extra.types[1] == ValueType::Bf16 ? SmallFormat::Brain : SmallFormat::Half,
        static_cast<std::uint32_t>(in.imm));
    return Step::Next;
}

Step multiplyGeneral(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto& extra = *in.extra;
    const auto k = static_cast<std::uint32_t>(in.imm);
    const auto typeA = extra.types[1];
    const auto typeB = extra.types[2];
    const auto typeD = extra.types[0];
    const auto per = 32U / static_cast<std::uint32_t>(bitsOf(typeA));
    float a[16][64];
    float b[8][64];
    for (std::uint32_t r = 0; r < extra.rowsA.size(); ++r) {
        const auto* lanes = warp.row(extra.rowsA[r]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            for (std::uint32_t j = 0; j < per; ++j) {
                a[l / 4 + 8 * (r & 1U)][(l & 3U) * per + j + (r >> 1U) * 4 * per] =
                    elementOf(lanes[l], j, typeA);
            }
        }
    }
    for (std::uint32_t r = 0; r < extra.rowsB.size(); ++r) {
        const auto* lanes = warp.row(extra.rowsB[r]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            for (std::uint32_t j = 0; j < per; ++j) {
                b[l / 4][(l & 3U) * per + j + r * 4 * per] = elementOf(lanes[l], j, typeB);
            }
        }
    }
    const bool integer = typeD == ValueType::S32;
    const bool halfC = extra.types[3] == ValueType::F16;
    std::uint32_t results[4][laneCount];
    float reals[4][laneCount];
    for (std::uint32_t i = 0; i < 4; ++i) {
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            const auto* x = a[l / 4 + 8 * (i >> 1U)];
            const auto* y = b[2 * (l & 3U) + (i & 1U)];
            if (integer) {
                std::int64_t sum = static_cast<std::int32_t>(warp.row(extra.rowsC[i])[l]);
                for (std::uint32_t kk = 0; kk < k; ++kk) {
                    sum += static_cast<std::int64_t>(x[kk]) * static_cast<std::int64_t>(y[kk]);
                }
                if (in.mode != 0) { // .satfinite
                    sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                        std::numeric_limits<std::int32_t>::max());
                }
                results[i][l] = static_cast<std::uint32_t>(sum);
                continue;
            }
            float sum = halfC ? elementOf(warp.row(extra.rowsC[i >> 1U])[l], i & 1U, ValueType::F16)
                              : elementOf(warp.row(extra.rowsC[i])[l], 0, ValueType::F32);
            for (std::uint32_t kk = 0; kk < k; ++kk) {
                sum += x[kk] * y[kk];
            }
            reals[i][l] = sum;
            std::memcpy(&results[i][l], &sum, 4);
        }
    }
    if (typeD == ValueType::F16) {
        storeHalves(reals[0], reals[1], warp.row(extra.rows[0]));
        storeHalves(reals[2], reals[3], warp.row(extra.rows[1]));
        return Step::Next;
    }
    for (std::uint32_t i = 0; i < 4; ++i) {
        std::copy_n(results[i], laneCount, warp.row(extra.rows[i]));
    }
    return Step::Next;
}

Step multiplyDouble(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto& extra = *in.extra;
    const auto real = [&](std::uint32_t row, std::uint32_t lane) {
        double value = 0;
        std::memcpy(&value, &warp.row64(row)[lane], 8);
        return value;
    };
    double results[2][laneCount];
    for (std::uint32_t i = 0; i < 2; ++i) {
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            double sum = real(extra.rowsC[i], l);
            for (std::uint32_t kk = 0; kk < 4; ++kk) {
                const std::uint32_t column = 2 * (l & 3U) + i;
                sum = __builtin_fma(
                    real(extra.rowsA[0], (l / 4) * 4 + kk), real(extra.rowsB[0], column * 4 + kk), sum);
            }
            results[i][l] = sum;
        }
    }
    for (std::uint32_t i = 0; i < 2; ++i) {
        std::memcpy(warp.row64(extra.rows[i]), results[i], sizeof(results[i]));
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
