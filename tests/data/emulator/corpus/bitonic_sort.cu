// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 2048 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Y": { "dtype": "int32", "shape": ["n"], "role": "output" } },
  "launches": [ { "kernel": "bitonicSort", "grid": ["n/512"], "block": [256],
    "args": [ {"tensor":"X"}, {"tensor":"Y"} ] } ]
} */
// 512 keys a block, ascending.

extern "C" __global__ void bitonicSort(const int* x, int* y)
{
    __shared__ int keys[512];
    const unsigned t = threadIdx.x;
    const unsigned base = blockIdx.x * 512;
    keys[t] = x[base + t];
    keys[t + 256] = x[base + t + 256];
    for (unsigned size = 2; size <= 512; size *= 2) {
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            const unsigned i = 2 * t - (t & (stride - 1));
            const bool ascending = (i & size) == 0;
            const int a = keys[i];
            const int b = keys[i + stride];
            if ((a > b) == ascending) {
                keys[i] = b;
                keys[i + stride] = a;
            }
        }
    }
    __syncthreads();
    y[base + t] = keys[t];
    y[base + t + 256] = keys[t + 256];
}
