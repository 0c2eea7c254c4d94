// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluator.h"

namespace ptxwb {

/// What the runner is asked for one candidate: its code, plan, the task's oracle, tolerances and baselines,
/// and the amounts of work of this workload.
EvaluateRequest runnerRequest(const EvaluationRequest& request, const Evaluation& evaluation,
    const CompileOutcome& compiled, const ResolvedPlan& plan);

} // namespace ptxwb
