// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 4096 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Y": { "dtype": "int32", "shape": ["n/1024"], "role": "output" },
               "H": { "dtype": "int32", "shape": [256], "init": "zero", "role": "output" } },
  "launches": [
    { "kernel": "clusterSum", "grid": ["n/256"], "block": [128], "cluster": [4],
      "args": [ {"tensor":"X"}, {"tensor":"Y"} ] },
    { "kernel": "clusterHistogram", "grid": [4], "block": [128], "cluster": [2],
      "args": [ {"tensor":"X"}, {"tensor":"H"}, {"i32":"n"} ] } ]
} */
// Distributed shared memory: the sum of a cluster, and a histogram whose bins lie in two blocks.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void clusterSum(const int* x, int* y)
{
    __shared__ int sum;
    const auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        sum = 0;
    }
    __syncthreads();
    const int i = blockIdx.x * 256 + threadIdx.x;
    atomicAdd(&sum, x[i] + x[i + 128]);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x < 32) {
        int value = threadIdx.x < cluster.num_blocks() ? *cluster.map_shared_rank(&sum, threadIdx.x) : 0;
        for (int offset = 16; offset > 0; offset /= 2) {
            value += __shfl_xor_sync(0xFFFFFFFFU, value, offset);
        }
        if (threadIdx.x == 0) {
            y[blockIdx.x / 4] = value;
        }
    }
    cluster.sync();
}

extern "C" __global__ void clusterHistogram(const int* x, int* h, int n)
{
    __shared__ int bins[128];
    const auto cluster = cg::this_cluster();
    bins[threadIdx.x] = 0;
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int bin = x[i] & 255;
        atomicAdd(cluster.map_shared_rank(bins, bin / 128) + bin % 128, 1);
    }
    cluster.sync();
    atomicAdd(&h[cluster.block_rank() * 128 + threadIdx.x], bins[threadIdx.x]);
}
