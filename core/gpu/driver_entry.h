// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace ptxwb::gpu {

/// A function of the driver by name, through the runtime: libcuda is not linked. nullptr where the driver has
/// none.
template <class F> F driverFunction(const char* name, unsigned cudaVersion)
{
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found{};
    const cudaError_t code =
        cudaGetDriverEntryPointByVersion(name, &address, cudaVersion, cudaEnableDefault, &found);
    return code == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<F>(address)
                                                                       : nullptr;
}

} // namespace ptxwb::gpu
