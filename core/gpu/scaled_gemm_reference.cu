// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/double_tile.cuh"
#include "core/gpu/oracle_kernels.h"

namespace ptxwb::gpu {

namespace {

using namespace tiles;

constexpr std::int64_t factorColumns = 128;
static_assert(factorColumns % depth == 0, "a slice of the sum lies within one factor");

/// loadAlongRows, each element times the factor of its 128 columns.
__device__ void loadScaled(Panel& panel, const void* matrix, ElementKind kind, const float* factors,
    std::int64_t rowsPerFactor, std::int64_t row0, std::int64_t rows, std::int64_t k0, std::int64_t k)
{
    const std::int64_t block = k0 / factorColumns;
    for (int i = static_cast<int>(threadIdx.x); i < tile * depth; i += threads) {
        const std::int64_t row = row0 + i / depth;
        const int column = i % depth;
        double value = 0;
        if (row < rows && k0 + column < k) {
            value = loadElement(matrix, kind, static_cast<std::uint64_t>(row * k + k0 + column))
                * static_cast<double>(factors[row / rowsPerFactor * (k / factorColumns) + block]);
        }
        panel[column][i / depth] = value;
    }
}

__global__ void __launch_bounds__(threads) scaledGemmKernel(
    ScaledGemmProblem problem, const void* a, const float* sfa, const void* b, const float* sfb, float* c)
{
    __shared__ Panel panelA;
    __shared__ Panel panelB;
    const std::int64_t row0 = static_cast<std::int64_t>(blockIdx.y) * tile;
    const std::int64_t column0 = static_cast<std::int64_t>(blockIdx.x) * tile;
    Sums sums = {};
    for (std::int64_t k0 = 0; k0 < problem.k; k0 += depth) {
        loadScaled(panelA, a, problem.kind, sfa, 1, row0, problem.m, k0, problem.k);
        loadScaled(panelB, b, problem.kind, sfb, problem.bRows, column0, problem.n, k0, problem.k);
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
            if (row < problem.m && column < problem.n) {
                c[row * problem.n + column] = static_cast<float>(sums[i][j]);
            }
        }
    }
}

__global__ void transposeKernel(const float* in, float* out, std::int64_t rows, std::int64_t columns)
{
    const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
    for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
         i < rows * columns; i += step) {
        out[i] = in[i % rows * columns + i / rows];
    }
}

} // namespace

cudaError_t gemmNtScaledReference(const ScaledGemmProblem& problem, const void* a, const float* sfa,
    const void* b, const float* sfb, float* c, cudaStream_t stream)
{
    const dim3 grid(static_cast<unsigned>((problem.n + tile - 1) / tile),
        static_cast<unsigned>((problem.m + tile - 1) / tile));
    scaledGemmKernel<<<grid, threads, 0, stream>>>(problem, a, sfa, b, sfb, c);
    return cudaGetLastError();
}

cudaError_t transposeFloats(
    const float* in, float* out, std::int64_t rows, std::int64_t columns, cudaStream_t stream)
{
    transposeKernel<<<256, 256, 0, stream>>>(in, out, rows, columns);
    return cudaGetLastError();
}

} // namespace ptxwb::gpu
