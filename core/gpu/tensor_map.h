// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"
#include "core/gpu/candidate_fault.h"

#include <cuda.h>

#include <variant>

namespace ptxwb::gpu {

/// Encodes a tensor map over `buffer` (its device address). The driver's refusal is the candidate's fault and
/// names the map and its numbers.
std::variant<CUtensorMap, CandidateFault> encodeTensorMap(const TensorMapSpec& spec, void* buffer);

} // namespace ptxwb::gpu
