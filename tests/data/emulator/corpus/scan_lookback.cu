// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 6000 },
  "constants": { "blocks": "ceildiv(n,256)" },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "State": { "dtype": "int32", "shape": ["2*blocks"], "init": "zero", "role": "output" },
               "Ticket": { "dtype": "int32", "shape": [1], "init": "zero", "role": "output" },
               "Y": { "dtype": "int32", "shape": ["n"], "role": "output" } },
  "launches": [ { "kernel": "scanLookback", "grid": ["blocks"], "block": [256],
      "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"tensor":"State"}, {"tensor":"Ticket"}, {"i32":"n"} ] } ]
} */
// Inclusive scan in one launch: a block waits for the sums of those before it (decoupled look-back).
#include <cuda/atomic>

extern "C" __global__ void scanLookback(
    const int* x, int* y, unsigned long long* states, unsigned* ticket, int n)
{
    using State = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
    constexpr unsigned long long isSum = 1ULL << 32;
    constexpr unsigned long long isTotal = 2ULL << 32;
    __shared__ int sums[8];
    __shared__ unsigned block;
    __shared__ int before;
    const int t = threadIdx.x;
    if (t == 0) {
        block = atomicAdd(ticket, 1U);
    }
    __syncthreads();
    const int i = static_cast<int>(block) * 256 + t;
    int value = i < n ? x[i] : 0;
    const int lane = t % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        const int other = __shfl_up_sync(0xFFFFFFFFU, value, distance);
        value += lane >= distance ? other : 0;
    }
    if (lane == 31) {
        sums[t / 32] = value;
    }
    __syncthreads();
    int total = 0;
    for (int w = 0; w < 8; ++w) {
        value += w < t / 32 ? sums[w] : 0;
        total += sums[w];
    }
    if (t == 0) {
        int sum = 0;
        if (block == 0) {
            State(states[0]).store(isTotal | static_cast<unsigned>(total), cuda::memory_order_release);
        } else {
            State(states[block]).store(isSum | static_cast<unsigned>(total), cuda::memory_order_release);
            for (int at = static_cast<int>(block) - 1;; --at) {
                unsigned long long seen = 0;
                while ((seen = State(states[at]).load(cuda::memory_order_acquire)) >> 32 == 0) {
                }
                sum += static_cast<int>(static_cast<unsigned>(seen));
                if ((seen & isTotal) != 0) {
                    break;
                }
            }
            State(states[block]).store(isTotal | static_cast<unsigned>(sum + total), cuda::memory_order_release);
        }
        before = sum;
    }
    __syncthreads();
    if (i < n) {
        y[i] = before + value;
    }
}
