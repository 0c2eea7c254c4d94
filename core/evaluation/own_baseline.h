// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/built_candidate.h"

namespace ptxwb {

/// Builds a kernel of the user's for the task and workload and gives it to the request as the first baseline,
/// on the candidate's tensors. Errors: those of building it, InvalidArgument where it does not compile or is
/// a host-contract candidate's rival; each names its file.
Result<void> addOwnBaseline(EvaluateRequest& request, const Compiler& compiler, const OwnBaseline& baseline,
    const Task& task, const Workload& workload, std::stop_token stop);

/// What became of it: the timing's entry gets the file's name and hash, and the reason when there is none.
/// After the candidate ran.
void noteOwnBaseline(Evaluation& evaluation, const OwnBaseline& baseline, const Finished& finished);

} // namespace ptxwb
