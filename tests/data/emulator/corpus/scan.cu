// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 5000 },
  "constants": { "blocks": "ceildiv(n,256)" },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Sums": { "dtype": "int32", "shape": ["blocks"], "role": "output" },
               "Y": { "dtype": "int32", "shape": ["n"], "role": "output" } },
  "launches": [
    { "kernel": "scanBlocks", "grid": ["blocks"], "block": [256],
      "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"tensor":"Sums"}, {"i32":"n"} ] },
    { "kernel": "scanSums", "grid": [1], "block": [32], "args": [ {"tensor":"Sums"}, {"i32":"blocks"} ] },
    { "kernel": "addSums", "grid": ["blocks"], "block": [256],
      "args": [ {"tensor":"Y"}, {"tensor":"Sums"}, {"i32":"n"} ] } ]
} */
// Inclusive scan in three launches: Hillis and Steele within blocks, shuffles over the sums, addition.

extern "C" __global__ void scanBlocks(const int* x, int* y, int* sums, int n)
{
    __shared__ int buffer[2][256];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 256 + t;
    int from = 0;
    buffer[0][t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < 256; distance *= 2) {
        buffer[1 - from][t] = buffer[from][t] + (t >= distance ? buffer[from][t - distance] : 0);
        from = 1 - from;
        __syncthreads();
    }
    if (i < n) {
        y[i] = buffer[from][t];
    }
    if (t == 255) {
        sums[blockIdx.x] = buffer[from][255];
    }
}

extern "C" __global__ void scanSums(int* sums, int count)
{
    int before = 0;
    for (int base = 0; base < count; base += 32) {
        const int i = base + threadIdx.x;
        int value = i < count ? sums[i] : 0;
        for (int distance = 1; distance < 32; distance *= 2) {
            const int other = __shfl_up_sync(0xFFFFFFFFU, value, distance);
            value += threadIdx.x >= distance ? other : 0;
        }
        if (i < count) {
            sums[i] = before + value;
        }
        before += __shfl_sync(0xFFFFFFFFU, value, 31);
    }
}

extern "C" __global__ void addSums(int* y, const int* sums, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && blockIdx.x > 0) {
        y[i] += sums[blockIdx.x - 1];
    }
}
