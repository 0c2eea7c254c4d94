// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/causes.h"
#include "core/toolchain/ptxas_trial.h"

namespace ptxwb::detail {

/// Asks ptxas whether every fix of a root cause mends it, takes away those that do not, completes those
/// behind which the same statement has another mistake, and looks for a fix where none is left. A fix that
/// ptxas could not be asked about stays. `context.source` is the text that the diagnostics speak of.
void proveFixes(std::vector<Diagnostic>& diagnostics, const CauseContext& context, const AskPtxas& ask);

} // namespace ptxwb::detail
