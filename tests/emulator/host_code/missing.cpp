// SPDX-License-Identifier: Apache-2.0
// A candidate that needs functions which the emulated runtime does not have.
#include "core/bench/host_abi.h"

extern "C" {
int cudaGraphInstantiate(void** executable, void* graph, unsigned long long flags);
int cuCtxSetLimit(int limit, unsigned long long value);

__attribute__((visibility("default"))) int __tvm_ffi_run(
    void* /*self*/, const ptxwb::ffi::Any* /*arguments*/, int /*count*/, ptxwb::ffi::Any* /*result*/)
{
    void* executable = nullptr;
    return cudaGraphInstantiate(&executable, nullptr, 0) + cuCtxSetLimit(0, 0);
}
}
