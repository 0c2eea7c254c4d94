// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/nvml.h"
#include "core/runner/protocol.h"

namespace ptxwb::gpu {

/// cuBLASLt, loaded at run time once in this process.
const SharedLibrary& cublasLtLibrary();
/// "13.0.2" of what cublasLtGetVersion gives.
std::optional<std::string> cublasLtVersion();

/// What is here of NVML, cuBLASLt and cuDNN: version and path, or why not.
std::vector<LibraryInfo> libraries(const Nvml& nvml);

} // namespace ptxwb::gpu
