// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/json_place.h"
#include "core/bench/launch_plan.h"

#include <cstdint>

namespace ptxwb {

/// What the parts of a plan see while it is resolved: names for expressions and the buffers made so far.
/// The members throw JsonFault at the node that is wrong.
struct PlanScope {
    const Task& task;
    std::map<std::string, std::int64_t> names{}; ///< axes, then constants
    ResolvedPlan plan{};

    explicit PlanScope(const Task& taskOfPlan)
        : task(taskOfPlan)
    {
    }

    std::int64_t evaluated(const JsonNode& node) const { return node.evaluated(names); }
    /// An expression within [least, most]; `what` names it in the error.
    std::int64_t inRange(
        const JsonNode& node, std::string_view what, std::int64_t least, std::int64_t most) const;
    /// `dtype` and `shape` of an object; `what` names it in the error.
    TensorType tensorType(const JsonNode& node, std::string_view what) const;
    /// Index of the tensor or workspace that the string at `node` names.
    int tensorIndex(const JsonNode& node) const;
    int workspaceIndex(const JsonNode& node) const;
    int tensorMapIndex(const JsonNode& node) const;
    std::vector<std::string> bufferNames(bool workspaces) const;
};

/// `constants` of a plan, into scope.names.
void resolveConstants(const JsonNode& node, PlanScope& scope);

/// `workspaces` of a plan, behind the buffers that are there.
void resolveWorkspaces(const JsonNode& node, PlanScope& scope);

/// A plan without a task.
DeclaredPlan declaredPlan(const JsonNode& root);

/// `tensor_maps` of a plan, into scope.plan.tensorMaps.
void resolveTensorMaps(const JsonNode& node, PlanScope& scope);

/// `launches` of a plan, into scope.plan.launches.
void resolveLaunches(const JsonNode& node, PlanScope& scope);

} // namespace ptxwb
