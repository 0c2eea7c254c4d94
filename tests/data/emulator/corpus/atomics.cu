// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 1000 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Y": { "dtype": "int32", "shape": [8], "init": "zero", "role": "output" },
               "D": { "dtype": "float32", "shape": [4], "init": "zero", "role": "output" },
               "Lock": { "dtype": "int32", "shape": [2], "init": "zero", "role": "output" } },
  "launches": [
    { "kernel": "atomics", "grid": ["ceildiv(n,128)"], "block": [128],
      "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"tensor":"D"}, {"i32":"n"} ] },
    { "kernel": "locked", "grid": [6], "block": [64], "args": [ {"tensor":"Lock"} ] },
    { "kernel": "aggregated", "grid": ["ceildiv(n,128)"], "block": [128],
      "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"i32":"n"} ] } ]
} */
// Atomics of every kind, a lock, and one addition for all lanes that want one.
#include <cooperative_groups.h>

extern "C" __global__ void atomics(const int* x, int* y, float* d, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const int v = x[i];
    atomicAdd(&y[0], v);
    atomicMax(&y[1], v);
    atomicMin(&y[2], v);
    atomicXor(&y[3], v);
    atomicOr(&y[4], 1 << (v & 31));
    atomicSub(&y[5], 1);
    atomicAdd(&d[0], 0.5f);
    // An addition of doubles by compare and swap, as on devices without one.
    auto* address = reinterpret_cast<unsigned long long*>(d + 2);
    unsigned long long seen = *reinterpret_cast<volatile unsigned long long*>(address);
    unsigned long long assumed = 0;
    do {
        assumed = seen;
        seen = atomicCAS(address, assumed,
            static_cast<unsigned long long>(__double_as_longlong(__longlong_as_double(static_cast<long long>(assumed)) + 0.25)));
    } while (assumed != seen);
}

extern "C" __global__ void locked(int* lock)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock[0], 0, 1) != 0) {
            __nanosleep(20);
        }
        __threadfence();
        lock[1] += 1;
        __threadfence();
        atomicExch(&lock[0], 0);
    }
}

extern "C" __global__ void aggregated(const int* x, int* y, int n)
{
    namespace cg = cooperative_groups;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (x[i] & 1) != 0) {
        const auto active = cg::coalesced_threads();
        if (active.thread_rank() == 0) {
            atomicAdd(&y[6], static_cast<int>(active.size()));
        }
    }
}
