// SPDX-License-Identifier: Apache-2.0
// Two kernels with all that a cubin holds beside instructions.
#include <cstdio>

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counter = 7;
__device__ float zeros[100];
__device__ int* where = &counter;

extern "C" __global__ void __launch_bounds__(128, 2) scale(float* p, int n)
{
    __shared__ float tile[256];
    tile[threadIdx.x] = p[threadIdx.x] * table[n & 3];
    __syncthreads();
    zeros[n] = tile[threadIdx.x ^ 1];
    atomicAdd(where, 1);
    printf("scaled %d\n", n);
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) widen(float* p, int n, double d)
{
    p[threadIdx.x + n] = static_cast<float>(d);
}
