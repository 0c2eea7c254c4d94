// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "m": 128, "n": 64, "k": 128 },
  "tensors": { "A": { "dtype": "bfloat16", "shape": ["m", "k"] },
               "B": { "dtype": "bfloat16", "shape": ["n", "k"] },
               "C": { "dtype": "float32", "shape": ["m", "n"], "role": "output" } },
  "launches": [ { "kernel": "gemmMmaSync", "grid": ["n/64", "m/64"], "block": [128],
    "args": [ {"tensor":"A"}, {"tensor":"B"}, {"tensor":"C"}, {"i32":"n"}, {"i32":"k"} ] } ]
} */
// C = A B^T: tiles of 64 x 64 x 32, two stages of cp.async, rows XORed against bank conflicts, ldmatrix, mma.sync.
#include <cuda_bf16.h>

constexpr int tileK = 32;

__device__ unsigned sharedAddress(const void* p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

/// Eight elements a chunk, four chunks a row.
__device__ int swizzled(int row, int chunk)
{
    return row * tileK + ((chunk ^ ((row >> 1) & 3)) * 8);
}

__device__ void loadTile(__nv_bfloat16* tile, const __nv_bfloat16* from, int k)
{
    for (int i = threadIdx.x; i < 64 * 4; i += 128) {
        const int row = i / 4;
        const int chunk = i % 4;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                         sharedAddress(tile + swizzled(row, chunk))),
            "l"(from + row * k + chunk * 8)
            : "memory");
    }
}

__device__ void loadFragments(unsigned (&f)[4], const __nv_bfloat16* at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                 : "r"(sharedAddress(at))
                 : "memory");
}

extern "C" __global__ void __launch_bounds__(128)
    gemmMmaSync(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n, int k)
{
    __shared__ alignas(128) __nv_bfloat16 tileA[2][64 * tileK];
    __shared__ alignas(128) __nv_bfloat16 tileB[2][64 * tileK];
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const __nv_bfloat16* fromA = a + static_cast<size_t>(blockIdx.y) * 64 * k;
    const __nv_bfloat16* fromB = b + static_cast<size_t>(blockIdx.x) * 64 * k;
    float sums[8][4] = {};
    loadTile(tileA[0], fromA, k);
    loadTile(tileB[0], fromB, k);
    asm volatile("cp.async.commit_group;" ::: "memory");
    for (int step = 0; step < k / tileK; ++step) {
        if (step + 1 < k / tileK) {
            loadTile(tileA[(step + 1) % 2], fromA + (step + 1) * tileK, k);
            loadTile(tileB[(step + 1) % 2], fromB + (step + 1) * tileK, k);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        for (int kk = 0; kk < tileK / 16; ++kk) {
            unsigned fa[4];
            loadFragments(fa, tileA[step % 2] + swizzled(warp * 16 + lane % 16, kk * 2 + lane / 16));
            for (int pair = 0; pair < 4; ++pair) {
                unsigned fb[4];
                loadFragments(fb, tileB[step % 2]
                        + swizzled(pair * 16 + lane % 8 + (lane / 16) * 8, kk * 2 + (lane / 8) % 2));
                for (int half = 0; half < 2; ++half) {
                    float(&d)[4] = sums[pair * 2 + half];
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
                                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                                 : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[half * 2]),
                                 "r"(fb[half * 2 + 1]));
                }
            }
        }
        __syncthreads();
    }
    const int row = blockIdx.y * 64 + warp * 16 + lane / 4;
    for (int j = 0; j < 8; ++j) {
        const int column = blockIdx.x * 64 + j * 8 + (lane % 4) * 2;
        *reinterpret_cast<float2*>(c + row * n + column) = make_float2(sums[j][0], sums[j][1]);
        *reinterpret_cast<float2*>(c + (row + 8) * n + column) = make_float2(sums[j][2], sums[j][3]);
    }
}
