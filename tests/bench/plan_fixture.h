// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"

#include <string>

namespace ptxwb {

/// C[M,N] = A[M,K] B[N,K]^T with M = 1000 (var), N = 256, K = 192; A, B bfloat16, C float32, V [N] float16.
inline Task planTask()
{
    Task task;
    task.name = "plan_task";
    task.axes = {{"M", std::nullopt, ""}, {"N", 256, ""}, {"K", 192, ""}};
    task.inputs = {{"A", Dtype::Bfloat16, {"M", "K"}, false, ""},
        {"B", Dtype::Bfloat16, {"N", "K"}, false, ""}, {"V", Dtype::Float16, {"N"}, false, ""}};
    task.outputs = {{"C", Dtype::Float32, {"M", "N"}, false, ""}};
    Workload workload;
    workload.uuid = "w";
    workload.axes = {{"M", 1000}};
    task.workloads = {workload};
    return task;
}

/// Line 1 is PTX, line 2 opens the comment, the plan starts on line 3.
inline std::string fileWithPlan(const std::string& json)
{
    return ".version 8.0\n/* @launch\n" + json + "\n*/\n.target sm_90a\n";
}

inline Result<ResolvedPlan> resolvedFor(const std::string& json)
{
    const Task task = planTask();
    return resolveLaunchPlan(fileWithPlan(json), task, task.workloads[0]);
}

} // namespace ptxwb
