// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 512 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Y": { "dtype": "int32", "shape": ["n", 8], "role": "output" } },
  "launches": [ { "kernel": "warpReduce", "grid": ["n/128"], "block": [128],
    "args": [ {"tensor":"X"}, {"tensor":"Y"} ] } ]
} */
// What a warp can say to itself: tiles of cooperative groups, votes, matches, reductions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

extern "C" __global__ void warpReduce(const int* x, int* y)
{
    namespace cg = cooperative_groups;
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const auto warp = cg::tiled_partition<32>(block);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = x[i];
    int* out = y + i * 8;
    out[0] = cg::reduce(tile, v, cg::plus<int>());
    out[1] = static_cast<int>(__reduce_max_sync(0xFFFFFFFFU, v));
    out[2] = static_cast<int>(warp.ballot(v > 0));
    out[3] = static_cast<int>(__match_any_sync(0xFFFFFFFFU, v & 3));
    out[4] = cg::exclusive_scan(tile, v & 15, cg::plus<int>());
    int all = 0;
    __match_all_sync(0xFFFFFFFFU, v, &all);
    out[5] = all + 2 * __any_sync(0xFFFFFFFFU, v == 1) + 4 * __all_sync(0xFFFFFFFFU, v != 1);
    out[6] = tile.shfl_down(v, 3);
    out[7] = __syncthreads_count(v > 0) + 1000 * __syncthreads_or(v == 7);
}
