// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan_scope.h"

#include "core/bench/suggestion.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr std::string_view filePrefix = "file:";

const Task& noTask()
{
    static const Task task = [] {
        Task made;
        made.name = "the plan";
        return made;
    }();
    return task;
}

struct Declared {
    BufferSpec buffer{};
    std::string file{};
};

void readInit(const JsonNode& node, Declared& declared)
{
    const std::string init = node.string();
    if (init.starts_with(filePrefix)) {
        declared.file = init.substr(filePrefix.size());
        declared.buffer.init = BufferInit::Zero;
        if (declared.file.empty()) {
            node.fail("no file is named", R"(write "file:NAME.npy")");
        }
        return;
    }
    const std::vector<std::pair<std::string, BufferInit>> known{{"random", BufferInit::Random},
        {"zero", BufferInit::Zero}, {"iota", BufferInit::Iota}, {"poison", BufferInit::Poison}};
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const auto& pair) { return pair.first == init; });
    if (found == known.end()) {
        node.fail(
            fmt::format("unknown init \"{}\"", init), "one of random, zero, iota, poison, file:NAME.npy");
    }
    declared.buffer.init = found->second;
}

Declared readTensor(const std::string& name, const JsonNode& node, const PlanScope& scope)
{
    node.allowOnly({"dtype", "shape", "init", "role"});
    Declared declared;
    auto& buffer = declared.buffer;
    buffer.name = name;
    buffer.type = scope.tensorType(node, name);
    if (node.has("role")) {
        const std::string role = node.at("role").string();
        if (role != "input" && role != "output") {
            node.at("role").fail(fmt::format("unknown role \"{}\"", role), "input or output");
        }
        buffer.role = role == "output" ? BufferRole::Output : BufferRole::Input;
    }
    buffer.init = buffer.role == BufferRole::Output ? BufferInit::Poison : BufferInit::Random;
    if (node.has("init")) {
        readInit(node.at("init"), declared);
    }
    return declared;
}

void readAxes(const JsonNode& node, PlanScope& scope)
{
    for (const auto& [name, value] : node.members()) {
        scope.names.emplace(
            name, scope.inRange(value, fmt::format("axis {}", name), 1, std::int64_t{1} << 40));
    }
}

} // namespace

DeclaredPlan declaredPlan(const JsonNode& root)
{
    root.allowOnly(
        {"launches", "tensor_maps", "workspaces", "constants", "axes", "tensors", "flops", "bytes"});
    PlanScope scope(noTask());
    DeclaredPlan out;
    if (root.has("axes")) {
        readAxes(root.at("axes"), scope);
        out.axes = scope.names;
    }
    if (root.has("constants")) {
        resolveConstants(root.at("constants"), scope);
    }
    const auto amount = [&](const char* key) -> std::optional<double> {
        constexpr std::int64_t most = std::int64_t{1} << 62;
        return root.has(key) ? std::optional(static_cast<double>(scope.inRange(root.at(key), key, 1, most)))
                             : std::nullopt;
    };
    out.flops = amount("flops");
    out.bytes = amount("bytes");
    out.declaresTensors = root.has("tensors");
    if (out.declaresTensors) {
        std::vector<Declared> all;
        for (const auto& [name, tensor] : root.at("tensors").members()) {
            all.push_back(readTensor(name, tensor, scope));
        }
        std::stable_partition(
            all.begin(), all.end(), [](const Declared& d) { return d.buffer.role == BufferRole::Input; });
        for (auto& declared : all) {
            scope.plan.buffers.push_back(std::move(declared.buffer));
            out.files.push_back(std::move(declared.file));
        }
    }
    if (root.has("workspaces")) {
        resolveWorkspaces(root.at("workspaces"), scope);
    }
    out.files.resize(scope.plan.buffers.size());
    if (root.has("tensor_maps")) {
        resolveTensorMaps(root.at("tensor_maps"), scope);
    }
    resolveLaunches(root.at("launches"), scope);
    out.plan = std::move(scope.plan);
    return out;
}

} // namespace ptxwb
