// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// The PTX that nvcc made of a CUDA C++ source, with -lineinfo.
struct GeneratedPtx {
    std::string_view text{};
    std::string_view file{}; ///< the name under which messages know it
    std::string_view toolFile{}; ///< the name under which .file knows the source
};

/// Lints a CUDA C++ source's kernels as wholes, which its asm strings one by one do not allow: fences,
/// commits, waits and barriers, in the PTX that nvcc made of it. Each finding is a warning at the user's
/// line, or at the user's call of the header that it stands in; what touches no line of the user's is left
/// out, and so is all PTX without inline asm or made for debugging, which copies registers that are in
/// flight. Pure but for reading the headers that .file names.
std::vector<Diagnostic> lintGenerated(
    const GeneratedPtx& ptx, std::string_view source, std::string_view displayName);

} // namespace ptxwb::detail
