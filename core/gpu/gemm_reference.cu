// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/double_tile.cuh"
#include "core/gpu/oracle_kernels.h"

namespace ptxwb::gpu {

namespace {

using namespace tiles;

template <ElementKind kind>
__global__ void __launch_bounds__(threads)
    gemmKernel(const void* a, const void* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k)
{
    __shared__ Panel panelA;
    __shared__ Panel panelB;
    const std::int64_t row0 = static_cast<std::int64_t>(blockIdx.y) * tile;
    const std::int64_t column0 = static_cast<std::int64_t>(blockIdx.x) * tile;
    Sums sums = {};
    for (std::int64_t k0 = 0; k0 < k; k0 += depth) {
        loadAlongRows(panelA, a, kind, 0, row0, m, k0, k);
        loadAlongRows(panelB, b, kind, 0, column0, n, k0, k);
        __syncthreads();
        accumulate(sums, panelA, panelB);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < perThread; ++i) {
#pragma unroll
        for (int j = 0; j < perThread; ++j) {
            const std::int64_t row = row0 + rowOf(i);
            const std::int64_t column = column0 + columnOf(j);
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
