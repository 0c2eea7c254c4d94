// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/code_text.h"
#include "core/toolchain/diagnostic.h"

#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// Where several instructions refuse a register that no instruction takes as it is declared, its declaration
/// is the cause: a diagnostic of ours names it, and what ptxas says of the instructions follows from it.
void blameDeclarations(
    std::vector<Diagnostic>& diagnostics, const CodeText& code, std::string_view displayName);

} // namespace ptxwb::detail
