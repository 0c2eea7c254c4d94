// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/verdict.h"

#include <cuda_runtime_api.h>

namespace ptxwb::gpu {

/// What a candidate did wrong: a verdict, not an Error of ours.
struct CandidateFault {
    Verdict verdict = Verdict::RuntimeError;
    std::string explanation{};
};

/// The verdict on an error code that running a kernel gave, with what it usually means.
CandidateFault faultOf(cudaError_t code, const std::string& doing);

} // namespace ptxwb::gpu
