// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/nvml.h"
#include "core/runner/protocol.h"

namespace ptxwb::gpu {

/// cuBLASLt, loaded at run time once in this process.
const SharedLibrary& cublasLtLibrary();
/// "13.0.2" of what cublasLtGetVersion gives.
std::optional<std::string> cublasLtVersion();

/// cuDNN 9, loaded at run time once in this process.
const SharedLibrary& cudnnLibrary();
/// "9.14.0" of what cudnnGetVersion gives.
std::optional<std::string> cudnnVersion();

/// What is here of NVML, cuBLASLt and cuDNN: version and path, or why not.
std::vector<LibraryInfo> libraries(const Nvml& nvml);

} // namespace ptxwb::gpu
