// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "rows": 20, "columns": 512 },
  "tensors": { "X": { "dtype": "float32", "shape": ["rows", "columns"] },
               "Gamma": { "dtype": "float32", "shape": ["columns"] },
               "Beta": { "dtype": "float32", "shape": ["columns"] },
               "Y": { "dtype": "bfloat16", "shape": ["rows", "columns"], "role": "output" } },
  "launches": [ { "kernel": "layerNorm", "grid": ["rows"], "block": [128],
    "args": [ {"tensor":"X"}, {"tensor":"Gamma"}, {"tensor":"Beta"}, {"tensor":"Y"} ] } ]
} */
// Mean and variance of a row of 512 by one block; vectors of four; bfloat16 out.
#include <cuda_bf16.h>

__device__ float sumOfBlock(float value, float* buffer)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xFFFFFFFFU, value, offset);
    }
    if (threadIdx.x % 32 == 0) {
        buffer[threadIdx.x / 32] = value;
    }
    __syncthreads();
    return buffer[0] + buffer[1] + buffer[2] + buffer[3];
}

extern "C" __global__ void __launch_bounds__(128)
    layerNorm(const float4* x, const float4* gamma, const float4* beta, __nv_bfloat162* y)
{
    __shared__ float sums[2][4];
    const int t = threadIdx.x;
    float4 v = x[blockIdx.x * 128 + t];
    const float mean = sumOfBlock(v.x + v.y + v.z + v.w, sums[0]) / 512.0f;
    v.x -= mean;
    v.y -= mean;
    v.z -= mean;
    v.w -= mean;
    const float variance = sumOfBlock(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w, sums[1]) / 512.0f;
    const float scale = rsqrtf(variance + 1e-5f);
    const float4 g = __ldg(&gamma[t]);
    const float4 b = __ldg(&beta[t]);
    const int at = (blockIdx.x * 128 + t) * 2;
    y[at] = __floats2bfloat162_rn(fmaf(v.x * scale, g.x, b.x), fmaf(v.y * scale, g.y, b.y));
    y[at + 1] = __floats2bfloat162_rn(fmaf(v.z * scale, g.z, b.z), fmaf(v.w * scale, g.w, b.w));
}
