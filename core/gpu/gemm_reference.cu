// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/oracle_kernels.h"

#include "core/gpu/element_access.cuh"

namespace ptxwb::gpu {

namespace {

// 256 threads make a 128 x 128 tile of C, 8 x 8 each, so that one shared load feeds eight float64 FMAs.
constexpr int tile = 128;
constexpr int depth = 16;
constexpr int perThread = 8;
constexpr int threads = 256;
constexpr int pitch = tile + 2; // keeps 16-byte alignment of pairs and spreads the banks

/// Rows [row0, row0 + tile) of a row-major [rows, k] matrix, columns [k0, k0 + depth), transposed into shared
/// memory.
__device__ void loadTile(double (&shared)[depth][pitch], const void* matrix, ElementKind kind,
    std::int64_t row0, std::int64_t rows, std::int64_t k0, std::int64_t k)
{
    for (int i = threadIdx.x; i < tile * depth; i += threads) {
        const int row = i / depth;
        const int column = i % depth;
        const bool inside = row0 + row < rows && k0 + column < k;
        shared[column][row] = inside ? loadElement(matrix, kind, (row0 + row) * k + k0 + column) : 0.0;
    }
}

template <ElementKind kind>
__global__ void __launch_bounds__(threads)
    gemmKernel(const void* a, const void* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k)
{
    __shared__ double tileA[depth][pitch];
    __shared__ double tileB[depth][pitch];
    const std::int64_t row0 = static_cast<std::int64_t>(blockIdx.y) * tile;
    const std::int64_t column0 = static_cast<std::int64_t>(blockIdx.x) * tile;
    // A thread's rows and columns lie 16 apart, so that neighbouring threads read neighbouring words.
    const int ty = threadIdx.x / 16;
    const int tx = threadIdx.x % 16;
    double sums[perThread][perThread] = {};
    for (std::int64_t k0 = 0; k0 < k; k0 += depth) {
        loadTile(tileA, a, kind, row0, m, k0, k);
        loadTile(tileB, b, kind, column0, n, k0, k);
        __syncthreads();
        for (int d = 0; d < depth; ++d) {
            double fromA[perThread];
            double fromB[perThread];
#pragma unroll
            for (int i = 0; i < perThread; ++i) {
                fromA[i] = tileA[d][ty + 16 * i];
                fromB[i] = tileB[d][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < perThread; ++i) {
#pragma unroll
                for (int j = 0; j < perThread; ++j) {
                    sums[i][j] = fma(fromA[i], fromB[j], sums[i][j]);
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < perThread; ++i) {
#pragma unroll
        for (int j = 0; j < perThread; ++j) {
            const std::int64_t row = row0 + ty + 16 * i;
            const std::int64_t column = column0 + tx + 16 * j;
            if (row < m && column < n) {
                c[row * n + column] = static_cast<float>(sums[i][j]);
            }
        }
    }
}

} // namespace

cudaError_t gemmNtReference(const void* a, const void* b, ElementKind kind, float* c, std::int64_t m,
    std::int64_t n, std::int64_t k, cudaStream_t stream)
{
    const dim3 grid(
        static_cast<unsigned>((n + tile - 1) / tile), static_cast<unsigned>((m + tile - 1) / tile));
    switch (kind) {
    case ElementKind::Bf16:
        gemmKernel<ElementKind::Bf16><<<grid, threads, 0, stream>>>(a, b, c, m, n, k);
        break;
    case ElementKind::F16:
        gemmKernel<ElementKind::F16><<<grid, threads, 0, stream>>>(a, b, c, m, n, k);
        break;
    case ElementKind::F32:
        gemmKernel<ElementKind::F32><<<grid, threads, 0, stream>>>(a, b, c, m, n, k);
        break;
    default:
        return cudaErrorInvalidValue;
    }
    return cudaGetLastError();
}

} // namespace ptxwb::gpu
