// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/ptxas_trial.h"

namespace ptxwb::detail {

/// What asking ptxas about other ways to write a statement brought.
struct SearchedFixes {
    std::vector<Fix> fixes{}; ///< the most probable first; ptxas has nothing against the statement with any
    std::string explanation{}; ///< of the first fix, or of what is wrong where there is no fix
    std::optional<TextEdit> blamed{}; ///< the place of the operand that is wrong, with no text
};

/// Looks for a way to write the statement at the message's place that ptxas takes. All ways stand in one
/// text, a line each, so that one run answers for all of them.
SearchedFixes searchFixes(const std::string& source, const Diagnostic& said, const AskPtxas& ask);

} // namespace ptxwb::detail
