// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "m": 50, "n": 70, "k": 40 },
  "tensors": { "A": { "dtype": "float32", "shape": ["m", "k"] },
               "B": { "dtype": "float32", "shape": ["k", "n"] },
               "C": { "dtype": "float32", "shape": ["m", "n"], "role": "output" } },
  "launches": [ { "kernel": "matmulTiled", "grid": ["ceildiv(n,16)", "ceildiv(m,16)"], "block": [16, 16],
    "args": [ {"tensor":"A"}, {"tensor":"B"}, {"tensor":"C"}, {"i32":"m"}, {"i32":"n"}, {"i32":"k"} ] } ]
} */
// The tiled product of the programming guide, with bounds.

extern "C" __global__ void matmulTiled(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ float tileA[16][16];
    __shared__ float tileB[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int base = 0; base < k; base += 16) {
        const int ka = base + threadIdx.x;
        const int kb = base + threadIdx.y;
        tileA[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0.0f;
        tileB[threadIdx.y][threadIdx.x] = kb < k && column < n ? b[kb * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < m && column < n) {
        c[row * n + column] = sum;
    }
}
