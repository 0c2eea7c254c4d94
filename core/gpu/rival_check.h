// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/run_context.h"

namespace ptxwb::gpu {

/// Loads the request's rival and checks it as the candidate was checked; Finished::rival says what was found.
/// Gives its fault when it had one: its calls may have left the context unusable.
Result<std::optional<CandidateFault>> checkRival(RunContext& context);

} // namespace ptxwb::gpu
