// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/outline.h"
#include "core/toolchain/build.h"
#include "core/toolchain/compiler.h"
#include "core/toolchain/ptxas_trial.h"

namespace ptxwb::detail {

/// Fills `outcome` from what a tool said and left: messages with the user's lines and columns, notes,
/// resources, artefacts, and our own warning for a module without a kernel. `outline` is that of a PTX
/// source, null for CUDA. With `ask` fixes of asm strings are proven.
void understand(CompileOutcome& outcome, BuildRun run, const BuildPlan& plan, const PtxOutline* outline,
    const AskPtxas& ask = {});

} // namespace ptxwb::detail
