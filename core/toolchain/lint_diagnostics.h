// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint.h"
#include "core/toolchain/diagnostic.h"

#include <string_view>
#include <vector>

namespace ptxwb {

/// A finding of lint as a diagnostic of ours ("ptxwb"): its code is the rule, its explanation the reason and
/// the manual's page.
Diagnostic diagnosticOf(const LintFinding& finding, std::string_view displayName);

/// Adds the findings to what the compiler said. The compiler is right: an error of lint in a text that it
/// accepts is withdrawn, and on a line of which it gives an error itself lint keeps silent, but lends its fix
/// where that error has none; of operands that fit no form, lint says which. Whether setmaxnreg is left out
/// is ptxas's to say (C7508): in a text that it refuses only what is certain is said. Below the
/// place where ptxas gave up reading nothing is called undeclared. Pure.
void addLint(std::vector<Diagnostic>& diagnostics, const std::vector<LintFinding>& findings,
    std::string_view displayName, bool isAccepted, const std::vector<PerformanceNote>& notes = {});

/// Adds what lint found in whole kernels of CUDA C++ (generated_lint.h), each a cause of its own, but for
/// what the lint of asm strings told already at the same line. Pure.
void addWholeKernelLint(std::vector<Diagnostic>& diagnostics, std::vector<Diagnostic> found);

} // namespace ptxwb
