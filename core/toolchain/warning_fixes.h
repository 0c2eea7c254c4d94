// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/ptxas_trial.h"

#include <string_view>

namespace ptxwb::detail {

/// Asks ptxas about the fixes of warnings and notes, over the text in which its errors are mended, and takes
/// away those that bring an error. All are asked about at once, and one by one only where that fails. A fix
/// that could not be asked about stays, not tried.
void tryWarningFixes(std::vector<Diagnostic>& diagnostics, std::string_view text,
    std::string_view displayName, const AskPtxas& ask);

} // namespace ptxwb::detail
