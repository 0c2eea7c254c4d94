// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 4096 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Y": { "dtype": "int32", "shape": ["n/512"], "role": "output" } },
  "launches": [ { "kernel": "treeSum", "grid": ["n/512"], "block": [256], "shared_bytes": 1024,
    "args": [ {"tensor":"X"}, {"tensor":"Y"} ] } ]
} */
// The tree in shared memory of every introduction, with its last warp by __syncwarp.

extern "C" __global__ void treeSum(const int* x, int* y)
{
    extern __shared__ int sums[];
    const unsigned t = threadIdx.x;
    const unsigned i = blockIdx.x * blockDim.x * 2 + t;
    sums[t] = x[i] + x[i + blockDim.x];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (t < s) {
            sums[t] += sums[t + s];
        }
        __syncthreads();
    }
    if (t < 32) {
        int v = sums[t];
        for (unsigned s = 32; s > 0; s >>= 1) {
            v += sums[t + s];
            __syncwarp();
            sums[t] = v;
            __syncwarp();
        }
        if (t == 0) {
            y[blockIdx.x] = v;
        }
    }
}
