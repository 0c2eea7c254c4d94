// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/event_writer.h"
#include "core/gpu/nvml.h"

namespace ptxwb::gpu {

/// Evaluates one candidate and writes every event, the terminal one last. Gives the exit status. A hanging
/// kernel ends the process in here. Call once per process: a fault leaves the context unusable.
RunnerExit evaluate(const EvaluateRequest& request, EventWriter& events, const Nvml& nvml);

/// Answers a probe.
RunnerExit answerProbe(EventWriter& events, const Nvml& nvml);

} // namespace ptxwb::gpu
