// SPDX-License-Identifier: Apache-2.0
//
// Attention backward, head dimension 64, the plain way: multiply-adds in float32, no atomics, so each run gives
// the same bits.
//   P = exp(Q K^T / sqrt(d) - L), delta = rowsum(dO * O), dS = P * (dO V^T - delta) / sqrt(d)
//   dQ = dS K, dK = dS^T Q, dV = P^T dO
//   Three launches: delta; then dQ, 32 queries a block; then dK and dV, 32 keys a block. Four threads share a row.
//
/* @launch {
  "constants": { "ROWS": 32 },
  "launches": [
    { "kernel": "backward_delta", "grid": [ "ceildiv(S, ROWS)", "B * H", 1 ], "block": [ 128, 1, 1 ],
      "args": [ {"tensor": "O"}, {"tensor": "dO"}, {"workspace": "delta"}, {"i32": "S"} ] },
    { "kernel": "backward_dq", "grid": [ "ceildiv(S, ROWS)", "B * H", 1 ], "block": [ 128, 1, 1 ],
      "args": [ {"tensor": "Q"}, {"tensor": "K"}, {"tensor": "V"}, {"tensor": "dO"}, {"tensor": "L"},
                {"workspace": "delta"}, {"tensor": "dQ"}, {"i32": "S"} ] },
    { "kernel": "backward_dkdv", "grid": [ "ceildiv(S, ROWS)", "B * H", 1 ], "block": [ 128, 1, 1 ],
      "args": [ {"tensor": "Q"}, {"tensor": "K"}, {"tensor": "V"}, {"tensor": "dO"}, {"tensor": "L"},
                {"workspace": "delta"}, {"tensor": "dK"}, {"tensor": "dV"}, {"i32": "S"} ] }
  ],
  "workspaces": { "delta": { "dtype": "float32", "shape": ["B", "H", "S"], "init": "poison" } }
} */
#include <cuda_bf16.h>

constexpr int headDim = 64;
constexpr bool causal = false;
constexpr int rows = 32;
constexpr int share = headDim / 4;

__device__ float overFour(float value)
{
    value += __shfl_xor_sync(0xFFFFFFFFu, value, 1);
    return value + __shfl_xor_sync(0xFFFFFFFFu, value, 2);
}

/// A quarter of a row, zeros behind the last one.
__device__ void loadShare(float (&to)[share], const __nv_bfloat16* from, size_t head, int row, int length)
{
    for (int i = 0; i < share; ++i) {
        to[i] = row < length
            ? __bfloat162float(from[head + static_cast<size_t>(row) * headDim + 4 * i + threadIdx.x % 4])
            : 0.0f;
    }
}

__device__ void storeShare(__nv_bfloat16* to, const float (&from)[share], size_t head, int row, int length)
{
    for (int i = 0; i < share && row < length; ++i) {
        to[head + static_cast<size_t>(row) * headDim + 4 * i + threadIdx.x % 4] = __float2bfloat16(from[i]);
    }
}

__device__ void loadTile(
    float (&to)[rows][headDim], const __nv_bfloat16* from, size_t head, int first, int length)
{
    for (int i = threadIdx.x; i < rows * headDim; i += 128) {
        const int row = first + i / headDim;
        to[i / headDim][i % headDim] = row < length
            ? __bfloat162float(from[head + static_cast<size_t>(row) * headDim + i % headDim])
            : 0.0f;
    }
}

__device__ float dotShare(const float (&a)[share], const float (&b)[headDim])
{
    float sum = 0;
    for (int i = 0; i < share; ++i) {
        sum = fmaf(a[i], b[4 * i + threadIdx.x % 4], sum);
    }
    return overFour(sum);
}

__device__ void addShare(float (&to)[share], float factor, const float (&from)[headDim])
{
    for (int i = 0; i < share; ++i) {
        to[i] = fmaf(factor, from[4 * i + threadIdx.x % 4], to[i]);
    }
}

extern "C" __global__ void __launch_bounds__(128) backward_delta(
    const __nv_bfloat16* o, const __nv_bfloat16* dO, float* delta, int length)
{
    const int row = blockIdx.x * rows + threadIdx.x / 4;
    const size_t head = static_cast<size_t>(blockIdx.y) * length * headDim;
    float a[share];
    float b[share];
    loadShare(a, o, head, row, length);
    loadShare(b, dO, head, row, length);
    float sum = 0;
    for (int i = 0; i < share; ++i) {
        sum = fmaf(a[i], b[i], sum);
    }
    sum = overFour(sum);
    if (threadIdx.x % 4 == 0 && row < length) {
        delta[static_cast<size_t>(blockIdx.y) * length + row] = sum;
    }
}

extern "C" __global__ void __launch_bounds__(128) backward_dq(const __nv_bfloat16* q, const __nv_bfloat16* k,
    const __nv_bfloat16* v, const __nv_bfloat16* dO, const float* lse, const float* delta, __nv_bfloat16* dq,
    int length)
{
    __shared__ float keys[rows][headDim];
    __shared__ float values[rows][headDim];
    const int query = blockIdx.x * rows + threadIdx.x / 4;
    const size_t statistics = static_cast<size_t>(blockIdx.y) * length;
    const size_t head = statistics * headDim;
    const float scale = rsqrtf(static_cast<float>(headDim));
    float mine[share];
    float gradient[share];
    float sums[share] = {};
    loadShare(mine, q, head, query, length);
    loadShare(gradient, dO, head, query, length);
    const float rowLse = query < length ? lse[statistics + query] : 0.0f;
    const float rowDelta = query < length ? delta[statistics + query] : 0.0f;
    const int end = causal ? min(length, static_cast<int>(blockIdx.x + 1) * rows) : length;
    for (int first = 0; first < end; first += rows) {
        __syncthreads();
        loadTile(keys, k, head, first, length);
        loadTile(values, v, head, first, length);
        __syncthreads();
        for (int j = 0; j < min(rows, end - first); ++j) {
            const float score = scale * dotShare(mine, keys[j]);
            const float dp = dotShare(gradient, values[j]);
            const float p = causal && first + j > query ? 0.0f : expf(score - rowLse);
            addShare(sums, scale * p * (dp - rowDelta), keys[j]);
        }
    }
    storeShare(dq, sums, head, query, length);
}

extern "C" __global__ void __launch_bounds__(128) backward_dkdv(const __nv_bfloat16* q, const __nv_bfloat16* k,
    const __nv_bfloat16* v, const __nv_bfloat16* dO, const float* lse, const float* delta, __nv_bfloat16* dk,
    __nv_bfloat16* dv, int length)
{
    __shared__ float queries[rows][headDim];
    __shared__ float gradients[rows][headDim];
    const int key = blockIdx.x * rows + threadIdx.x / 4;
    const size_t statistics = static_cast<size_t>(blockIdx.y) * length;
    const size_t head = statistics * headDim;
    const float scale = rsqrtf(static_cast<float>(headDim));
    float mine[share];
    float value[share];
    float sumsK[share] = {};
    float sumsV[share] = {};
    loadShare(mine, k, head, key, length);
    loadShare(value, v, head, key, length);
    const int begin = causal ? static_cast<int>(blockIdx.x) * rows : 0;
    for (int first = begin; first < length; first += rows) {
        __syncthreads();
        loadTile(queries, q, head, first, length);
        loadTile(gradients, dO, head, first, length);
        __syncthreads();
        for (int j = 0; j < min(rows, length - first); ++j) {
            const float score = scale * dotShare(mine, queries[j]);
            const float dp = dotShare(value, gradients[j]);
            const float p = causal && key > first + j ? 0.0f : expf(score - lse[statistics + first + j]);
            addShare(sumsV, p, gradients[j]);
            addShare(sumsK, scale * p * (dp - delta[statistics + first + j]), queries[j]);
        }
    }
    storeShare(dk, sumsK, head, key, length);
    storeShare(dv, sumsV, head, key, length);
}
