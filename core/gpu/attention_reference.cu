// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/oracle_kernels.h"

#include "core/gpu/element_access.cuh"

namespace ptxwb::gpu {

namespace {

// A block makes 32 queries of one head, keys 32 at a time; everything is float64 in shared memory:
// Q 32 x D, one buffer for K and then V, and the 32 x 32 scores.
constexpr int queries = 32;
constexpr int keys = 32;
constexpr int threads = 256;
constexpr int maxD = static_cast<int>(maxReferenceHeadDim);
constexpr int pitch = maxD + 1;
constexpr int scorePitch = keys + 1;
constexpr int perThread = maxD * queries / threads; // outputs: 4 rows x 4 columns, 8 and 32 apart

struct Shared {
    double q[queries][pitch];
    double kv[keys][pitch];
    double scores[queries][scorePitch];
    double rowMax[queries];
    double rowSum[queries];
    double rescale[queries];
};

__device__ void loadRows(double (&shared)[queries][pitch], const void* tensor, ElementKind kind,
    std::int64_t base, std::int64_t row0, std::int64_t rows, int d)
{
    for (int i = threadIdx.x; i < queries * d; i += threads) {
        const int row = i / d;
        const int column = i % d;
        shared[row][column] =
            row0 + row < rows ? loadElement(tensor, kind, base + (row0 + row) * d + column) : 0.0;
    }
}

/// Scores of this key tile: thread t makes rows t/16 and t/16 + 16, columns t%16 and t%16 + 16.
__device__ void makeScores(
    Shared& shared, std::int64_t query0, std::int64_t key0, std::int64_t s, int d, double scale, bool causal)
{
    const int ty = threadIdx.x / 16;
    const int tx = threadIdx.x % 16;
    double sums[2][2] = {};
    for (int e = 0; e < d; ++e) {
        const double q0 = shared.q[ty][e];
        const double q1 = shared.q[ty + 16][e];
        const double k0 = shared.kv[tx][e];
        const double k1 = shared.kv[tx + 16][e];
        sums[0][0] = fma(q0, k0, sums[0][0]);
        sums[0][1] = fma(q0, k1, sums[0][1]);
        sums[1][0] = fma(q1, k0, sums[1][0]);
        sums[1][1] = fma(q1, k1, sums[1][1]);
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            const std::int64_t query = query0 + ty + 16 * i;
            const std::int64_t key = key0 + tx + 16 * j;
            const bool seen = key < s && (!causal || key <= query);
            shared.scores[ty + 16 * i][tx + 16 * j] = seen ? scale * sums[i][j] : -HUGE_VAL;
        }
    }
}

/// Turns scores into exp(score - running maximum); one warp takes four rows in turn, a lane one key.
__device__ void softmaxRows(Shared& shared)
{
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    for (int row = warp; row < queries; row += threads / 32) {
        const double score = shared.scores[row][lane];
        double top = score;
        for (int offset = 16; offset > 0; offset /= 2) {
            top = fmax(top, __shfl_xor_sync(0xFFFFFFFFU, top, offset));
        }
        const double before = shared.rowMax[row];
        const double now = fmax(before, top);
        const double p = isinf(score) ? 0.0 : exp(score - now);
        double sum = p;
        for (int offset = 16; offset > 0; offset /= 2) {
            sum += __shfl_xor_sync(0xFFFFFFFFU, sum, offset);
        }
        shared.scores[row][lane] = p;
        __syncwarp();
        if (lane == 0) {
            const double shrink = isinf(before) ? 0.0 : exp(before - now);
            shared.rescale[row] = shrink;
            shared.rowMax[row] = now;
            shared.rowSum[row] = shared.rowSum[row] * shrink + sum;
        }
    }
}

template <ElementKind kind>
__global__ void __launch_bounds__(threads) attentionKernel(AttentionProblem problem, const void* q,
    const void* k, const void* v, void* o, ElementKind oKind, float* lse)
{
    extern __shared__ double raw[];
    Shared& shared = *reinterpret_cast<Shared*>(raw);
    const std::int64_t s = problem.s;
    const int d = static_cast<int>(problem.d);
    const bool causal = problem.causal;
    const auto factor = [](const float* value) {
        return value == nullptr ? 1.0 : static_cast<double>(*value);
    };
    const double scale = problem.scale * factor(problem.factorQ) * factor(problem.factorK);
    const double outScale = factor(problem.factorV);
    const std::int64_t head = blockIdx.y;
    const std::int64_t query0 = static_cast<std::int64_t>(blockIdx.x) * queries;
    const std::int64_t base = head * s * d;
    loadRows(shared.q, q, kind, base, query0, s, d);
    if (threadIdx.x < queries) {
        shared.rowMax[threadIdx.x] = -HUGE_VAL;
        shared.rowSum[threadIdx.x] = 0;
    }
    const int ty = threadIdx.x / 32; // rows ty + 8 i
    const int tx = threadIdx.x % 32; // columns tx + 32 j
    double sums[4][4] = {};
    const std::int64_t keyEnd = causal ? min(s, query0 + queries) : s;
    for (std::int64_t key0 = 0; key0 < keyEnd; key0 += keys) {
        __syncthreads();
        loadRows(shared.kv, k, kind, base, key0, s, d);
        __syncthreads();
        makeScores(shared, query0, key0, s, d, scale, causal);
        __syncthreads();
        softmaxRows(shared);
        loadRows(shared.kv, v, kind, base, key0, s, d);
        __syncthreads();
        for (int i = 0; i < 4; ++i) {
            const double shrink = shared.rescale[ty + 8 * i];
            for (int j = 0; j < 4; ++j) {
                sums[i][j] *= shrink;
            }
        }
        for (int key = 0; key < keys; ++key) {
            double fromP[4];
            double fromV[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                fromP[i] = shared.scores[ty + 8 * i][key];
                fromV[i] = tx + 32 * i < d ? shared.kv[key][tx + 32 * i] : 0.0;
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    sums[i][j] = fma(fromP[i], fromV[j], sums[i][j]);
                }
            }
        }
    }
    static_assert(perThread == 16, "4 x 4 outputs a thread");
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = ty + 8 * i;
        if (query0 + row >= s) {
            continue;
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            if (tx + 32 * j < d) {
                storeElement(o, oKind, static_cast<std::uint64_t>(base + (query0 + row) * d + tx + 32 * j),
                    outScale * sums[i][j] / shared.rowSum[row]);
            }
        }
        if (tx == 0) {
            lse[head * s + query0 + row] = static_cast<float>(shared.rowMax[row] + log(shared.rowSum[row]));
        }
    }
}

template <ElementKind kind>
cudaError_t launch(const AttentionProblem& problem, const void* q, const void* k, const void* v, void* o,
    ElementKind oKind, float* lse, cudaStream_t stream)
{
    const cudaError_t granted = cudaFuncSetAttribute(
        attentionKernel<kind>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof(Shared)));
    if (granted != cudaSuccess) {
        return granted;
    }
    const dim3 grid(
        static_cast<unsigned>((problem.s + queries - 1) / queries), static_cast<unsigned>(problem.batches));
    attentionKernel<kind><<<grid, threads, sizeof(Shared), stream>>>(problem, q, k, v, o, oKind, lse);
    return cudaGetLastError();
}

} // namespace

cudaError_t attentionReference(const AttentionProblem& problem, const void* q, const void* k, const void* v,
    void* o, ElementKind oKind, float* lse, cudaStream_t stream)
{
    switch (problem.kind) {
    case ElementKind::Bf16:
        return launch<ElementKind::Bf16>(problem, q, k, v, o, oKind, lse, stream);
    case ElementKind::F16:
        return launch<ElementKind::F16>(problem, q, k, v, o, oKind, lse, stream);
    case ElementKind::F32:
        return launch<ElementKind::F32>(problem, q, k, v, o, oKind, lse, stream);
    case ElementKind::E4m3:
        return launch<ElementKind::E4m3>(problem, q, k, v, o, oKind, lse, stream);
    case ElementKind::E5m2:
        return launch<ElementKind::E5m2>(problem, q, k, v, o, oKind, lse, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace ptxwb::gpu
