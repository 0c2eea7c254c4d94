// SPDX-License-Identifier: Apache-2.0
#include "core/bench/launch_plan.h"

#include "core/bench/plan_scope.h"
#include "core/bench/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace ptxwb {

namespace {

Result<JsonDocument> parsedPlan(std::string_view fileText)
{
    Result<PlanText> text = extractLaunchPlan(fileText);
    if (!text) {
        return text.error();
    }
    return JsonDocument::parse(text->json, text->line);
}

BufferInit initOf(const Task& task, const TensorSpec& input, const Workload& workload)
{
    const auto found = workload.inputs.find(input.name);
    const InputSource source = found == workload.inputs.end() ? InputSource::Random : found->second.source;
    switch (source) {
    case InputSource::Random:
        return BufferInit::Random;
    case InputSource::Scalar:
        return BufferInit::Scalar;
    case InputSource::Derived:
        return BufferInit::Derived;
    case InputSource::Stored:
        break;
    }
    Error error;
    error.code = ErrorCode::Unsupported;
    error.message = fmt::format("input {} of {} is stored in {}: stored tensors are not read yet", input.name,
        task.name, found->second.path);
    error.hint = "choose a workload with random inputs";
    throw JsonFault{std::move(error)};
}

void addBuffer(
    PlanScope& scope, const TensorSpec& spec, const Workload& workload, BufferRole role, BufferInit init)
{
    Result<TensorType> type = scope.task.typeOf(spec, workload);
    if (!type) {
        throw JsonFault{type.error()};
    }
    BufferSpec buffer;
    buffer.name = spec.name;
    buffer.type = std::move(*type);
    buffer.role = role;
    buffer.init = init;
    const auto input = workload.inputs.find(spec.name);
    if (init == BufferInit::Scalar && input != workload.inputs.end()) {
        buffer.scalar = input->second.scalar;
    }
    scope.plan.buffers.push_back(std::move(buffer));
}

bool isIdentifier(std::string_view name)
{
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0
        && std::all_of(name.begin(), name.end(),
            [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

/// `axes` and `tensors` belong to plans that are run without a task. Beside a task they may only repeat it.
void checkAxes(const JsonNode& node, const PlanScope& scope)
{
    for (const auto& [name, value] : node.members()) {
        const auto axis = scope.names.find(name);
        const std::int64_t given = scope.evaluated(value);
        if (axis == scope.names.end() || axis->second != given) {
            value.fail(axis == scope.names.end()
                    ? fmt::format(
                        "`axes` gives {} = {}, which {} does not have", name, given, scope.task.name)
                    : fmt::format("`axes` gives {} = {}, this workload of {} has {}", name, given,
                        scope.task.name, axis->second),
                "`axes` is for kernels without a task: leave it out, the task gives the axes");
        }
    }
}

void checkTensors(const JsonNode& node, const PlanScope& scope)
{
    const std::string hint =
        "`tensors` is for kernels without a task: leave it out, the task gives the tensors";
    for (const auto& [name, tensor] : node.members()) {
        const auto buffer = std::find_if(scope.plan.buffers.begin(), scope.plan.buffers.end(),
            [&name = name](const BufferSpec& b) { return b.name == name; });
        if (buffer == scope.plan.buffers.end()) {
            tensor.fail(
                fmt::format("`tensors` gives {}, which {} does not have", name, scope.task.name), hint);
        }
        std::vector<std::int64_t> shape;
        for (const JsonNode& extent : tensor.at("shape").items()) {
            shape.push_back(scope.evaluated(extent));
        }
        if (dtypeByName(tensor.at("dtype").string()) != buffer->type.dtype || shape != buffer->type.shape) {
            tensor.fail(
                fmt::format("`tensors` gives {} another type or shape than {} has", name, scope.task.name),
                hint);
        }
    }
}

void readWorkspace(const std::string& name, const JsonNode& node, PlanScope& scope)
{
    node.allowOnly({"dtype", "shape", "init"});
    BufferSpec buffer;
    buffer.name = name;
    buffer.role = BufferRole::Workspace;
    buffer.init = BufferInit::Poison;
    buffer.type = scope.tensorType(node, "workspace " + name);
    if (node.has("init")) {
        const std::string init = node.at("init").string();
        if (init != "zero" && init != "poison") {
            node.at("init").fail(fmt::format("unknown init \"{}\"", init),
                "one of zero, poison (poison stands for uninitialised memory)");
        }
        buffer.init = init == "zero" ? BufferInit::Zero : BufferInit::Poison;
    }
    scope.plan.buffers.push_back(std::move(buffer));
}

void addTaskBuffers(PlanScope& scope, const Task& task, const Workload& workload)
{
    Result<std::map<std::string, std::int64_t>> axes = task.axisValues(workload);
    if (!axes) {
        throw JsonFault{axes.error()};
    }
    scope.names = std::move(*axes);
    for (const TensorSpec& input : task.inputs) {
        addBuffer(scope, input, workload, BufferRole::Input, initOf(task, input, workload));
    }
    for (const TensorSpec& output : task.outputs) {
        addBuffer(scope, output, workload, BufferRole::Output, BufferInit::Poison);
    }
}

ResolvedPlan resolved(const JsonNode& root, const Task& task, const Workload& workload)
{
    // `flops` and `bytes` are for runs without a task; the task has its own.
    root.allowOnly(
        {"launches", "tensor_maps", "workspaces", "constants", "axes", "tensors", "flops", "bytes"});
    PlanScope scope(task);
    addTaskBuffers(scope, task, workload);
    if (root.has("axes")) {
        checkAxes(root.at("axes"), scope);
    }
    if (root.has("constants")) {
        resolveConstants(root.at("constants"), scope);
    }
    if (root.has("tensors")) {
        checkTensors(root.at("tensors"), scope);
    }
    if (root.has("workspaces")) {
        resolveWorkspaces(root.at("workspaces"), scope);
    }
    if (root.has("tensor_maps")) {
        resolveTensorMaps(root.at("tensor_maps"), scope);
    }
    resolveLaunches(root.at("launches"), scope);
    return std::move(scope.plan);
}

template <class Container> std::vector<std::string> namesOf(const Container& items)
{
    std::vector<std::string> names;
    for (const auto& item : items) {
        names.push_back(item.name);
    }
    return names;
}

} // namespace

void resolveConstants(const JsonNode& node, PlanScope& scope)
{
    for (const auto& [name, value] : node.members()) {
        if (!isIdentifier(name)) {
            value.fail(fmt::format("`{}` cannot be used in expressions", name), "use letters, digits and _");
        }
        if (scope.names.contains(name)) {
            value.fail(
                fmt::format("`{}` is an axis of {} already", name, scope.task.name), "choose another name");
        }
        scope.names.emplace(name, scope.evaluated(value));
    }
}

void resolveWorkspaces(const JsonNode& node, PlanScope& scope)
{
    for (const auto& [name, workspace] : node.members()) {
        for (const BufferSpec& buffer : scope.plan.buffers) {
            if (buffer.name == name) {
                workspace.fail(
                    fmt::format("{} is a tensor of {}", name, scope.task.name), "rename the workspace");
            }
        }
        readWorkspace(name, workspace, scope);
    }
}

TensorType PlanScope::tensorType(const JsonNode& node, std::string_view what) const
{
    TensorType type;
    const JsonNode dtype = node.at("dtype");
    const std::optional<Dtype> known = dtypeByName(dtype.string());
    if (!known) {
        dtype.fail(
            fmt::format("unknown dtype \"{}\"", dtype.string()), suggestionFor(dtype.string(), dtypeNames()));
    }
    type.dtype = *known;
    constexpr std::int64_t largestBytes = std::int64_t{1} << 40;
    std::int64_t room = largestBytes / dtypeBytes(*known);
    for (const JsonNode& extent : node.at("shape").items()) {
        type.shape.push_back(inRange(extent, fmt::format("an extent of {}", what), 1, room));
        room /= type.shape.back();
    }
    return type;
}

std::int64_t PlanScope::inRange(
    const JsonNode& node, std::string_view what, std::int64_t least, std::int64_t most) const
{
    const std::int64_t value = evaluated(node);
    if (value < least || value > most) {
        node.fail(fmt::format("{} is {}, it must be {} to {}", what, value, least, most));
    }
    return value;
}

std::vector<std::string> PlanScope::bufferNames(bool workspaces) const
{
    std::vector<std::string> found;
    for (const BufferSpec& buffer : plan.buffers) {
        if ((buffer.role == BufferRole::Workspace) == workspaces) {
            found.push_back(buffer.name);
        }
    }
    return found;
}

int PlanScope::tensorIndex(const JsonNode& node) const
{
    const std::string name = node.string();
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (plan.buffers[i].name == name) {
            if (plan.buffers[i].role == BufferRole::Workspace) {
                node.fail(fmt::format("{} is a workspace", name),
                    fmt::format("write {{\"workspace\":\"{}\"}}", name));
            }
            return static_cast<int>(i);
        }
    }
    node.fail(fmt::format("unknown tensor `{}`", name),
        fmt::format("{} has: {}", task.name, fmt::join(bufferNames(false), ", ")));
}

int PlanScope::workspaceIndex(const JsonNode& node) const
{
    const std::string name = node.string();
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (plan.buffers[i].name == name && plan.buffers[i].role == BufferRole::Workspace) {
            return static_cast<int>(i);
        }
    }
    const std::vector<std::string> known = bufferNames(true);
    node.fail(fmt::format("unknown workspace `{}`", name),
        known.empty() ? std::string("declare it in `workspaces`") : suggestionFor(name, known));
}

int PlanScope::tensorMapIndex(const JsonNode& node) const
{
    const std::string name = node.string();
    for (std::size_t i = 0; i < plan.tensorMaps.size(); ++i) {
        if (plan.tensorMaps[i].name == name) {
            return static_cast<int>(i);
        }
    }
    const std::vector<std::string> known = namesOf(plan.tensorMaps);
    node.fail(fmt::format("unknown tensor map `{}`", name),
        known.empty() ? std::string("declare it in `tensor_maps`") : suggestionFor(name, known));
}

Result<ResolvedPlan> resolveLaunchPlan(std::string_view fileText, const Task& task, const Workload& workload)
{
    Result<JsonDocument> document = parsedPlan(fileText);
    if (!document) {
        return document.error();
    }
    return readPlaced([&] { return resolved(document->root(), task, workload); });
}

Result<ResolvedPlan> taskBuffers(const Task& task, const Workload& workload)
{
    return readPlaced([&] {
        PlanScope scope(task);
        addTaskBuffers(scope, task, workload);
        return std::move(scope.plan);
    });
}

std::optional<int> planLine(std::string_view fileText, std::string_view jsonPath)
{
    const Result<JsonDocument> document = parsedPlan(fileText);
    return document ? std::optional(document->lineOf(std::string(jsonPath))) : std::nullopt;
}

Result<DeclaredPlan> resolveDeclaredPlan(std::string_view fileText)
{
    Result<JsonDocument> document = parsedPlan(fileText);
    if (!document) {
        return document.error();
    }
    return readPlaced([&] { return declaredPlan(document->root()); });
}

Result<std::vector<std::string>> plannedKernels(std::string_view fileText)
{
    Result<JsonDocument> document = parsedPlan(fileText);
    if (!document) {
        return document.error();
    }
    return readPlaced([&] {
        std::vector<std::string> kernels;
        for (const JsonNode& launch : document->root().at("launches").items()) {
            kernels.push_back(launch.at("kernel").string());
        }
        return kernels;
    });
}

} // namespace ptxwb
