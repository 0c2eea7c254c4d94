// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// Explains errors of nvcc about CUDA C++ where the text shows what nvcc does not say: a semicolon missing on
/// the line before the one that is blamed (with its fix), a byte that is no C++. The diagnostics must have
/// their columns. Pure.
void explainCudaErrors(
    std::vector<Diagnostic>& diagnostics, std::string_view text, std::string_view displayName);

} // namespace ptxwb::detail
