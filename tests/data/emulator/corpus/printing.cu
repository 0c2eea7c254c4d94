// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 4 },
  "tensors": { "Y": { "dtype": "int32", "shape": ["n"], "role": "output" } },
  "launches": [ { "kernel": "printing", "grid": [2], "block": [2], "args": [ {"tensor":"Y"}, {"i32":"n"} ] } ]
} */
// printf and assert.
#include <cassert>
#include <cstdio>

extern "C" __global__ void printing(int* y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < n);
    y[i] = i;
    printf("%d: %5.2f|%-4s|%llx %c%%\n", i, i * 0.5, i % 2 == 0 ? "even" : "odd", 1ULL << (32 + i), 'a' + i);
}
