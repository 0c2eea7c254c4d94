// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/double_tile.cuh"
#include "core/gpu/oracle_kernels.h"

#include <algorithm>

namespace ptxwb::gpu {

namespace {

using namespace tiles;

constexpr std::int64_t mostScratchBytes = std::int64_t{1} << 30;
constexpr std::int64_t mostHeadsAtOnce = 1024; // a grid's y and z end at 65535

/// The heads of one pass; p and ds hold [heads, S, S].
struct Pass {
    AttentionProblem problem{};
    AttentionBackwardInputs inputs{};
    AttentionGradients gradients{};
    std::int64_t firstHead = 0;
    double* p = nullptr;
    double* ds = nullptr;
};

std::int64_t headsAtOnce(const AttentionProblem& problem)
{
    const std::int64_t perHead = 2 * static_cast<std::int64_t>(sizeof(double)) * problem.s * problem.s;
    return std::min(
        {problem.batches, std::max<std::int64_t>(1, mostScratchBytes / perHead), mostHeadsAtOnce});
}

/// delta = rowsum(dO * O) of the tile's queries: a warp takes every eighth row.
template <ElementKind kind>
__device__ void makeDelta(double (&delta)[tile], const Pass& pass, std::int64_t base, std::int64_t query0)
{
    const int lane = static_cast<int>(threadIdx.x) % 32;
    for (int row = static_cast<int>(threadIdx.x) / 32; row < tile; row += threads / 32) {
        double sum = 0;
        if (query0 + row < pass.problem.s) {
            const std::int64_t at = base + (query0 + row) * pass.problem.d;
            for (std::int64_t e = lane; e < pass.problem.d; e += 32) {
                const auto i = static_cast<std::uint64_t>(at + e);
                sum = fma(loadElement(pass.inputs.dO, kind, i), loadElement(pass.inputs.o, kind, i), sum);
            }
        }
        for (int offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_xor_sync(0xFFFFFFFFU, sum, offset);
        }
        if (lane == 0) {
            delta[row] = sum;
        }
    }
}

/// sums = A B^T of 128 rows of each, the sum running over the head dimension.
template <ElementKind kind>
__device__ void multiplyRows(Sums& sums, Panel& panelA, Panel& panelB, const void* a, const void* b,
    const Pass& pass, std::int64_t base, std::int64_t query0, std::int64_t key0)
{
    const AttentionProblem& problem = pass.problem;
    for (std::int64_t e0 = 0; e0 < problem.d; e0 += depth) {
        __syncthreads();
        loadAlongRows(panelA, a, kind, base, query0, problem.s, e0, problem.d);
        loadAlongRows(panelB, b, kind, base, key0, problem.s, e0, problem.d);
        __syncthreads();
        accumulate(sums, panelA, panelB);
    }
}

/// P and dS of 128 queries (y) and 128 keys (x) of one head (z).
template <ElementKind kind> __global__ void __launch_bounds__(threads) scoresKernel(Pass pass)
{
    __shared__ Panel panelA;
    __shared__ Panel panelB;
    __shared__ double delta[tile];
    const AttentionProblem& problem = pass.problem;
    const std::int64_t s = problem.s;
    const std::int64_t key0 = static_cast<std::int64_t>(blockIdx.x) * tile;
    const std::int64_t query0 = static_cast<std::int64_t>(blockIdx.y) * tile;
    if (problem.causal && key0 >= query0 + tile) {
        return; // nothing is seen here, and nobody reads it
    }
    const std::int64_t head = pass.firstHead + blockIdx.z;
    const std::int64_t base = head * s * problem.d;
    const std::int64_t scores = static_cast<std::int64_t>(blockIdx.z) * s * s;
    makeDelta<kind>(delta, pass, base, query0);

    Sums sums = {};
    multiplyRows<kind>(sums, panelA, panelB, pass.inputs.q, pass.inputs.k, pass, base, query0, key0);
#pragma unroll
    for (int i = 0; i < perThread; ++i) {
        const std::int64_t query = query0 + rowOf(i);
        const double lse = query < s ? static_cast<double>(pass.inputs.lse[head * s + query]) : 0.0;
#pragma unroll
        for (int j = 0; j < perThread; ++j) {
            const std::int64_t key = key0 + columnOf(j);
            if (query < s && key < s) {
                const bool seen = !problem.causal || key <= query;
                pass.p[scores + query * s + key] = seen ? exp(problem.scale * sums[i][j] - lse) : 0.0;
            }
            sums[i][j] = 0;
        }
    }
    multiplyRows<kind>(sums, panelA, panelB, pass.inputs.dO, pass.inputs.v, pass, base, query0, key0);
#pragma unroll
    for (int i = 0; i < perThread; ++i) {
        const std::int64_t query = query0 + rowOf(i);
#pragma unroll
        for (int j = 0; j < perThread; ++j) {
            const std::int64_t key = key0 + columnOf(j);
            if (query < s && key < s) {
                // This thread wrote this P itself; keeping it would take more registers than there are.
                const std::int64_t at = scores + query * s + key;
                pass.ds[at] = problem.scale * pass.p[at] * (sums[i][j] - delta[rowOf(i)]);
            }
        }
    }
}

enum Gradient : unsigned { GradientDq, GradientDk, GradientDv, GradientCount };

/// 128 rows (x) of one gradient (z) of one head (y).
template <ElementKind kind> __global__ void __launch_bounds__(threads) gradientKernel(Pass pass)
{
    __shared__ Panel panelA;
    __shared__ Panel panelB;
    const AttentionProblem& problem = pass.problem;
    const std::int64_t s = problem.s;
    const std::int64_t d = problem.d;
    const unsigned which = blockIdx.z;
    const std::int64_t row0 = static_cast<std::int64_t>(blockIdx.x) * tile;
    const std::int64_t head = pass.firstHead + blockIdx.y;
    const std::int64_t scores = static_cast<std::int64_t>(blockIdx.y) * s * s;
    const double* const left = which == GradientDv ? pass.p : pass.ds;
    const void* const right = which == GradientDq ? pass.inputs.k
        : which == GradientDk                     ? pass.inputs.q
                                                  : pass.inputs.dO;
    float* const out = which == GradientDq ? pass.gradients.dq
        : which == GradientDk              ? pass.gradients.dk
                                           : pass.gradients.dv;
    // dQ sums over the keys that a query sees, dK and dV over the queries that see a key. Both ends lie on
    // tiles of the scores, where what is not seen is 0.
    const bool overKeys = which == GradientDq;
    const std::int64_t begin = problem.causal && !overKeys ? row0 : 0;
    const std::int64_t end = problem.causal && overKeys ? min(s, row0 + tile) : s;
    Sums sums = {};
    for (std::int64_t k0 = begin; k0 < end; k0 += depth) {
        if (overKeys) {
            loadAlongRows(panelA, left, ElementKind::F64, scores, row0, s, k0, s);
        } else {
            loadDownColumns(panelA, left, ElementKind::F64, scores, row0, s, k0, s);
        }
        loadDownColumns(panelB, right, kind, head * s * d, 0, d, k0, s);
        __syncthreads();
        accumulate(sums, panelA, panelB);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < perThread; ++i) {
        const std::int64_t row = row0 + rowOf(i);
#pragma unroll
        for (int j = 0; j < perThread; ++j) {
            if (row < s && columnOf(j) < d) {
                out[(head * s + row) * d + columnOf(j)] = static_cast<float>(sums[i][j]);
            }
        }
    }
}

template <ElementKind kind> cudaError_t launch(Pass pass, cudaStream_t stream)
{
    const std::int64_t atOnce = headsAtOnce(pass.problem);
    const auto tilesOfS = static_cast<unsigned>((pass.problem.s + tile - 1) / tile);
    for (; pass.firstHead < pass.problem.batches; pass.firstHead += atOnce) {
        const auto heads = static_cast<unsigned>(std::min(atOnce, pass.problem.batches - pass.firstHead));
        scoresKernel<kind><<<dim3(tilesOfS, tilesOfS, heads), threads, 0, stream>>>(pass);
        gradientKernel<kind><<<dim3(tilesOfS, heads, GradientCount), threads, 0, stream>>>(pass);
        if (const cudaError_t code = cudaGetLastError(); code != cudaSuccess) {
            return code;
        }
    }
    return cudaSuccess;
}

} // namespace

std::uint64_t attentionBackwardScratchBytes(const AttentionProblem& problem)
{
    return static_cast<std::uint64_t>(headsAtOnce(problem) * problem.s * problem.s) * 2 * sizeof(double);
}

cudaError_t attentionBackwardReference(const AttentionProblem& problem, const AttentionBackwardInputs& inputs,
    const AttentionGradients& gradients, void* scratch, cudaStream_t stream)
{
    static_assert(tile >= maxReferenceHeadDim, "a tile holds a row of each gradient");
    Pass pass{.problem = problem, .inputs = inputs, .gradients = gradients};
    pass.p = static_cast<double*>(scratch);
    pass.ds = pass.p + headsAtOnce(problem) * problem.s * problem.s;
    switch (problem.kind) {
    case ElementKind::Bf16:
        return launch<ElementKind::Bf16>(pass, stream);
    case ElementKind::F16:
        return launch<ElementKind::F16>(pass, stream);
    case ElementKind::F32:
        return launch<ElementKind::F32>(pass, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace ptxwb::gpu
