// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluator.h"

namespace ptxwb {

/// Where a candidate will run, and why there.
struct Placement {
    std::string on = "none"; ///< "gpu", "emulator" or "none"
    std::string reason{}; ///< one sentence
    std::optional<RunnerEndpoint> endpoint{};
    std::optional<DeviceInfo> device{};
    std::vector<LibraryInfo> libraries{};
};

/// Probes what `request.where` allows. Never an Error: without a device the answer is "none" with its reason.
/// Cancellation: the caller checks `stop`.
Placement placeCandidate(const EvaluationRequest& request, std::stop_token stop);

} // namespace ptxwb
