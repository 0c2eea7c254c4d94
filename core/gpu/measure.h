// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/run_context.h"

namespace ptxwb::gpu {

/// Times the candidate, cold and warm, and in ABBA rounds against every baseline asked for; fills
/// finished.timing and finished.timedOutputsChecked. Outputs of timed calls are compared with the reference
/// at rounds drawn from the seed: what they show joins finished.trials. Gives a fault of the candidate.
Result<std::optional<CandidateFault>> measure(RunContext& context);

} // namespace ptxwb::gpu
