// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/built_candidate.h"

namespace ptxwb {

/// Whether another kernel makes the task's reference.
bool hasOracleCandidate(const Task& task);

/// Builds that kernel (the file that the task's oracle names) for a workload and gives it to the request.
/// Errors: those of reading and building it, InvalidArgument where it does not compile; each names its file.
Result<void> addOracleCandidate(EvaluateRequest& request, const Compiler& compiler, const Task& task,
    const Workload& workload, std::stop_token stop);

/// Makes the reference by emulating that kernel, PTX or CUDA C++; for EmulatorEvaluationRequest::reference,
/// while the compiler is there.
std::function<Result<std::vector<std::vector<double>>>(
    const std::vector<std::vector<std::byte>>&, std::stop_token)>
emulatedOracle(const Compiler& compiler, const Task& task, const Workload& workload);

} // namespace ptxwb
