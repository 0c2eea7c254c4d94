// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 4096 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Y": { "dtype": "int32", "shape": ["n"], "role": "output" } },
  "launches": [ { "kernel": "bulkCopies", "grid": ["n/1024"], "block": [128],
    "args": [ {"tensor":"X"}, {"tensor":"Y"} ] } ]
} */
// Bulk copies as the programming guide shows them: cuda::barrier and cuda::ptx.
#include <cuda/barrier>
#include <cuda/ptx>

extern "C" __global__ void bulkCopies(const int* x, int* y)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    namespace ptx = cuda::ptx;
    __shared__ alignas(128) int buffer[1024];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Barrier bar;
    const size_t offset = static_cast<size_t>(blockIdx.x) * 1024;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    Barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::memcpy_async(buffer, x + offset, cuda::aligned_size_t<16>(sizeof(buffer)), bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, 0);
    } else {
        token = bar.arrive();
    }
    bar.wait(std::move(token));
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
        buffer[i] += 1;
    }
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, y + offset, buffer, sizeof(buffer));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}
