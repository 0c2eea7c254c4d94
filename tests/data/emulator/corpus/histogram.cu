// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 20000 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Y": { "dtype": "int32", "shape": [256], "init": "zero", "role": "output" } },
  "launches": [ { "kernel": "histogram", "grid": [8], "block": [128],
    "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"i32":"n"} ] } ]
} */
// 256 bins in shared memory, added to those of all blocks.

extern "C" __global__ void histogram(const unsigned* x, unsigned* y, int n)
{
    __shared__ unsigned bins[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        bins[i] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&bins[(x[i] * 2654435761U) >> 24], 1U);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        atomicAdd(&y[i], bins[i]);
    }
}
