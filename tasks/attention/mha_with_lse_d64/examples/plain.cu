// SPDX-License-Identifier: Apache-2.0
//
// Attention forward with log-sum-exp, head dimension 64, the plain way: multiply-adds in float32, an online softmax.
//   Four threads share a query: each holds a quarter of its dimensions, and a score is the sum over the four. A block
//   takes 32 queries of one head and walks over the keys, 32 at a time in shared memory.
//
/* @launch {
  "constants": { "ROWS": 32 },
  "launches": [ {
    "kernel": "attention_plain",
    "grid": [ "ceildiv(S, ROWS)", "B * H", 1 ],
    "block": [ 128, 1, 1 ],
    "args": [ {"tensor": "Q"}, {"tensor": "K"}, {"tensor": "V"}, {"tensor": "O"}, {"tensor": "LSE"}, {"i32": "S"} ]
  } ]
} */
#include <cuda_bf16.h>

constexpr int headDim = 64;
constexpr bool causal = false;
constexpr int rows = 32;
constexpr int share = headDim / 4; // dimensions of a thread: every fourth, so that the banks differ

extern "C" __global__ void __launch_bounds__(128) attention_plain(const __nv_bfloat16* q, const __nv_bfloat16* k,
    const __nv_bfloat16* v, __nv_bfloat16* o, float* lse, int length)
{
    __shared__ float keys[rows][headDim];
    __shared__ float values[rows][headDim];
    const int lane = threadIdx.x % 4;
    const int query = blockIdx.x * rows + threadIdx.x / 4;
    const size_t head = static_cast<size_t>(blockIdx.y) * length * headDim;
    const float scale = rsqrtf(static_cast<float>(headDim));
    float mine[share];
    float sums[share] = {};
    for (int i = 0; i < share; ++i) {
        mine[i] = query < length
            ? __bfloat162float(q[head + static_cast<size_t>(query) * headDim + 4 * i + lane]) * scale
            : 0.0f;
    }
    float largest = -INFINITY;
    float total = 0;
    const int end = causal ? min(length, static_cast<int>(blockIdx.x + 1) * rows) : length;
    for (int first = 0; first < end; first += rows) {
        __syncthreads();
        for (int i = threadIdx.x; i < rows * headDim; i += 128) {
            const int row = first + i / headDim;
            const size_t at = head + static_cast<size_t>(row) * headDim + i % headDim;
            keys[i / headDim][i % headDim] = row < length ? __bfloat162float(k[at]) : 0.0f;
            values[i / headDim][i % headDim] = row < length ? __bfloat162float(v[at]) : 0.0f;
        }
        __syncthreads();
        const int count = min(rows, end - first);
        for (int j = 0; j < count; ++j) {
            float score = 0;
            for (int i = 0; i < share; ++i) {
                score = fmaf(mine[i], keys[j][4 * i + lane], score);
            }
            score += __shfl_xor_sync(0xFFFFFFFFu, score, 1);
            score += __shfl_xor_sync(0xFFFFFFFFu, score, 2);
            if (causal && first + j > query) {
                continue; // the four threads of a query agree, and nothing below exchanges
            }
            if (score > largest) {
                const float shrink = expf(largest - score);
                total *= shrink;
                for (int i = 0; i < share; ++i) {
                    sums[i] *= shrink;
                }
                largest = score;
            }
            const float weight = expf(score - largest);
            total += weight;
            for (int i = 0; i < share; ++i) {
                sums[i] = fmaf(weight, values[j][4 * i + lane], sums[i]);
            }
        }
    }
    if (query >= length) {
        return;
    }
    for (int i = 0; i < share; ++i) {
        o[head + static_cast<size_t>(query) * headDim + 4 * i + lane] = __float2bfloat16(sums[i] / total);
    }
    if (lane == 0) {
        lse[static_cast<size_t>(blockIdx.y) * length + query] = largest + logf(total);
    }
}
