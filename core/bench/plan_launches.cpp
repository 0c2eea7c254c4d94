// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan_scope.h"

#include "core/bench/suggestion.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace ptxwb {

namespace {

using Extents = std::array<std::uint32_t, 3>;

// Limits of compute capability 9.0 and 10.0 (CUDA programming guide, technical specifications).
constexpr std::array<std::int64_t, 3> largestGrid{2147483647, 65535, 65535};
constexpr std::array<std::int64_t, 3> largestBlock{1024, 1024, 64};
constexpr std::uint32_t mostThreads = 1024;
constexpr std::uint32_t largestCluster = 8;
/// More than any device has: what fits is the device's to say (launch_error), what does not even resemble it
/// is a slip.
constexpr std::int64_t largestSharedBytes = 1 << 20;

constexpr char axisNames[] = {'x', 'y', 'z'};

Extents extents(const JsonNode& node, std::string_view what, const std::array<std::int64_t, 3>& largest,
    const PlanScope& scope)
{
    const std::vector<JsonNode> items = node.items();
    if (items.empty() || items.size() > 3) {
        node.fail(fmt::format("`{}` has {} entries, 1 to 3 are needed", what, items.size()));
    }
    Extents result{1, 1, 1};
    for (std::size_t i = 0; i < items.size(); ++i) {
        result[i] = static_cast<std::uint32_t>(
            scope.inRange(items[i], fmt::format("{}.{}", what, axisNames[i]), 1, largest[i]));
    }
    return result;
}

std::uint32_t product(const Extents& e)
{
    return e[0] * e[1] * e[2];
}

Extents clusterExtents(const JsonNode& node, const PlanScope& scope)
{
    constexpr std::int64_t largest = 16;
    const Extents cluster = extents(node, "cluster", {largest, largest, largest}, scope);
    if (product(cluster) > largestCluster) {
        node.fail(fmt::format("a cluster of {} CTAs, {} is the most", product(cluster), largestCluster),
            product(cluster) <= largest
                ? "more than 8 is the non-portable cluster size, which the workbench does not launch"
                : "");
    }
    return cluster;
}

void checkClusterDividesGrid(const JsonNode& node, const Launch& launch)
{
    for (std::size_t i = 0; i < 3; ++i) {
        if (launch.grid[i] % launch.cluster[i] != 0) {
            const std::vector<JsonNode> items = node.items();
            const JsonNode& place = i < items.size() ? items[i] : node;
            place.fail(fmt::format("cluster.{} is {}, which does not divide grid.{} = {}", axisNames[i],
                           launch.cluster[i], axisNames[i], launch.grid[i]),
                "round the grid up to a multiple and let the extra CTAs do nothing");
        }
    }
}

void readAttributes(const JsonNode& node, const PlanScope& scope, Launch& launch)
{
    node.allowOnly({"cooperative", "pdl", "preferred_cluster"});
    launch.cooperative = node.has("cooperative") && node.at("cooperative").boolean();
    launch.programmaticSerialization = node.has("pdl") && node.at("pdl").boolean();
    if (!node.has("preferred_cluster")) {
        return;
    }
    const JsonNode preferred = node.at("preferred_cluster");
    launch.preferredCluster = clusterExtents(preferred, scope);
    for (std::size_t i = 0; i < 3; ++i) {
        if ((*launch.preferredCluster)[i] % launch.cluster[i] != 0) {
            preferred.fail(fmt::format("preferred_cluster.{} is {}, no multiple of cluster.{} = {}",
                axisNames[i], (*launch.preferredCluster)[i], axisNames[i], launch.cluster[i]));
        }
    }
}

std::int64_t unsignedValue(const JsonNode& node, const PlanScope& scope)
{
    if (node.isUnsignedBeyondSigned()) {
        return static_cast<std::int64_t>(node.unsignedInteger());
    }
    return scope.inRange(node, "a u64 argument", 0, std::numeric_limits<std::int64_t>::max());
}

double realValue(const JsonNode& node, const PlanScope& scope)
{
    if (node.isNumber()) {
        return node.number();
    }
    if (!node.isString()) {
        node.fail("expected a number or an expression in quotes");
    }
    return static_cast<double>(scope.evaluated(node));
}

struct ArgumentReader {
    const PlanScope& scope;

    LaunchArgument read(const JsonNode& node) const
    {
        node.allowOnly(
            {"tensor", "tensor_map", "workspace", "i32", "u32", "i64", "u64", "f32", "f64", "offset"});
        std::string kind;
        for (const auto& member : node.members()) {
            if (member.first == "offset") {
                continue;
            }
            if (!kind.empty()) {
                node.fail(fmt::format("one argument has both `{}` and `{}`", kind, member.first),
                    "write one object per kernel parameter");
            }
            kind = member.first;
        }
        if (kind.empty()) {
            node.fail("an argument needs one of tensor, tensor_map, workspace, i32, u32, i64, u64, f32, f64");
        }
        LaunchArgument argument = value(kind, node.at(kind));
        if (node.has("offset")) {
            readOffset(node.at("offset"), argument);
        }
        return argument;
    }

private:
    LaunchArgument value(const std::string& kind, const JsonNode& node) const
    {
        constexpr std::int64_t int32Least = std::numeric_limits<std::int32_t>::min();
        constexpr std::int64_t int32Most = std::numeric_limits<std::int32_t>::max();
        constexpr std::int64_t uint32Most = std::numeric_limits<std::uint32_t>::max();
        LaunchArgument a;
        if (kind == "tensor") {
            a.kind = ArgumentKind::Tensor;
            a.index = scope.tensorIndex(node);
        } else if (kind == "workspace") {
            a.kind = ArgumentKind::Workspace;
            a.index = scope.workspaceIndex(node);
        } else if (kind == "tensor_map") {
            a.kind = ArgumentKind::TensorMap;
            a.index = scope.tensorMapIndex(node);
        } else if (kind == "i32") {
            a.kind = ArgumentKind::I32;
            a.integer = scope.inRange(node, "an i32 argument", int32Least, int32Most);
        } else if (kind == "u32") {
            a.kind = ArgumentKind::U32;
            a.integer = scope.inRange(node, "a u32 argument", 0, uint32Most);
        } else if (kind == "i64") {
            a.kind = ArgumentKind::I64;
            a.integer = scope.evaluated(node);
        } else if (kind == "u64") {
            a.kind = ArgumentKind::U64;
            a.integer = unsignedValue(node, scope);
        } else {
            a.kind = kind == "f32" ? ArgumentKind::F32 : ArgumentKind::F64;
            a.real = realValue(node, scope);
            if (a.kind == ArgumentKind::F32
                && std::abs(a.real) > static_cast<double>(std::numeric_limits<float>::max())) {
                node.fail("beyond the range of float", "use f64");
            }
        }
        return a;
    }

    void readOffset(const JsonNode& node, LaunchArgument& argument) const
    {
        if (argument.kind != ArgumentKind::Tensor && argument.kind != ArgumentKind::Workspace) {
            node.fail("only a tensor or a workspace takes an offset");
        }
        const BufferSpec& buffer = scope.plan.buffers[static_cast<std::size_t>(argument.index)];
        const std::int64_t elements = scope.inRange(
            node, fmt::format("an offset in elements of {}", buffer.name), 0, buffer.type.elements());
        argument.offsetBytes = elements * dtypeBytes(buffer.type.dtype);
    }
};

Launch readLaunch(const JsonNode& node, const PlanScope& scope)
{
    node.allowOnly({"kernel", "grid", "block", "cluster", "shared_bytes", "args", "attributes"});
    Launch launch;
    launch.kernel = node.at("kernel").string();
    if (launch.kernel.empty()) {
        node.at("kernel").fail("the kernel's name is empty");
    }
    launch.grid = extents(node.at("grid"), "grid", largestGrid, scope);
    launch.block = extents(node.at("block"), "block", largestBlock, scope);
    const std::uint64_t threads = std::uint64_t{launch.block[0]} * launch.block[1] * launch.block[2];
    if (threads > mostThreads) {
        node.at("block").fail(fmt::format("a block of {} threads, {} is the most", threads, mostThreads));
    }
    if (node.has("cluster")) {
        launch.cluster = clusterExtents(node.at("cluster"), scope);
        checkClusterDividesGrid(node.at("cluster"), launch);
    }
    if (node.has("shared_bytes")) {
        launch.dynamicSharedBytes = static_cast<std::uint32_t>(
            scope.inRange(node.at("shared_bytes"), "shared_bytes", 0, largestSharedBytes));
    }
    if (node.has("attributes")) {
        readAttributes(node.at("attributes"), scope, launch);
    }
    for (const JsonNode& argument : node.at("args").items()) {
        launch.arguments.push_back(ArgumentReader{scope}.read(argument));
    }
    return launch;
}

/// An output that no kernel receives cannot be written: nearly always a forgotten argument.
void checkOutputsArePassed(const JsonNode& node, const PlanScope& scope)
{
    std::vector<bool> passed(scope.plan.buffers.size(), false);
    for (const Launch& launch : scope.plan.launches) {
        for (const LaunchArgument& argument : launch.arguments) {
            if (argument.kind == ArgumentKind::TensorMap) {
                const int buffer = scope.plan.tensorMaps[static_cast<std::size_t>(argument.index)].buffer;
                passed[static_cast<std::size_t>(buffer)] = true;
            } else if (argument.index >= 0) {
                passed[static_cast<std::size_t>(argument.index)] = true;
            }
        }
    }
    for (std::size_t i = 0; i < passed.size(); ++i) {
        const BufferSpec& buffer = scope.plan.buffers[i];
        if (buffer.role == BufferRole::Output && !passed[i]) {
            node.fail(fmt::format("no launch receives the output {}", buffer.name),
                fmt::format("add {{\"tensor\":\"{}\"}}, or a tensor map of it, to the args", buffer.name));
        }
    }
}

} // namespace

void resolveLaunches(const JsonNode& node, PlanScope& scope)
{
    const std::vector<JsonNode> items = node.items();
    if (items.empty()) {
        node.fail("`launches` is empty: nothing would run");
    }
    for (const JsonNode& item : items) {
        scope.plan.launches.push_back(readLaunch(item, scope));
    }
    checkOutputsArePassed(node, scope);
}

} // namespace ptxwb
