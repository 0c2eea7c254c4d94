// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/ledger.h"
#include "core/evaluation/phase_log.h"
#include "core/evaluation/placement.h"

namespace ptxwb {

/// Why the compiled candidate cannot run on the placement's device; the verdict that follows from it.
struct Refusal {
    Verdict verdict = Verdict::Unverified;
    std::string reason{};
};
std::optional<Refusal> whyNotOnDevice(
    const Evaluation& evaluation, const Placement& placement, const ResolvedPlan& plan);

/// verify, sanitize and measure inside a runner process; fills verdict, trials, timing and the phases.
/// `baseline`: the user's own, which the request has as its rival. Errors: Cancelled. A runner that cannot
/// work is the verdict infrastructure_error.
Result<void> executeOnGpu(Evaluation& evaluation, const Placement& placement, const EvaluateRequest& request,
    PhaseLog& log, LedgerSources& sources, std::stop_token stop,
    const std::optional<OwnBaseline>& baseline = {});

} // namespace ptxwb
