// SPDX-License-Identifier: Apache-2.0
//
// Grouped-query attention, causal prefill of sequences that lie one behind the other, the plain way.
//   A block takes one head of one query; a thread scores one key of 128 at a time, then owns some dimensions of the sum.
//   Everything is added in float32; the statistics are to base 2.
//
/* @launch {
  "launches": [ {
    "kernel": "gathered_plain",
    "grid": [ "total_q", 32, 1 ],
    "block": [ 128, 1, 1 ],
    "args": [ {"tensor": "q"}, {"tensor": "k"}, {"tensor": "v"}, {"tensor": "qo_indptr"}, {"tensor": "kv_indptr"},
              {"tensor": "sm_scale"}, {"tensor": "output"}, {"tensor": "lse"}, {"i32": "len_indptr - 1"} ]
  } ]
} */
#include <cuda_bf16.h>

constexpr int queryHeads = 32;
constexpr int keyHeads = 4;
constexpr int keyDim = 128;
constexpr int extraDim = 0; // of a second part of query and key; 0: there is none
constexpr int valueDim = 128;
constexpr bool causal = true;
constexpr int threads = 128;
constexpr int share = (valueDim + threads - 1) / threads;

__device__ float overBlock(float value, bool wantsSum, float (&warps)[4])
{
    for (int offset = 16; offset > 0; offset /= 2) {
        const float other = __shfl_xor_sync(0xFFFFFFFFu, value, offset);
        value = wantsSum ? value + other : fmaxf(value, other);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = value;
    }
    __syncthreads();
    return wantsSum ? warps[0] + warps[1] + warps[2] + warps[3]
                    : fmaxf(fmaxf(warps[0], warps[1]), fmaxf(warps[2], warps[3]));
}

extern "C" __global__ void __launch_bounds__(threads) gathered_plain(const __nv_bfloat16* q, const __nv_bfloat16* k,
    const __nv_bfloat16* v, const int* qoIndptr, const int* kvIndptr, const float* smScale, __nv_bfloat16* output,
    float* lse, int sequences)
{
    __shared__ float query[keyDim + extraDim];
    __shared__ float weights[threads];
    __shared__ float warps[4];
    const int token = blockIdx.x;
    const int head = blockIdx.y;
    const size_t row = static_cast<size_t>(token) * queryHeads + head;
    const int keyHead = head / (queryHeads / keyHeads);
    int sequence = 0;
    while (sequence + 1 < sequences && qoIndptr[sequence + 1] <= token) {
        ++sequence;
    }
    const int endToken = qoIndptr[sequence + 1];
    const int firstKey = kvIndptr[sequence];
    const int keyCount = kvIndptr[sequence + 1] - firstKey;
    const int seen = causal ? max(0, keyCount - (endToken - 1 - token)) : keyCount;
    const float scale = *smScale;
    for (int e = threadIdx.x; e < keyDim + extraDim; e += threads) {
        query[e] = __bfloat162float(q[row * keyDim + e]);
    }
    __syncthreads();
    float sums[share] = {};
    float largest = -INFINITY;
    float total = 0;
    for (int first = 0; first < seen; first += threads) {
        float score = -INFINITY;
        if (first + static_cast<int>(threadIdx.x) < seen) {
            const size_t slot = firstKey + first + threadIdx.x;
            float sum = 0;
            for (int e = 0; e < keyDim; ++e) {
                sum = fmaf(query[e], __bfloat162float(k[(slot * keyHeads + keyHead) * keyDim + e]), sum);
            }
            score = scale * sum;
        }
        const float now = fmaxf(largest, overBlock(score, false, warps));
        const float weight = expf(score - now);
        const float shrink = expf(largest - now);
        total = total * shrink + overBlock(weight, true, warps);
        largest = now;
        weights[threadIdx.x] = weight;
        __syncthreads();
        for (int i = 0; i < share; ++i) {
            sums[i] *= shrink;
        }
        for (int j = 0; j < min(threads, seen - first); ++j) {
            const size_t slot = firstKey + first + j;
            const size_t base = (slot * keyHeads + keyHead) * valueDim;
            for (int i = 0; i < share; ++i) {
                const int e = i * threads + threadIdx.x;
                if (e < valueDim) {
                    sums[i] = fmaf(weights[j], __bfloat162float(v[base + e]), sums[i]);
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < share; ++i) {
        const int e = i * threads + threadIdx.x;
        if (e < valueDim) {
            output[row * valueDim + e] = __float2bfloat16(seen > 0 ? sums[i] / total : 0.0f);
        }
    }
    if (threadIdx.x == 0) {
        lse[row] = seen > 0 ? largest * 1.44269504f + log2f(total) : -INFINITY;
    }
}
