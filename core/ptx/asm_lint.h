// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint.h"

namespace ptxwb {

/// What lint read of the PTX inside asm strings of CUDA C++.
struct AsmLint {
    std::vector<LintFinding> findings{}; ///< at their places in the C++ text; edits are of that text
    int statements = 0; ///< asm statements that were found
    struct NotLinted {
        int line = 0; ///< of the statement
        std::string reason{};
    };
    std::vector<NotLinted> notLinted{};
};

/// Lints each asm statement by itself: names, words, operands and registers of its instructions, `%n` against
/// its constraint, and what C++ does to the text (`%%`, a comment that swallows the next string). What needs
/// a whole kernel, its .target or its .version is left to ptxas. Errors: NotFound, BadFormat (no ISA tables).
Result<AsmLint> lintCudaAsm(std::string_view source);

} // namespace ptxwb
