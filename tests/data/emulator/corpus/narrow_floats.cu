// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 256 },
  "tensors": { "X": { "dtype": "float32", "shape": ["n"] },
               "Y": { "dtype": "float32", "shape": ["n/2", 12], "role": "output" },
               "S": { "dtype": "float32", "shape": [2], "init": "zero", "role": "output" } },
  "launches": [ { "kernel": "narrowFloats", "grid": ["n/128"], "block": [64],
    "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"tensor":"S"} ] } ]
} */
// Halves, bfloat16 and floats of eight bits, alone and in pairs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void narrowFloats(const float2* x, float2* y, __half2* sums)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float2 v = x[i];
    float2* out = y + i * 6;
    const __half2 h = __float22half2_rn(v);
    const __nv_bfloat162 b = __float22bfloat162_rn(v);
    out[0] = __half22float2(__hfma2(h, h, __float2half2_rn(0.5f)));
    out[1] = __bfloat1622float2(__hfma2(b, b, __float2bfloat162_rn(0.5f)));
    out[2] = __half22float2(h2exp(h));
    out[3] = make_float2(__half2float(__hmax(h.x, h.y)), __bfloat162float(__hmin(b.x, b.y)));
    const __nv_fp8x2_e4m3 e(v);
    out[4] = static_cast<float2>(e);
    const __nv_fp8_e5m2 f(v.x);
    out[5] = make_float2(static_cast<float>(f), __hlt(h.x, h.y) ? 1.0f : 0.0f);
    atomicAdd(&sums[0], __float2half2_rn(0.125f));
    atomicAdd(reinterpret_cast<__nv_bfloat162*>(&sums[1]), __float2bfloat162_rn(0.25f));
}
