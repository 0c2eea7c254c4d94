// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "m": 64, "n": 48, "k": 64 },
  "tensors": { "A": { "dtype": "float16", "shape": ["m", "k"] },
               "B": { "dtype": "float16", "shape": ["k", "n"] },
               "C": { "dtype": "float32", "shape": ["m", "n"], "role": "output" } },
  "launches": [ { "kernel": "gemmWmma", "grid": ["n/16", "m/64"], "block": [128],
    "args": [ {"tensor":"A"}, {"tensor":"B"}, {"tensor":"C"}, {"i32":"n"}, {"i32":"k"} ] } ]
} */
// The product of the programming guide: nvcuda::wmma, a warp a tile.
#include <mma.h>

extern "C" __global__ void gemmWmma(const __half* a, const __half* b, float* c, int n, int k)
{
    using namespace nvcuda;
    const int row = (blockIdx.y * 4 + threadIdx.x / 32) * 16;
    const int column = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(fa, a + row * k + i, k);
        wmma::load_matrix_sync(fb, b + i * n + column, n);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}
