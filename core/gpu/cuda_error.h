// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cuda_runtime_api.h>

#include <string>

namespace ptxwb::gpu {

/// "an illegal memory access was encountered (cudaErrorIllegalAddress)".
std::string cudaMessage(cudaError_t code);

/// nothing for cudaSuccess, else `what` and CUDA's message: MissingTool / Unavailable where a driver or
/// device is missing, Unavailable for out of memory, else Internal.
Result<void> check(cudaError_t code, const std::string& what);
Error cudaFailure(cudaError_t code, const std::string& what);

/// Is the context unusable after this error? (A fault of a kernel: nothing can run in this process any more.)
bool isSticky(cudaError_t code);

} // namespace ptxwb::gpu
