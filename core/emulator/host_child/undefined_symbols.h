// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::emulator::host {

/// Names that a 64-bit ELF shared object wants from others, in its own order. Empty for what is none. Pure.
std::vector<std::string> undefinedSymbols(std::string_view object);

/// Whether a name is one of CUDA's own libraries': "cudaMalloc", "cuCtxCreate_v2", "cublasCreate_v2". Pure.
bool isCudaName(std::string_view name);

} // namespace ptxwb::emulator::host
