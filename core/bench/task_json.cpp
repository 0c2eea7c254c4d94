// SPDX-License-Identifier: Apache-2.0
#include "core/bench/task_json.h"

#include "core/bench/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb {

namespace {

std::string text(const JsonNode& node, std::string_view key)
{
    return node.has(key) && !node.at(key).isNull() ? node.at(key).string() : std::string{};
}

std::vector<std::string> texts(const JsonNode& node, std::string_view key)
{
    return node.has(key) && !node.at(key).isNull() ? node.at(key).strings() : std::vector<std::string>{};
}

Axis readAxis(const std::string& name, const JsonNode& node)
{
    Axis axis;
    axis.name = name;
    axis.description = text(node, "description");
    const std::string type = node.at("type").string();
    if (type == "const") {
        axis.constant = node.at("value").integer();
        if (*axis.constant < 0) {
            node.at("value").fail("an axis cannot be negative");
        }
    } else if (type != "var") {
        node.at("type").fail(fmt::format("unknown axis type \"{}\"", type), "one of const, var");
    }
    return axis;
}

Dtype readDtype(const JsonNode& node)
{
    const std::string name = node.string();
    const std::optional<Dtype> dtype = dtypeByName(name);
    if (!dtype) {
        node.fail(fmt::format("unknown dtype \"{}\"", name), suggestionFor(name, dtypeNames()));
    }
    return *dtype;
}

std::vector<std::string> axisNames(const Task& task)
{
    std::vector<std::string> names;
    for (const Axis& axis : task.axes) {
        names.push_back(axis.name);
    }
    return names;
}

TensorSpec readTensor(const std::string& name, const JsonNode& node, const Task& task)
{
    TensorSpec spec;
    spec.name = name;
    spec.dtype = readDtype(node.at("dtype"));
    spec.description = text(node, "description");
    const JsonNode shape = node.at("shape");
    spec.isScalar = shape.isNull();
    if (spec.isScalar) {
        return spec;
    }
    const std::vector<std::string> known = axisNames(task);
    for (const JsonNode& item : shape.items()) {
        const std::string axis = item.string();
        if (std::find(known.begin(), known.end(), axis) == known.end()) {
            item.fail(fmt::format("axis `{}` is not declared in `axes`", axis), suggestionFor(axis, known));
        }
        spec.shape.push_back(axis);
    }
    return spec;
}

} // namespace

Task readDefinition(const JsonNode& root)
{
    Task task;
    task.name = root.at("name").string();
    if (task.name.empty()) {
        root.at("name").fail("the task's name is empty");
    }
    task.opType = root.at("op_type").string();
    task.description = text(root, "description");
    for (const auto& [name, axis] : root.at("axes").members()) {
        task.axes.push_back(readAxis(name, axis));
    }
    for (const auto& [name, tensor] : root.at("inputs").members()) {
        task.inputs.push_back(readTensor(name, tensor, task));
    }
    for (const auto& [name, tensor] : root.at("outputs").members()) {
        const bool isInput = std::any_of(task.inputs.begin(), task.inputs.end(),
            [&name = name](const TensorSpec& input) { return input.name == name; });
        if (isInput) {
            tensor.fail(
                fmt::format("{} is an input already", name), "inputs and outputs need different names");
        }
        task.outputs.push_back(readTensor(name, tensor, task));
    }
    if (task.outputs.empty()) {
        root.at("outputs").fail("a task needs an output");
    }
    task.reference = root.at("reference").string();
    if (task.reference.find("def run(") == std::string::npos) {
        root.at("reference").fail("the reference defines no function `run`");
    }
    task.constraints = texts(root, "constraints");
    task.tags = texts(root, "tags");
    if (root.has("workbench")) {
        readWorkbench(root.at("workbench"), task);
    }
    return task;
}

namespace {

WorkloadInput readInput(const JsonNode& node)
{
    WorkloadInput input;
    const std::string type = node.at("type").string();
    if (type == "random") {
        input.source = InputSource::Random;
    } else if (type == "scalar") {
        input.source = InputSource::Scalar;
        input.scalar = node.at("value").number();
    } else if (type == "safetensors") {
        input.source = InputSource::Stored;
        input.path = node.at("path").string();
        input.tensorKey = node.at("tensor_key").string();
    } else if (type == "derived") {
        input.source = InputSource::Derived;
    } else {
        node.at("type").fail(
            fmt::format("unknown input type \"{}\"", type), "one of random, scalar, safetensors, derived");
    }
    return input;
}

void readWorkloadAxes(const JsonNode& node, const Task& task, Workload& workload)
{
    for (const auto& [name, value] : node.members()) {
        const auto axis = std::find_if(
            task.axes.begin(), task.axes.end(), [&name = name](const Axis& a) { return a.name == name; });
        if (axis == task.axes.end()) {
            value.fail(
                fmt::format("{} has no axis `{}`", task.name, name), suggestionFor(name, axisNames(task)));
        }
        if (axis->constant) {
            value.fail(fmt::format("axis {} is {} in every workload", name, *axis->constant),
                "a workload sets var axes only");
        }
        const std::int64_t extent = value.integer();
        if (extent < 0) {
            value.fail("an axis cannot be negative");
        }
        workload.axes.emplace(name, extent);
    }
    for (const Axis& axis : task.axes) {
        if (!axis.constant && !workload.axes.contains(axis.name)) {
            node.fail(fmt::format("no value for axis {}", axis.name));
        }
    }
}

void readWorkloadInputs(const JsonNode& node, const Task& task, Workload& workload)
{
    std::vector<std::string> known;
    for (const TensorSpec& input : task.inputs) {
        known.push_back(input.name);
    }
    for (const auto& [name, input] : node.members()) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            input.fail(fmt::format("{} has no input `{}`", task.name, name), suggestionFor(name, known));
        }
        workload.inputs.emplace(name, readInput(input));
    }
    for (const std::string& name : known) {
        if (!workload.inputs.contains(name)) {
            node.fail(fmt::format("input {} is missing", name), "e.g. {\"type\":\"random\"}");
        }
    }
}

} // namespace

Workload readWorkload(const JsonNode& root, const Task& task)
{
    if (root.at("definition").string() != task.name) {
        root.at("definition")
            .fail(fmt::format(
                "this workload is of {}, the task is {}", root.at("definition").string(), task.name));
    }
    const JsonNode node = root.at("workload");
    Workload workload;
    workload.uuid = node.at("uuid").string();
    if (workload.uuid.empty()) {
        node.at("uuid").fail("the uuid is empty");
    }
    workload.tags = texts(node, "tags");
    readWorkloadAxes(node.at("axes"), task, workload);
    readWorkloadInputs(node.at("inputs"), task, workload);
    for (const std::vector<TensorSpec>* tensors : {&task.inputs, &task.outputs}) {
        for (const TensorSpec& tensor : *tensors) {
            const Result<TensorType> type = task.typeOf(tensor, workload);
            if (!type) {
                node.at("axes").fail(type.error().message);
            }
        }
    }
    return workload;
}

} // namespace ptxwb
