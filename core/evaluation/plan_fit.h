// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"
#include "core/ptx/outline.h"

namespace ptxwb {

/// A place where a launch plan and the kernels of the code disagree.
struct PlanMisfit {
    std::string jsonPath{}; ///< in the plan, `$.launches[0].args[2]`
    std::string message{}; ///< names the kernel, what it takes and what the plan gives
    std::string hint{};
};

/// Every launch of the plan against the `.entry` that it names: that the kernel is there, how many parameters
/// it takes, the size of each and whether it is a number, a real or a tensor map. A real where the kernel
/// reads an integer (and the other way round) is a misfit, for its bits would be misread; `.b32` takes both.
std::vector<PlanMisfit> planMisfits(const ResolvedPlan& plan, const PtxOutline& code);

} // namespace ptxwb
