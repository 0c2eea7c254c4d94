// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 128 },
  "tensors": { "X": { "dtype": "float32", "shape": ["n"] },
               "Y": { "dtype": "float32", "shape": ["n", 24], "role": "output" } },
  "launches": [ { "kernel": "mathFunctions", "grid": ["n/64"], "block": [64],
    "args": [ {"tensor":"X"}, {"tensor":"Y"} ] } ]
} */
// The functions of the CUDA math library, in both precisions.

extern "C" __global__ void mathFunctions(const float* x, float* y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float v = x[i];
    const double d = v;
    float* out = y + i * 24;
    out[0] = sinf(v);
    out[1] = cosf(v * 100000.0f);
    out[2] = tanf(v);
    out[3] = expf(v);
    out[4] = logf(fabsf(v));
    out[5] = powf(fabsf(v), 1.7f);
    out[6] = tanhf(v);
    out[7] = erff(v);
    out[8] = atan2f(v, 0.3f);
    out[9] = cbrtf(v);
    out[10] = fmodf(v * 10.0f, 0.7f);
    out[11] = sqrtf(fabsf(v)) / (1.0f + v * v);
    out[12] = static_cast<float>(sin(d * 1e6));
    out[13] = static_cast<float>(exp(d));
    out[14] = static_cast<float>(log(fabs(d)));
    out[15] = static_cast<float>(pow(fabs(d), -2.3));
    out[16] = static_cast<float>(erfc(d));
    out[17] = static_cast<float>(lgamma(fabs(d) + 0.5));
    out[18] = static_cast<float>(sqrt(fabs(d)) / (d + 7.0));
    out[19] = rintf(v * 8.0f) + floorf(v) + ceilf(v) + truncf(v * 3.0f);
    out[20] = ldexpf(v, 5) + scalbnf(v, -3);
    out[21] = hypotf(v, 2.0f);
    out[22] = rsqrtf(1.0f + fabsf(v));
    out[23] = 0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v)));
}
