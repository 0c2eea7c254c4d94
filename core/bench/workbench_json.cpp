// SPDX-License-Identifier: Apache-2.0
#include "core/bench/task_json.h"

#include "core/bench/expression.h"
#include "core/bench/suggestion.h"
#include "core/bench/verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

void requireOneOf(const JsonNode& node, std::string_view what, const std::vector<std::string>& known)
{
    const std::string name = node.string();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        node.fail(fmt::format("unknown {} \"{}\"", what, name), suggestionFor(name, known));
    }
}

OracleSpec readOracle(const JsonNode& node)
{
    node.allowOnly({"name", "parameters", "file"});
    requireOneOf(node.at("name"), "oracle",
        {"gemm_nt", "gemm_nt_scaled", "attention_forward", "attention_forward_scaled", "attention_backward",
            "gathered_attention", "candidate", "stored", "python"});
    OracleSpec oracle;
    oracle.name = node.at("name").string();
    if (oracle.name == "candidate" || oracle.name == "stored") {
        oracle.file = node.at("file").string();
    }
    if (node.has("parameters")) {
        for (const auto& [name, value] : node.at("parameters").members()) {
            oracle.parameters.emplace(name, value.number());
        }
    }
    return oracle;
}

double within(const JsonNode& node, double least, double most)
{
    const double value = node.number();
    if (!(value >= least && value <= most)) {
        node.fail(fmt::format("{} is not within {} to {}", value, least, most));
    }
    return value;
}

Tolerance readTolerance(const JsonNode& node)
{
    node.allowOnly({"rtol", "atol", "matched_ratio", "trials"});
    Tolerance tolerance;
    tolerance.rtol = within(node.at("rtol"), 0, 1e6);
    tolerance.atol = within(node.at("atol"), 0, 1e6);
    tolerance.matchedRatio = within(node.at("matched_ratio"), 0, 1);
    tolerance.trials = static_cast<int>(within(node.at("trials"), 1, 1000));
    return tolerance;
}

StrictRule readStrict(const JsonNode& node, const Task& task)
{
    node.allowOnly({"normwise_rel_error"});
    StrictRule strict;
    std::vector<std::string> outputs;
    for (const TensorSpec& output : task.outputs) {
        outputs.push_back(output.name);
    }
    const JsonNode bounds = node.at("normwise_rel_error");
    if (bounds.isNumber()) {
        strict.normwiseRelError.emplace_back("", within(bounds, 0, 1));
        return strict;
    }
    for (const auto& [name, value] : bounds.members()) {
        if (std::find(outputs.begin(), outputs.end(), name) == outputs.end()) {
            value.fail(fmt::format("{} has no output `{}`", task.name, name), suggestionFor(name, outputs));
        }
        strict.normwiseRelError.emplace_back(name, within(value, 0, 1));
    }
    return strict;
}

/// An expression over the axes that can be evaluated: tried with ones, because the values come with a
/// workload.
std::string readExpression(const JsonNode& node, const Task& task)
{
    std::map<std::string, std::int64_t> ones;
    for (const Axis& axis : task.axes) {
        ones.emplace(axis.name, axis.constant.value_or(1));
    }
    (void)node.evaluated(ones);
    return node.string();
}

ExampleKernel readExample(const JsonNode& node, const Task& task)
{
    node.allowOnly({"path", "target", "contract", "title", "expected_verdict", "expected_goals"});
    ExampleKernel example;
    example.path = node.at("path").string();
    example.target = node.at("target").string();
    example.contract = node.has("contract") ? node.at("contract").string() : task.contract;
    example.title = node.at("title").string();
    example.expectedVerdict = node.at("expected_verdict").string();
    if (!verdictByName(example.expectedVerdict)) {
        node.at("expected_verdict")
            .fail(fmt::format("unknown verdict \"{}\"", example.expectedVerdict),
                suggestionFor(example.expectedVerdict, verdictNames()));
    }
    std::vector<std::string> goals;
    for (const InstructionGoal& goal : task.goals) {
        if (goal.target == example.target) {
            goals.push_back(goal.name);
        }
    }
    if (node.has("expected_goals")) {
        for (const JsonNode& goal : node.at("expected_goals").items()) {
            requireOneOf(goal, fmt::format("goal of {}", example.target), goals);
            example.expectedGoals.push_back(goal.string());
        }
    }
    return example;
}

} // namespace

void readWorkbench(const JsonNode& node, Task& task)
{
    node.allowOnly({"oracle", "tolerance", "strict", "baselines", "flops", "bytes", "goals", "contract",
        "examples", "notes"});
    if (node.has("oracle")) {
        task.oracle = readOracle(node.at("oracle"));
    }
    if (node.has("tolerance")) {
        task.tolerance = readTolerance(node.at("tolerance"));
    }
    if (node.has("strict")) {
        task.strict = readStrict(node.at("strict"), task);
    }
    if (node.has("baselines")) {
        for (const JsonNode& item : node.at("baselines").items()) {
            item.allowOnly({"name", "description"});
            requireOneOf(item.at("name"), "baseline", {"cublaslt", "cudnn"});
            task.baselines.push_back({item.at("name").string(), item.at("description").string()});
        }
    }
    if (node.has("flops")) {
        task.flops = readExpression(node.at("flops"), task);
    }
    if (node.has("bytes")) {
        task.bytes = readExpression(node.at("bytes"), task);
    }
    if (node.has("goals")) {
        for (const JsonNode& item : node.at("goals").items()) {
            item.allowOnly({"name", "target", "family"});
            task.goals.push_back(
                {item.at("name").string(), item.at("target").string(), item.at("family").string()});
        }
    }
    if (node.has("contract")) {
        requireOneOf(node.at("contract"), "contract", {"kernel", "host"});
        task.contract = node.at("contract").string();
    }
    if (node.has("examples")) {
        for (const JsonNode& item : node.at("examples").items()) {
            task.examples.push_back(readExample(item, task));
        }
    }
    if (node.has("notes")) {
        task.notes = node.at("notes").strings();
    }
}

} // namespace ptxwb
