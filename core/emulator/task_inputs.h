// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/evaluate.h"

namespace ptxwb::emulator {

/// The buffers of a plan of a task, filled as evaluateOnEmulator() fills them. Errors: those of fillOnHost()
/// and of an oracle that derives inputs.
Result<std::vector<std::vector<std::byte>>> makeTaskBuffers(const EmulatorEvaluationRequest& request,
    const ResolvedPlan& plan, unsigned workers, std::stop_token stop = {});

} // namespace ptxwb::emulator
