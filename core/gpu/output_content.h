// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/run_context.h"

#include <cstdint>

namespace ptxwb::gpu {

/// What the outputs hold now, with their bytes; synchronises.
Result<std::vector<TensorContent>> readOutputs(const RunContext& context);

/// Without an oracle: calls the current candidate once more on the same inputs, and notes in `outputs` by how
/// much the second results differ. Gives a fault of the candidate.
Result<std::optional<CandidateFault>> repeatCall(
    RunContext& context, std::uint64_t seed, std::vector<TensorContent>& outputs);

/// Leaves the bytes of those that `names` has.
void keepBytesOf(std::vector<TensorContent>& outputs, const std::vector<std::string>& names);

/// What can be said of outputs with nothing to compare them with; nothing when there is nothing to say.
std::optional<Judgement> judgeOutputs(const std::vector<TensorContent>& outputs);

} // namespace ptxwb::gpu
