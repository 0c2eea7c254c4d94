// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 256 },
  "tensors": { "X": { "dtype": "float32", "shape": ["n", 4] },
               "Y": { "dtype": "float32", "shape": ["n", 4], "role": "output" } },
  "launches": [ { "kernel": "accelerations", "grid": ["n/64"], "block": [64],
    "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"i32":"n"} ] } ]
} */
// Bodies by tiles in shared memory.

extern "C" __global__ void accelerations(const float4* x, float4* y, int n)
{
    __shared__ float4 tile[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float4 me = x[i];
    float3 a = make_float3(0, 0, 0);
    for (int base = 0; base < n; base += 64) {
        tile[threadIdx.x] = x[base + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j) {
            const float4 other = tile[j];
            const float dx = other.x - me.x;
            const float dy = other.y - me.y;
            const float dz = other.z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float s = fabsf(other.w) * inverse * inverse * inverse;
            a.x += dx * s;
            a.y += dy * s;
            a.z += dz * s;
        }
        __syncthreads();
    }
    y[i] = make_float4(a.x, a.y, a.z, 0.0f);
}
