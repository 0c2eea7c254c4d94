// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/verdict.h"

#include <cuda_runtime_api.h>

namespace ptxwb::gpu {

/// What a candidate did wrong: a verdict, not an Error of ours.
struct CandidateFault {
    Verdict verdict = Verdict::RuntimeError;
    std::string explanation{};
    std::string check{}; ///< what found it; empty: checkNameOf(verdict)
};

/// What finds faults of this verdict when no comparison was needed: "watchdog", "status of the launch".
std::string_view checkNameOf(Verdict verdict);

/// The verdict on an error code that running a kernel gave, with what it usually means.
CandidateFault faultOf(cudaError_t code, const std::string& doing);

} // namespace ptxwb::gpu
