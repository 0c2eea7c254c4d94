// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set, each time with another PTXWB_MATRIX.
#include "core/bench/seeded_input.h"
#include "core/emulator/matrix_kernels.h"
#include "core/emulator/measured_sums_impl.h"
#include "core/emulator/small_float_bits.h"

#include <cmath>
#include <cstring>
#include <vector>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace ptxwb::emulator::PTXWB_MATRIX {

namespace {

// A vector of floats whose groups of four lanes can be filled from four floats.
#if defined(__AVX512F__)
struct Vector {
    static constexpr std::uint32_t lanes = 16;
    static constexpr std::uint32_t warps = 4; ///< whose accumulators fit the registers together
    __m512 v;
    static Vector load(const float* p) { return {_mm512_loadu_ps(p)}; }
    static Vector repeat4(const float* p) { return {_mm512_broadcast_f32x4(_mm_loadu_ps(p))}; }
    void store(float* p) const { _mm512_storeu_ps(p, v); }
    void add(Vector a, Vector b) { v = _mm512_fmadd_ps(a.v, b.v, v); }
};
#elif defined(__AVX2__)
struct Vector {
    static constexpr std::uint32_t lanes = 8;
    static constexpr std::uint32_t warps = 1;
    __m256 v;
    static Vector load(const float* p) { return {_mm256_loadu_ps(p)}; }
    static Vector repeat4(const float* p)
    {
        return {_mm256_broadcast_ps(reinterpret_cast<const __m128*>(p))};
    }
    void store(float* p) const { _mm256_storeu_ps(p, v); }
    void add(Vector a, Vector b) { v = _mm256_fmadd_ps(a.v, b.v, v); }
};
#else
struct Vector {
    static constexpr std::uint32_t lanes = 4;
    static constexpr std::uint32_t warps = 1;
    float v[4];
    static Vector load(const float* p) { return {{p[0], p[1], p[2], p[3]}}; }
    static Vector repeat4(const float* p) { return load(p); }
    void store(float* p) const { std::memcpy(p, v, sizeof(v)); }
    void add(Vector a, Vector b)
    {
        for (std::uint32_t i = 0; i < 4; ++i) {
            v[i] += a.v[i] * b.v[i];
        }
    }
};
#endif

void expandA(const float* a, std::uint32_t k, float* out)
{
    for (std::uint32_t kk = 0; kk < k; ++kk) {
        float* to = out + std::size_t{kk} * 256;
        for (std::uint32_t row = 0; row < 64; ++row) {
            const float value = a[std::size_t{row} * k + kk];
            for (std::uint32_t copy = 0; copy < 4; ++copy) {
                to[row * 4 + copy] = value;
            }
        }
    }
}

inline float widened(std::uint16_t bits, SmallFormat format)
{
    return format == SmallFormat::Brain ? brainToFloat(bits) : halfToFloat(bits);
}

/// Place of row n within its group of eight: even rows first.
constexpr std::uint32_t placeOf(std::uint32_t n)
{
    return (n & 1U) * 4 + (n >> 1U);
}

template <SmallFormat format>
void packPieces(
    const std::byte* const* pieces, bool mnMajor, std::uint32_t n, std::uint32_t k, float sign, float* out)
{
    if (mnMajor) {
        for (std::uint32_t i = 0; i < n / 8; ++i) {
            for (std::uint32_t kk = 0; kk < k; ++kk) {
                std::uint16_t bits[8];
                std::memcpy(bits, pieces[i * k + kk], 16);
                float* to = out + std::size_t{kk} * n + std::size_t{i} * 8;
                for (std::uint32_t r = 0; r < 8; ++r) {
                    to[placeOf(r)] = sign * widened(bits[r], format);
                }
            }
        }
        return;
    }
    const std::uint32_t chunks = k / 8;
    for (std::uint32_t i = 0; i < n / 8; ++i) {
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
            std::uint16_t bits[8][8];
            for (std::uint32_t r = 0; r < 8; ++r) {
                std::memcpy(bits[r], pieces[(i * 8 + r) * chunks + chunk], 16);
            }
            float* to = out + std::size_t{chunk} * 8 * n + std::size_t{i} * 8;
            for (std::uint32_t kk = 0; kk < 8; ++kk) {
                for (std::uint32_t r = 0; r < 8; ++r) {
                    to[std::size_t{kk} * n + placeOf(r)] = sign * widened(bits[r][kk], format);
                }
            }
        }
    }
}

void packB(const std::byte* const* pieces, bool mnMajor, SmallFormat format, std::uint32_t n, std::uint32_t k,
    float sign, float* out)
{
    if (format == SmallFormat::Brain) {
        packPieces<SmallFormat::Brain>(pieces, mnMajor, n, k, sign, out);
    } else {
        packPieces<SmallFormat::Half>(pieces, mnMajor, n, k, sign, out);
    }
}

void packFloatB(const float* b, std::uint32_t n, std::uint32_t k, float* out)
{
    for (std::uint32_t row = 0; row < n; ++row) {
        for (std::uint32_t kk = 0; kk < k; ++kk) {
            out[std::size_t{kk} * n + (row & ~7U) + placeOf(row & 7U)] = b[std::size_t{row} * k + kk];
        }
    }
}

void warpgroup(float* const* acc, const float* a, const float* b, std::uint32_t n, std::uint32_t k)
{
    constexpr std::uint32_t parts = 32 / Vector::lanes;
    constexpr std::uint32_t warps = Vector::warps;
    const std::uint32_t registers = n / 2;
    for (std::uint32_t first = 0; first < 4; first += warps) {
        for (std::uint32_t group = 0; group < n / 4; ++group) { // 8 columns and a parity
            float* rows[warps][2];
            Vector sum[warps][2][parts];
            const std::uint32_t i = (group >> 1U) * 4 + (group & 1U);
            for (std::uint32_t w = 0; w < warps; ++w) {
                for (std::uint32_t h = 0; h < 2; ++h) {
                    rows[w][h] = acc[(first + w) * registers + i + 2 * h];
                    for (std::uint32_t p = 0; p < parts; ++p) {
                        sum[w][h][p] = Vector::load(rows[w][h] + p * Vector::lanes);
                    }
                }
            }
            const float* from = a + std::size_t{first} * 64;
            for (std::uint32_t kk = 0; kk < k; ++kk) {
                const Vector column = Vector::repeat4(b + std::size_t{kk} * n + std::size_t{group} * 4);
                for (std::uint32_t w = 0; w < warps; ++w) {
                    for (std::uint32_t h = 0; h < 2; ++h) {
                        for (std::uint32_t p = 0; p < parts; ++p) {
                            sum[w][h][p].add(
                                Vector::load(from + w * 64 + h * 32 + p * Vector::lanes), column);
                        }
                    }
                }
                from += 256;
            }
            for (std::uint32_t w = 0; w < warps; ++w) {
                for (std::uint32_t h = 0; h < 2; ++h) {
                    for (std::uint32_t p = 0; p < parts; ++p) {
                        sum[w][h][p].store(rows[w][h] + p * Vector::lanes);
                    }
                }
            }
        }
    }
}

/// The two elements of 32 registers, as floats.
template <SmallFormat format> inline void widenPairs(const std::uint32_t* from, float* low, float* high)
{
    for (std::uint32_t l = 0; l < 32; ++l) {
        low[l] = widened(static_cast<std::uint16_t>(from[l]), format);
        high[l] = widened(static_cast<std::uint16_t>(from[l] >> 16U), format);
    }
}

// Eight floats: a row of D.
#if defined(__AVX2__)
struct Row {
    __m256 v;
    static Row load(const float* p) { return {_mm256_load_ps(p)}; }
    void store(float* p) const { _mm256_store_ps(p, v); }
    void add(float a, Row b) { v = _mm256_fmadd_ps(_mm256_set1_ps(a), b.v, v); }
};
#else
struct Row {
    float v[8];
    static Row load(const float* p)
    {
        Row r;
        std::memcpy(r.v, p, sizeof(r.v));
        return r;
    }
    void store(float* p) const { std::memcpy(p, v, sizeof(v)); }
    void add(float a, Row b)
    {
        for (std::uint32_t i = 0; i < 8; ++i) {
            v[i] += a * b.v[i];
        }
    }
};
#endif

/// A register's 32 lanes are 8 rows of 4 pairs: row-major 8 x 8 blocks of A, of B^T, and (two registers) of
/// D.
template <SmallFormat format>
void mmaSmall(std::uint32_t* const* d, const std::uint32_t* const* a, const std::uint32_t* const* b,
    const std::uint32_t* const* c, std::uint32_t k)
{
    alignas(64) float fa[4][2][32]; // [register][element of the pair][lane]
    alignas(64) float fb[16][8]; // [k][n]
    const std::uint32_t halves = k / 8;
    for (std::uint32_t half = 0; half < halves; ++half) {
        for (std::uint32_t top = 0; top < 2; ++top) {
            auto& to = fa[half * 2 + top];
            widenPairs<format>(a[half * 2 + top], to[0], to[1]);
        }
        alignas(64) float low[32];
        alignas(64) float high[32];
        widenPairs<format>(b[half], low, high);
        for (std::uint32_t pair = 0; pair < 4; ++pair) {
            for (std::uint32_t n = 0; n < 8; ++n) {
                fb[half * 8 + pair * 2][n] = low[n * 4 + pair];
                fb[half * 8 + pair * 2 + 1][n] = high[n * 4 + pair];
            }
        }
    }
    for (std::uint32_t top = 0; top < 2; ++top) {
        alignas(64) float flat[64];
        const auto* even = reinterpret_cast<const float*>(c[top * 2]);
        const auto* odd = reinterpret_cast<const float*>(c[top * 2 + 1]);
        for (std::uint32_t l = 0; l < 32; ++l) {
            flat[2 * l] = even[l];
            flat[2 * l + 1] = odd[l];
        }
        Row sum[8];
        for (std::uint32_t row = 0; row < 8; ++row) {
            sum[row] = Row::load(flat + row * 8);
        }
        for (std::uint32_t half = 0; half < halves; ++half) {
            const auto& from = fa[half * 2 + top];
            for (std::uint32_t kk = 0; kk < 8; ++kk) {
                const Row columns = Row::load(fb[half * 8 + kk]);
                const float* column = from[kk & 1U] + (kk >> 1U);
                for (std::uint32_t row = 0; row < 8; ++row) {
                    sum[row].add(column[row * 4], columns);
                }
            }
        }
        for (std::uint32_t row = 0; row < 8; ++row) {
            sum[row].store(flat + row * 8);
        }
        auto* evenOut = reinterpret_cast<float*>(d[top * 2]);
        auto* oddOut = reinterpret_cast<float*>(d[top * 2 + 1]);
        for (std::uint32_t l = 0; l < 32; ++l) {
            evenOut[l] = flat[2 * l];
            oddOut[l] = flat[2 * l + 1];
        }
    }
}

void mma16(std::uint32_t* const* d, const std::uint32_t* const* a, const std::uint32_t* const* b,
    const std::uint32_t* const* c, SmallFormat format, std::uint32_t k)
{
    if (format == SmallFormat::Brain) {
        mmaSmall<SmallFormat::Brain>(d, a, b, c, k);
    } else {
        mmaSmall<SmallFormat::Half>(d, a, b, c, k);
    }
}

/// Four rows of A against four rows of B at once, vector lanes along k.
void gemmRows(const float* a, const float* b, float* c, std::size_t first, std::size_t last, std::size_t n,
    std::size_t k)
{
    constexpr std::size_t block = 4;
    constexpr std::size_t columnsAtOnce = 64;
    for (std::size_t n0 = 0; n0 < n; n0 += columnsAtOnce) {
        const std::size_t n1 = n0 + columnsAtOnce < n ? n0 + columnsAtOnce : n;
        for (std::size_t m = first; m < last; m += block) {
            const std::size_t rows = last - m < block ? last - m : block;
            for (std::size_t j = n0; j < n1; j += block) {
                const std::size_t columns = n1 - j < block ? n1 - j : block;
                Vector sum[block][block];
                for (auto& line : sum) {
                    for (auto& s : line) {
                        alignas(64) const float zero[16] = {};
                        s = Vector::load(zero);
                    }
                }
                const float* pa[block];
                const float* pb[block];
                for (std::size_t r = 0; r < block; ++r) {
                    pa[r] = a + (m + (r < rows ? r : 0)) * k;
                    pb[r] = b + (j + (r < columns ? r : 0)) * k;
                }
                std::size_t kk = 0;
                for (; kk + Vector::lanes <= k; kk += Vector::lanes) {
                    Vector vb[block];
                    for (std::size_t r = 0; r < block; ++r) {
                        vb[r] = Vector::load(pb[r] + kk);
                    }
                    for (std::size_t r = 0; r < block; ++r) {
                        const Vector va = Vector::load(pa[r] + kk);
                        for (std::size_t q = 0; q < block; ++q) {
                            sum[r][q].add(va, vb[q]);
                        }
                    }
                }
                for (std::size_t r = 0; r < rows; ++r) {
                    for (std::size_t q = 0; q < columns; ++q) {
                        alignas(64) float lanes[Vector::lanes];
                        sum[r][q].store(lanes);
                        double total = 0;
                        for (const float lane : lanes) {
                            total += static_cast<double>(lane);
                        }
                        for (std::size_t rest = kk; rest < k; ++rest) {
                            total += static_cast<double>(pa[r][rest]) * static_cast<double>(pb[q][rest]);
                        }
                        c[(m + r) * n + j + q] = static_cast<float>(total);
                    }
                }
            }
        }
    }
}

// Flattened: no function of the shared header may be left out of line here, compiled for this instruction
// set.
[[gnu::flatten]] void fillNormals(
    std::uint64_t seed, std::uint32_t buffer, std::uint64_t first, std::uint64_t last, float* out)
{
    for (std::uint64_t i = first; i < last; ++i) {
        out[i - first] = normalFromBits(mixedBits(seed, buffer, i));
    }
}

} // namespace

MatrixKernels kernels()
{
    return {expandA, packB, packFloatB, warpgroup, measuredSums, mma16, gemmRows, fillNormals};
}

} // namespace ptxwb::emulator::PTXWB_MATRIX
