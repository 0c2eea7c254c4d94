// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "rows": 24, "columns": 300 },
  "tensors": { "X": { "dtype": "float32", "shape": ["rows", "columns"] },
               "Y": { "dtype": "float32", "shape": ["rows", "columns"], "role": "output" },
               "Z": { "dtype": "float32", "shape": ["rows", "columns"], "role": "output" } },
  "launches": [
    { "kernel": "softmaxWarp", "grid": ["rows/4"], "block": [32, 4],
      "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"i32":"columns"} ] },
    { "kernel": "softmaxOnline", "grid": ["rows"], "block": [128],
      "args": [ {"tensor":"X"}, {"tensor":"Z"}, {"i32":"columns"} ] } ]
} */
// Softmax of rows: a warp a row in three passes; a block a row with a running maximum.
#include <math_constants.h>

extern "C" __global__ void softmaxWarp(const float* __restrict__ x, float* __restrict__ y, int columns)
{
    const int row = blockIdx.x * 4 + threadIdx.y;
    const float* in = x + static_cast<size_t>(row) * columns;
    float* out = y + static_cast<size_t>(row) * columns;
    float most = -CUDART_INF_F;
    for (int c = threadIdx.x; c < columns; c += 32) {
        most = fmaxf(most, in[c]);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFFU, most, offset));
    }
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += 32) {
        sum += expf(in[c] - most);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_xor_sync(0xFFFFFFFFU, sum, offset);
    }
    for (int c = threadIdx.x; c < columns; c += 32) {
        out[c] = expf(in[c] - most) / sum;
    }
}

struct Running {
    float most;
    float sum;
};

__device__ Running joined(Running a, Running b)
{
    const bool aIsMore = a.most > b.most;
    const Running more = aIsMore ? a : b;
    const Running less = aIsMore ? b : a;
    return {more.most, more.sum + less.sum * __expf(less.most - more.most)};
}

extern "C" __global__ void softmaxOnline(const float* x, float* y, int columns)
{
    __shared__ Running parts[4];
    const float* in = x + static_cast<size_t>(blockIdx.x) * columns;
    Running mine{-CUDART_INF_F, 0.0f};
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        mine = joined(mine, {in[c], 1.0f});
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        mine = joined(mine, {__shfl_xor_sync(0xFFFFFFFFU, mine.most, offset),
                                __shfl_xor_sync(0xFFFFFFFFU, mine.sum, offset)});
    }
    if (threadIdx.x % 32 == 0) {
        parts[threadIdx.x / 32] = mine;
    }
    __syncthreads();
    Running all = parts[0];
    for (int w = 1; w < 4; ++w) {
        all = joined(all, parts[w]);
    }
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        y[static_cast<size_t>(blockIdx.x) * columns + c] = __fdividef(__expf(in[c] - all.most), all.sum);
    }
}
