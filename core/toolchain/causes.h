// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/outline.h"
#include "core/toolchain/diagnostic.h"

#include <string_view>
#include <vector>

namespace ptxwb {

/// What the causes are sought in.
struct CauseContext {
    std::string_view source{}; ///< the user's text
    const PtxOutline* outline = nullptr; ///< of `source`; null for CUDA, whose PTX the user did not write
    std::string_view displayName{};
    std::string_view target{}; ///< compiled for
};

/// Gives every root cause among the errors an explanation, and fixes where a mechanical one exists. Where the
/// tool blames a wrong line, a diagnostic of ours ("ptxwb") with the right one becomes the root cause of the
/// group. The diagnostics must be grouped and have their columns. Pure but for the ISA table, without which
/// there are fewer fixes.
void explainCauses(std::vector<Diagnostic>& diagnostics, const CauseContext& context);

/// The text with fixes applied.
struct FixedText {
    std::string text{};
    std::vector<std::string> applied{}; ///< titles
    std::vector<std::string> leftOut{}; ///< titles of fixes whose edits overlap those of an earlier one
};

/// Applies the first fix of every root cause, warnings and notes included, to the text that the diagnostics
/// speak of. Edits that two fixes share are made once. Pure.
FixedText applyFirstFixes(std::string_view text, const std::vector<Diagnostic>& diagnostics);

/// Applies one fix. Pure.
std::string applyFix(std::string_view text, const Fix& fix);

} // namespace ptxwb
