// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/task_option.h"
#include "app/cli/text_report.h"
#include "core/bench/trace_root.h"
#include "core/support/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace ptxwb::cli {

namespace {

using Json = nlohmann::ordered_json;

Json taskJson(const Task& task)
{
    Json workloads = Json::array();
    for (const auto& workload : task.workloads) {
        workloads.push_back({{"uuid", workload.uuid}, {"axes", workload.axes}, {"tags", workload.tags}});
    }
    Json goals = Json::array();
    for (const auto& goal : task.goals) {
        goals.push_back({{"goal", goal.name}, {"target", goal.target}, {"family", goal.sassFamily}});
    }
    Json baselines = Json::array();
    for (const auto& baseline : task.baselines) {
        baselines.push_back({{"name", baseline.name}, {"description", baseline.description}});
    }
    Json examples = Json::array();
    for (const auto& example : task.examples) {
        examples.push_back({{"path", (task.directory / example.path).string()}, {"title", example.title},
            {"target", example.target}, {"contract", example.contract},
            {"expected_verdict", example.expectedVerdict}, {"expected_goals", example.expectedGoals}});
    }
    return {{"name", task.name}, {"op_type", task.opType}, {"description", task.description},
        {"workloads", workloads}, {"goals", goals}, {"baselines", baselines}, {"examples", examples},
        {"oracle", task.oracle.name.empty() ? Json(nullptr) : Json(task.oracle.name)}, {"notes", task.notes}};
}

std::string typeText(const TensorSpec& spec)
{
    return spec.isScalar
        ? fmt::format("{} {}", dtypeName(spec.dtype), spec.name)
        : fmt::format("{} {}[{}]", dtypeName(spec.dtype), spec.name, fmt::join(spec.shape, ","));
}

std::string tensorsText(const std::vector<TensorSpec>& specs)
{
    std::vector<std::string> parts;
    parts.reserve(specs.size());
    for (const auto& spec : specs) {
        parts.push_back(typeText(spec));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string taskText(const Task& task)
{
    std::string text = fmt::format("{} ({})\n  {}\n", task.name, task.opType, task.description);
    text +=
        fmt::format("  inputs:  {}\n  outputs: {}\n", tensorsText(task.inputs), tensorsText(task.outputs));
    text += fmt::format("  paper's rule: rtol {}, atol {}, {} % of elements, {} trials\n",
        task.tolerance.rtol, task.tolerance.atol, 100 * task.tolerance.matchedRatio, task.tolerance.trials);
    text += fmt::format("  oracle: {}\n", task.oracle.name.empty() ? "none yet" : task.oracle.name);
    std::vector<std::string> baselines;
    for (const auto& baseline : task.baselines) {
        baselines.push_back(baseline.description);
    }
    text += fmt::format("  baseline: {}\n",
        baselines.empty() ? "none yet; `ptxwb eval --baseline FILE` takes a kernel of yours"
                          : fmt::format("{}", fmt::join(baselines, "; ")));
    std::vector<std::vector<std::string>> rows;
    for (const auto& workload : task.workloads) {
        std::vector<std::string> axes;
        for (const auto& [name, value] : workload.axes) {
            axes.push_back(fmt::format("{}={}", name, value));
        }
        rows.push_back({fmt::format("{}", fmt::join(workload.tags, ",")),
            fmt::format("{}", fmt::join(axes, " ")), workload.uuid});
    }
    text += "  workloads\n" + table(rows, "    ");
    rows.clear();
    for (const auto& example : task.examples) {
        rows.push_back({(task.directory / example.path).string(), example.target, example.expectedVerdict,
            example.expectedGoals.empty()
                ? std::string("goals: none")
                : fmt::format("goals: {}", fmt::join(example.expectedGoals, ", "))});
    }
    text += rows.empty() ? std::string("  no example kernels yet\n") : "  kernels\n" + table(rows, "    ");
    for (const auto& note : task.notes) {
        text += fmt::format("  note: {}\n", note);
    }
    return text;
}

/// The definitions of a FlashInfer Trace root; one that cannot be read is named with its reason.
int runDataset(const std::string& root, const std::string& name, const Session& session)
{
    const auto names = name.empty() ? traceDefinitions(root) : Result<std::vector<std::string>>({name});
    if (!names) {
        return session.fail(names.error());
    }
    Json list = Json::array();
    std::string text;
    for (const auto& one : *names) {
        const auto task = findTask(one, root);
        if (!task && !name.empty()) {
            return session.fail(task.error());
        }
        if (task) {
            list.push_back(taskJson(*task));
            text += taskText(*task) + '\n';
        } else {
            session.progress(fmt::format("{}: {}", one, describe(task.error())));
        }
    }
    const Json document{{"schema", "ptxwb.tasks.v1"}, {"tasks", list}};
    return session.print(
        session.json ? document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n' : text, Holds);
}

int runTasks(const std::string& name, const Session& session)
{
    const auto share = shareDirectory();
    if (!share) {
        return session.fail(share.error());
    }
    const auto tasks = loadTasks(*share / "tasks");
    if (!tasks) {
        return session.fail(tasks.error());
    }
    Json list = Json::array();
    std::string text;
    std::vector<std::string> known;
    for (const auto& task : *tasks) {
        known.push_back(task.name);
        if (name.empty() || task.name == name) {
            list.push_back(taskJson(task));
            text += taskText(task) + '\n';
        }
    }
    if (list.empty()) {
        return session.fail({.code = ErrorCode::NotFound,
            .message = fmt::format("there is no task '{}'", name),
            .hint = fmt::format("known: {}", fmt::join(known, ", "))});
    }
    const Json document{{"schema", "ptxwb.tasks.v1"}, {"tasks", list}};
    return session.print(
        session.json ? document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n' : text, Holds);
}

} // namespace

RunCommand addTasksCommand(CLI::App& app)
{
    auto name = std::make_shared<std::string>();
    auto root = std::make_shared<std::string>();
    auto* command = app.add_subcommand("tasks", "Tasks with their workloads, rules and example kernels");
    command->add_option("NAME", *name, "Only this task");
    command->add_option("--dataset", *root, "Those of a FlashInfer Trace root instead of ours");
    return [name, root](const Session& session) {
        return root->empty() ? runTasks(*name, session) : runDataset(*root, *name, session);
    };
}

} // namespace ptxwb::cli
