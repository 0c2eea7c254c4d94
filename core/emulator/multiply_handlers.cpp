// SPDX-License-Identifier: Apache-2.0
// mma.sync. Fragment layouts: PTX ISA 9.0, 9.7.14.5, each one recorded on an H200 too.
#include "core/emulator/async.h"
#include "core/emulator/machine.h"
#include "core/emulator/matrix_elements.h"
#include "core/emulator/matrix_handlers.h"
#include "core/emulator/matrix_kernels.h"
#include "core/emulator/matrix_sums.h"
#include "core/emulator/small_float_bits.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t columns = 8;
constexpr std::uint32_t most = 64; ///< k of the deepest shape, but for single bits

std::uint32_t rowsOf(const Instr& in)
{
    return in.target; // 8 or 16
}

/// Row and column of element i of a lane's part of D.
std::uint32_t rowOfD(std::uint32_t lane, std::uint32_t i)
{
    return lane / 4 + 8 * (i >> 1U);
}

std::uint32_t columnOfD(std::uint32_t lane, std::uint32_t i)
{
    return 2 * (lane & 3U) + (i & 1U);
}

struct Fragments {
    float a[16 * most];
    float b[most * columns]; ///< [k][n]
};

void load(Warp& warp, const Instr& in, Fragments& f)
{
    const auto& extra = *in.extra;
    const auto k = static_cast<std::uint32_t>(in.imm);
    const auto per = 32U / static_cast<std::uint32_t>(bitsOf(extra.types[1]));
    const bool tall = rowsOf(in) == 16;
    for (std::uint32_t r = 0; r < extra.rowsA.size(); ++r) {
        const auto* lanes = warp.row(extra.rowsA[r]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            for (std::uint32_t j = 0; j < per; ++j) {
                const std::uint32_t row = l / 4 + (tall ? 8 * (r & 1U) : 0U);
                const std::uint32_t column = (l & 3U) * per + j + (tall ? r >> 1U : r) * 4 * per;
                f.a[row * k + column] = elementOf(lanes[l], j, extra.types[1]);
            }
        }
    }
    for (std::uint32_t r = 0; r < extra.rowsB.size(); ++r) {
        const auto* lanes = warp.row(extra.rowsB[r]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            for (std::uint32_t j = 0; j < per; ++j) {
                f.b[((l & 3U) * per + j + r * 4 * per) * columns + l / 4] =
                    elementOf(lanes[l], j, extra.types[2]);
            }
        }
    }
}

/// Lane by lane, element by element of D: f(row, column, what C holds).
template <class F> void forIntegers(Warp& warp, const Instr& in, F f)
{
    const auto& extra = *in.extra;
    std::uint32_t results[4][laneCount];
    for (std::uint32_t i = 0; i < extra.rows.size(); ++i) {
        const auto* c = warp.row(extra.rowsC[i]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            std::int64_t sum = f(rowOfD(l, i), columnOfD(l, i), static_cast<std::int32_t>(c[l]));
            if (in.mode != 0) { // .satfinite
                sum = std::clamp<std::int64_t>(
                    sum, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
            }
            results[i][l] = static_cast<std::uint32_t>(sum);
        }
    }
    for (std::uint32_t i = 0; i < extra.rows.size(); ++i) {
        std::copy_n(results[i], laneCount, warp.row(extra.rows[i]));
    }
}

void multiplyIntegers(Warp& warp, const Instr& in, const Fragments& f)
{
    const auto k = static_cast<std::uint32_t>(in.imm);
    forIntegers(warp, in, [&](std::uint32_t row, std::uint32_t column, std::int64_t sum) {
        for (std::uint32_t kk = 0; kk < k; ++kk) {
            sum += static_cast<std::int64_t>(f.a[row * k + kk])
                * static_cast<std::int64_t>(f.b[kk * columns + column]);
        }
        return sum;
    });
}

void multiplyReals(Warp& warp, const Instr& in, const Fragments& f)
{
    const auto& extra = *in.extra;
    TensorCoreSum sum;
    sum.k = static_cast<std::uint32_t>(in.imm);
    sum.a = extra.types[1];
    sum.b = extra.types[2];
    sum.d = extra.types[0];
    const bool half = sum.d == ValueType::F16;
    float c[16 * columns];
    float d[16 * columns];
    for (std::uint32_t i = 0; i < 4; ++i) {
        const auto* lanes = warp.row(extra.rowsC[half ? i >> 1U : i]);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            c[rowOfD(l, i) * columns + columnOfD(l, i)] =
                elementOf(lanes[l], half ? i & 1U : 0U, half ? ValueType::F16 : ValueType::F32);
        }
    }
    if (bitsOf(sum.a) == 8) {
        eightBitSums(sum, f.a, f.b, c, d);
    } else {
        tensorCoreSums(sum, f.a, f.b, c, d);
    }
    float lanes[4][laneCount];
    for (std::uint32_t i = 0; i < 4; ++i) {
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            lanes[i][l] = d[rowOfD(l, i) * columns + columnOfD(l, i)];
        }
    }
    if (half) {
        storeHalves(lanes[0], lanes[1], warp.row(extra.rows[0]));
        storeHalves(lanes[2], lanes[3], warp.row(extra.rows[1]));
        return;
    }
    for (std::uint32_t i = 0; i < 4; ++i) {
        std::memcpy(warp.row(extra.rows[i]), lanes[i], sizeof(lanes[i]));
    }
}

/// For ResultOf::Mma.
Step given(Warp& warp, const Instr& in)
{
    if (warp.cta->cluster->launch->perturbed == ResultOf::Mma) {
        const auto type = in.extra->types[0];
        const std::uint32_t bytes = type == ValueType::F64 ? 8U : type == ValueType::F16 ? 2U : 4U;
        for (const auto row : in.extra->rows) {
            auto* lanes = bytes == 8 ? reinterpret_cast<std::byte*>(warp.row64(row))
                                     : reinterpret_cast<std::byte*>(warp.row(row));
            perturbElements(lanes, std::size_t{laneCount} * std::max(bytes, 4U), bytes);
        }
    }
    return Step::Next;
}

} // namespace

Step multiplySmall(Warp& warp, const Instr& in, std::uint32_t mask)
{
    if (warp.cta->cluster->launch->measuredSums) {
        return multiplyGeneral(warp, in, mask);
    }
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
    return given(warp, in);
}

Step multiplyGeneral(Warp& warp, const Instr& in, std::uint32_t)
{
    Fragments f;
    load(warp, in, f);
    if (in.extra->types[0] == ValueType::S32) {
        multiplyIntegers(warp, in, f);
    } else {
        multiplyReals(warp, in, f);
    }
    return given(warp, in);
}

Step multiplyBits(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto& extra = *in.extra;
    std::uint32_t a[16][8]; // words along k
    std::uint32_t b[8][8];
    const auto words = static_cast<std::uint32_t>(in.imm) / 32;
    const bool tall = rowsOf(in) == 16;
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        for (std::uint32_t r = 0; r < extra.rowsA.size(); ++r) {
            a[l / 4 + (tall ? 8 * (r & 1U) : 0U)][(l & 3U) + (tall ? r >> 1U : r) * 4] =
                warp.row(extra.rowsA[r])[l];
        }
        for (std::uint32_t r = 0; r < extra.rowsB.size(); ++r) {
            b[l / 4][(l & 3U) + r * 4] = warp.row(extra.rowsB[r])[l];
        }
    }
    const bool both = in.count != 0;
    forIntegers(warp, in, [&](std::uint32_t row, std::uint32_t column, std::int64_t sum) {
        for (std::uint32_t w = 0; w < words; ++w) {
            const std::uint32_t x = a[row][w];
            const std::uint32_t y = b[column][w];
            sum += std::popcount(both ? x & y : x ^ y);
        }
        return sum;
    });
    return given(warp, in);
}

Step multiplyDouble(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto& extra = *in.extra;
    const auto k = static_cast<std::uint32_t>(in.imm);
    const bool tall = rowsOf(in) == 16;
    const auto real = [&](std::uint32_t row, std::uint32_t lane) {
        double value = 0;
        std::memcpy(&value, &warp.row64(row)[lane], 8);
        return value;
    };
    double results[4][laneCount];
    for (std::uint32_t i = 0; i < extra.rows.size(); ++i) {
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            double sum = real(extra.rowsC[i], l);
            for (std::uint32_t kk = 0; kk < k; ++kk) {
                const std::uint32_t a = tall ? (kk >> 2U) * 2 + (i >> 1U) : kk >> 2U;
                const std::uint32_t lanePart = kk & 3U;
                const double x = real(extra.rowsA[a], (l / 4) * 4 + lanePart);
                const double y = real(extra.rowsB[kk >> 2U], columnOfD(l, i) * 4 + lanePart);
                sum = withHandedOnNan(__builtin_fma(x, y, sum), x, y, sum);
            }
            results[i][l] = sum;
        }
    }
    for (std::uint32_t i = 0; i < extra.rows.size(); ++i) {
        std::memcpy(warp.row64(extra.rows[i]), results[i], sizeof(results[i]));
    }
    return given(warp, in);
}

} // namespace ptxwb::emulator
