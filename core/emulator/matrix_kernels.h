// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ptxwb::emulator {

/// 16-bit element formats that have a fast path.
enum class SmallFormat : std::uint8_t { Half, Brain };

/// How the tensor cores of an H200 add, as recorded (tests/emulator/differential): the products and C are cut
/// to `fraction` bits below the largest power of two among them, then added without rounding. A product's
/// power is the sum of its factors'; that of a subnormal number is the least of its format.
struct SumFormat {
    std::int32_t leastOfA = -126;
    std::int32_t leastOfB = -126;
    std::int32_t leastOfC = -126;
    std::uint32_t fraction = 25;
};

/// Inner loops of the matrix instructions, one set per instruction set. Products are exact, sums are float32
/// in order of k.
struct MatrixKernels {
    /// a [64][k] float -> the layout that `warpgroup` reads: [k][warp][half][lane].
    void (*expandA)(const float* a, std::uint32_t k, float* out) = nullptr;
    /// Pieces of 16 bytes (8 elements) of B -> [k][n/8][parity][4]. K-major: pieces[n * (k/8) + j] holds k =
    /// 8j.. of row n. MN-major: pieces[i * k + kk] holds rows 8i.. of column kk.
    void (*packB)(const std::byte* const* pieces, bool mnMajor, SmallFormat format, std::uint32_t n,
        std::uint32_t k, float sign, float* out) = nullptr;
    /// The same from b [n][k] float.
    void (*packFloatB)(const float* b, std::uint32_t n, std::uint32_t k, float* out) = nullptr;
    /// D += A B^T for 64 x n. acc[warp * (n/2) + i]: 32 lanes of accumulator register i.
    void (*warpgroup)(
        float* const* acc, const float* a, const float* b, std::uint32_t n, std::uint32_t k) = nullptr;
    /// d[m][n] = c[m][n] + sum over k of a[m][k] b[k][n] as an H200 adds, not yet rounded; n up to 256.
    void (*sums)(const float* a, const float* b, const float* c, double* d, std::uint32_t m, std::uint32_t n,
        std::uint32_t k, const SumFormat& format) = nullptr;
    /// mma.m16n8k{8,16} of 16-bit types with float32 accumulators: rows of 32 lanes each. k8: a[0..1], b[0].
    void (*mma16)(std::uint32_t* const* d, const std::uint32_t* const* a, const std::uint32_t* const* b,
        const std::uint32_t* const* c, SmallFormat format, std::uint32_t k) = nullptr;
    /// c[m][n] = sum over k of a[m][k] b[n][k], rows k apart; for the oracle. Block of rows [first, last).
    void (*gemmRows)(const float* a, const float* b, float* c, std::size_t first, std::size_t last,
        std::size_t n, std::size_t k) = nullptr;
    /// Elements [first, last) of a random buffer as fillOnHost makes them, in float32.
    void (*fillNormals)(std::uint64_t seed, std::uint32_t buffer, std::uint64_t first, std::uint64_t last,
        float* out) = nullptr;
};

/// The fastest set that this CPU can run.
const MatrixKernels& matrixKernels();

} // namespace ptxwb::emulator
