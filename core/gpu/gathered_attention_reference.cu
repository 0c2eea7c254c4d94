// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/element_access.cuh"
#include "core/gpu/oracle_kernels.h"

namespace ptxwb::gpu {

namespace {

// A block makes one head of one query: a thread scores one key of 128 at a time, then owns some dimensions of
// the sum. Plain, and fast enough for the shapes of serving.
constexpr int threads = 128;
constexpr int mostDim = 1024;
constexpr int mostPerThread = mostDim / threads;

struct Shared {
    double q[mostDim];
    double weights[threads];
    double warps[threads / 32];
};

/// The block's largest value or its sum, the same in every thread.
template <bool wantsSum> __device__ double overBlock(double value, Shared& shared)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        const double other = __shfl_xor_sync(0xFFFFFFFFU, value, offset);
        value = wantsSum ? value + other : fmax(value, other);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        shared.warps[threadIdx.x / 32] = value;
    }
    __syncthreads();
    value = shared.warps[0];
    for (int warp = 1; warp < threads / 32; ++warp) {
        value = wantsSum ? value + shared.warps[warp] : fmax(value, shared.warps[warp]);
    }
    return value;
}

/// The sequence of a token: the last one that begins at or before it.
__device__ std::int64_t sequenceOf(const GatheredProblem& p, std::int64_t token)
{
    if (p.qoIndptr == nullptr) {
        return token;
    }
    std::int64_t low = 0;
    std::int64_t high = p.sequences;
    while (high - low > 1) {
        const std::int64_t middle = (low + high) / 2;
        (p.qoIndptr[middle] <= token ? low : high) = middle;
    }
    return low;
}

template <ElementKind kind> __device__ double load(const void* data, std::int64_t i)
{
    return loadElement(data, kind, static_cast<std::uint64_t>(i));
}

template <ElementKind kind>
__global__ void __launch_bounds__(threads) gatheredKernel(GatheredProblem p, float* o, float* lse)
{
    __shared__ Shared shared;
    const int thread = static_cast<int>(threadIdx.x);
    const std::int64_t token = blockIdx.x;
    const int head = static_cast<int>(blockIdx.y);
    const std::int64_t row = token * p.queryHeads + head;
    const int keyHead = head / (p.queryHeads / p.keyHeads);
    const std::int64_t sequence = sequenceOf(p, token);
    const std::int64_t endToken = p.qoIndptr == nullptr ? token + 1 : p.qoIndptr[sequence + 1];
    const std::int64_t firstKey = p.kvIndptr[sequence];
    const std::int64_t keyCount = p.kvIndptr[sequence + 1] - firstKey;
    const std::int64_t seen = p.causal ? max(std::int64_t{0}, keyCount - (endToken - 1 - token)) : keyCount;
    for (int e = thread; e < p.keyDim + p.extraDim; e += threads) {
        shared.q[e] = e < p.keyDim ? load<kind>(p.q, row * p.keyDim + e)
                                   : load<kind>(p.qExtra, row * p.extraDim + e - p.keyDim);
    }
    __syncthreads();
    const double scale = *p.scale;
    double sums[mostPerThread] = {};
    double largest = -HUGE_VAL;
    double total = 0;
    for (std::int64_t first = 0; first < seen; first += threads) {
        double score = -HUGE_VAL;
        if (first + thread < seen) {
            const std::int64_t key = firstKey + first + thread;
            const std::int64_t slot = p.kvIndices == nullptr ? key : p.kvIndices[key];
            double sum = 0;
            for (int e = 0; e < p.keyDim; ++e) {
                sum = fma(shared.q[e], load<kind>(p.k, (slot * p.keyHeads + keyHead) * p.keyDim + e), sum);
            }
            for (int e = 0; e < p.extraDim; ++e) {
                sum = fma(shared.q[p.keyDim + e], load<kind>(p.kExtra, slot * p.extraDim + e), sum);
            }
            score = scale * sum;
        }
        const double now = fmax(largest, overBlock<false>(score, shared));
        const double weight = isinf(score) ? 0.0 : exp(score - now);
        const double shrink = isinf(largest) ? 0.0 : exp(largest - now);
        total = total * shrink + overBlock<true>(weight, shared);
        largest = now;
        shared.weights[thread] = weight;
        __syncthreads();
        const int count = static_cast<int>(min(static_cast<std::int64_t>(threads), seen - first));
        for (int d = 0; d * threads + thread < p.valueDim; ++d) {
            sums[d] *= shrink;
        }
        for (int j = 0; j < count; ++j) {
            const std::int64_t key = firstKey + first + j;
            const std::int64_t slot = p.kvIndices == nullptr ? key : p.kvIndices[key];
            const std::int64_t base = (slot * p.keyHeads + keyHead) * p.valueDim;
            for (int d = 0; d * threads + thread < p.valueDim; ++d) {
                sums[d] = fma(shared.weights[j], load<kind>(p.v, base + d * threads + thread), sums[d]);
            }
        }
        __syncthreads();
    }
    for (int d = 0; d * threads + thread < p.valueDim; ++d) {
        o[row * p.valueDim + d * threads + thread] = seen > 0 ? static_cast<float>(sums[d] / total) : 0.0F;
    }
    if (thread == 0) {
        constexpr double log2e = 1.4426950408889634074;
        lse[row] = seen > 0 ? static_cast<float>((largest + log(total)) * log2e) : -HUGE_VALF;
    }
}

template <ElementKind kind>
cudaError_t launch(const GatheredProblem& problem, float* o, float* lse, cudaStream_t stream)
{
    const dim3 grid(static_cast<unsigned>(problem.tokens), static_cast<unsigned>(problem.queryHeads));
    gatheredKernel<kind><<<grid, threads, 0, stream>>>(problem, o, lse);
    return cudaGetLastError();
}

} // namespace

cudaError_t gatheredAttentionReference(
    const GatheredProblem& problem, float* o, float* lse, cudaStream_t stream)
{
    switch (problem.kind) {
    case ElementKind::Bf16:
        return launch<ElementKind::Bf16>(problem, o, lse, stream);
    case ElementKind::F16:
        return launch<ElementKind::F16>(problem, o, lse, stream);
    case ElementKind::F32:
        return launch<ElementKind::F32>(problem, o, lse, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace ptxwb::gpu
