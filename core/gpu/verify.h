// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/run_context.h"

namespace ptxwb::gpu {

/// Runs the trials: fresh inputs, poisoned outputs, guards, a launch under the watchdog, then the reference
/// from the seed and the comparison. Fills finished.trials. Gives what the candidate did wrong beyond numbers
/// (a fault ends it).
Result<std::optional<CandidateFault>> verify(RunContext& context);

/// Both rules over the trials so far, into finished.
void judgeTrials(RunContext& context);

} // namespace ptxwb::gpu
