// SPDX-License-Identifier: Apache-2.0
//
// C = (A sfa) (B sfb)^T with 8-bit A and B, the plain way: 64 x 64 tiles in shared memory, 4 x 4 results a thread. The
// products of 128 columns are summed by themselves in float32, then multiplied by their two factors and added.
//
/* @launch {
  "launches": [ {
    "kernel": "fp8_gemm_plain",
    "grid": [ "ceildiv(N, 64)", "ceildiv(M, 64)", 1 ],
    "block": [ 256, 1, 1 ],
    "args": [ {"tensor": "A"}, {"tensor": "SFA"}, {"tensor": "B"}, {"tensor": "SFB"}, {"tensor": "C"},
              {"i32": "M"}, {"i32": "N"}, {"i32": "K"} ]
  } ]
} */
#include <cuda_bf16.h>
#include <cuda_fp8.h>

constexpr int tile = 64;
constexpr int depth = 32;
constexpr int block = 128; // columns of one factor
constexpr int rowsOfB = 128; // rows of one factor of B

__device__ void loadPanel(
    float (&panel)[depth][tile + 1], const __nv_fp8_e4m3* matrix, int row0, int rows, int k0, int k)
{
    for (int i = threadIdx.x; i < tile * depth; i += 256) {
        const int row = row0 + i / depth;
        panel[i % depth][i / depth] =
            row < rows ? static_cast<float>(matrix[static_cast<size_t>(row) * k + k0 + i % depth]) : 0.0f;
    }
}

extern "C" __global__ void __launch_bounds__(256) fp8_gemm_plain(const __nv_fp8_e4m3* a, const float* sfa,
    const __nv_fp8_e4m3* b, const float* sfb, __nv_bfloat16* c, int m, int n, int k)
{
    __shared__ float panelA[depth][tile + 1];
    __shared__ float panelB[depth][tile + 1];
    const int row0 = blockIdx.y * tile;
    const int column0 = blockIdx.x * tile;
    const int ty = threadIdx.x / 16;
    const int tx = threadIdx.x % 16;
    const int blocks = k / block;
    float sums[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += block) {
        float part[4][4] = {};
        for (int inner = 0; inner < block; inner += depth) {
            loadPanel(panelA, a, row0, m, k0 + inner, k);
            loadPanel(panelB, b, column0, n, k0 + inner, k);
            __syncthreads();
            for (int e = 0; e < depth; ++e) {
                for (int i = 0; i < 4; ++i) {
                    for (int j = 0; j < 4; ++j) {
                        part[i][j] = fmaf(panelA[e][ty + 16 * i], panelB[e][tx + 16 * j], part[i][j]);
                    }
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < 4; ++i) {
            const int row = min(row0 + ty + 16 * i, m - 1);
            for (int j = 0; j < 4; ++j) {
                const int column = min(column0 + tx + 16 * j, n - 1);
                const float factor = sfa[static_cast<size_t>(row) * blocks + k0 / block]
                    * sfb[static_cast<size_t>(column / rowsOfB) * blocks + k0 / block];
                sums[i][j] = fmaf(part[i][j], factor, sums[i][j]);
            }
        }
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const int row = row0 + ty + 16 * i;
            const int column = column0 + tx + 16 * j;
            if (row < m && column < n) {
                c[static_cast<size_t>(row) * n + column] = __float2bfloat16(sums[i][j]);
            }
        }
    }
}
