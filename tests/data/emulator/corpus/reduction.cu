// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 10007, "blocks": 12 },
  "tensors": { "X": { "dtype": "float32", "shape": ["n"] },
               "Partial": { "dtype": "float32", "shape": ["blocks"], "init": "zero", "role": "output" },
               "Count": { "dtype": "int32", "shape": [1], "init": "zero", "role": "output" },
               "Y": { "dtype": "float32", "shape": [2], "init": "zero", "role": "output" } },
  "launches": [
    { "kernel": "sumAtomic", "grid": ["blocks"], "block": [256],
      "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"i32":"n"} ] },
    { "kernel": "sumLastBlock", "grid": ["blocks"], "block": [256],
      "args": [ {"tensor":"X"}, {"tensor":"Partial"}, {"tensor":"Count"}, {"tensor":"Y"}, {"i32":"n"} ] } ]
} */
// Sums: one atomic addition per block, and the block that finishes last adds what the others have left.

__device__ float blockSum(float value)
{
    __shared__ float sums[32];
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xFFFFFFFFU, value, offset);
    }
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    if (lane == 0) {
        sums[warp] = value;
    }
    __syncthreads();
    value = threadIdx.x < blockDim.x / 32 ? sums[lane] : 0.0f;
    if (warp == 0) {
        for (int offset = 16; offset > 0; offset /= 2) {
            value += __shfl_down_sync(0xFFFFFFFFU, value, offset);
        }
    }
    return value;
}

__device__ float strided(const float* x, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        sum += x[i];
    }
    return sum;
}

extern "C" __global__ void sumAtomic(const float* x, float* y, int n)
{
    const float sum = blockSum(strided(x, n));
    if (threadIdx.x == 0) {
        atomicAdd(y, sum);
    }
}

extern "C" __global__ void sumLastBlock(const float* x, float* partial, unsigned* count, float* y, int n)
{
    __shared__ bool last;
    const float sum = blockSum(strided(x, n));
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        const volatile float* all = partial;
        const float value = threadIdx.x < gridDim.x ? all[threadIdx.x] : 0.0f;
        const float total = blockSum(value);
        if (threadIdx.x == 0) {
            y[1] = total;
        }
    }
}
