// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 51200 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Sums": { "dtype": "int32", "shape": [200], "role": "output" },
               "Y": { "dtype": "int32", "shape": ["n"], "role": "output" } },
  "launches": [ { "kernel": "prefixOfGrid", "grid": [200], "block": [256],
    "args": [ {"tensor":"X"}, {"tensor":"Sums"}, {"tensor":"Y"} ],
    "attributes": { "cooperative": true } } ]
} */
// A prefix sum of a whole grid in one launch: sums of the blocks, grid.sync(), their prefix, grid.sync() again.
#include <cooperative_groups.h>

extern "C" __global__ void prefixOfGrid(const int* x, int* sums, int* y)
{
    const auto grid = cooperative_groups::this_grid();
    __shared__ int part[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = x[i];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        const int before = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
        __syncthreads();
        part[threadIdx.x] += before;
        __syncthreads();
    }
    if (threadIdx.x == 255) {
        sums[blockIdx.x] = part[255];
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        int sum = 0;
        for (int block = 0; block < 200; ++block) {
            sum += sums[block];
            sums[block] = sum;
        }
    }
    grid.sync();
    y[i] = part[threadIdx.x] + (blockIdx.x == 0 ? 0 : sums[blockIdx.x - 1]);
}
