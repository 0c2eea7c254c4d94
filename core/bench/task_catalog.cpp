// SPDX-License-Identifier: Apache-2.0
#include "core/bench/task.h"

#include "core/bench/task_json.h"
#include "core/bench/trace_root.h"
#include "core/support/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace ptxwb {

namespace {

constexpr const char* definitionFile = "task.json";
constexpr const char* workloadsFile = "workloads.jsonl";

Result<std::vector<Workload>> parseWorkloads(std::string_view text, const std::string& path, const Task& task)
{
    std::vector<Workload> workloads;
    std::set<std::string> uuids;
    int line = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view row = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line;
        if (row.find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        Result<JsonDocument> document = JsonDocument::parse(row, line, path);
        if (!document) {
            return document.error();
        }
        Result<Workload> workload = readPlaced([&] {
            const JsonNode root = document->root();
            Workload read = readWorkload(root, task);
            if (!uuids.insert(read.uuid).second) {
                root.at("workload").at("uuid").fail("this uuid is on an earlier line already");
            }
            return read;
        });
        if (!workload) {
            return workload.error();
        }
        workloads.push_back(std::move(*workload));
    }
    return workloads;
}

Result<Task> loadFiles(
    const std::filesystem::path& definitionPath, const std::filesystem::path& workloadsPath)
{
    const Result<std::string> definition = readFile(definitionPath);
    if (!definition) {
        return definition.error();
    }
    Result<JsonDocument> document = JsonDocument::parse(*definition, 1, definitionPath.string());
    if (!document) {
        return document.error();
    }
    Result<Task> task = readPlaced([&] { return readDefinition(document->root()); });
    if (!task) {
        return task.error();
    }
    const Result<std::string> rows = readFile(workloadsPath);
    if (!rows) {
        return rows.error();
    }
    Result<std::vector<Workload>> workloads = parseWorkloads(*rows, workloadsPath.string(), *task);
    if (!workloads) {
        return workloads.error();
    }
    task->workloads = std::move(*workloads);
    task->directory = definitionPath.parent_path();
    return task;
}

/// The files of a folder and all below it with this ending, by their name without it.
std::map<std::string, std::filesystem::path> filesBelow(
    const std::filesystem::path& folder, std::string_view ending)
{
    std::map<std::string, std::filesystem::path> found;
    std::error_code fault;
    auto entry = std::filesystem::recursive_directory_iterator(folder, fault);
    for (; !fault && entry != std::filesystem::recursive_directory_iterator(); entry.increment(fault)) {
        if (entry->path().extension() == ending) {
            found.emplace(entry->path().stem().string(), entry->path());
        }
    }
    return found;
}

bool isSameDefinition(const Task& a, const Task& b)
{
    const auto sameTensors = [](const std::vector<TensorSpec>& x, const std::vector<TensorSpec>& y) {
        return std::equal(
            x.begin(), x.end(), y.begin(), y.end(), [](const TensorSpec& s, const TensorSpec& t) {
                return s.name == t.name && s.dtype == t.dtype && s.shape == t.shape
                    && s.isScalar == t.isScalar;
            });
    };
    const auto sameAxes = std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
        [](const Axis& s, const Axis& t) { return s.name == t.name && s.constant == t.constant; });
    return a.name == b.name && sameAxes && sameTensors(a.inputs, b.inputs)
        && sameTensors(a.outputs, b.outputs);
}

} // namespace

Result<Task> loadTask(const std::filesystem::path& directory)
{
    return loadFiles(directory / definitionFile, directory / workloadsFile);
}

Result<std::vector<std::string>> traceDefinitions(const std::filesystem::path& root)
{
    std::error_code fault;
    if (!std::filesystem::is_directory(root / "definitions", fault)) {
        return Error{.code = ErrorCode::NotFound,
            .message = "this is no root of FlashInfer Trace: it has no folder `definitions`",
            .hint = "ROOT/definitions/<family>/NAME.json and ROOT/workloads/<family>/NAME.jsonl",
            .path = root.string()};
    }
    std::vector<std::string> names;
    for (const auto& [name, path] : filesBelow(root / "definitions", ".json")) {
        names.push_back(name);
    }
    return names;
}

Result<Task> loadTraceTask(
    const std::filesystem::path& root, const std::string& name, const std::vector<Task>& known)
{
    const auto names = traceDefinitions(root);
    if (!names) {
        return names.error();
    }
    const auto definitions = filesBelow(root / "definitions", ".json");
    const auto definition = definitions.find(name);
    if (definition == definitions.end()) {
        return Error{.code = ErrorCode::NotFound,
            .message = fmt::format("the data set has no definition '{}'", name),
            .hint = names->empty() ? std::string("it has none")
                                   : fmt::format("it has: {}", fmt::join(*names, ", ")),
            .path = (root / "definitions").string()};
    }
    const auto workloads = filesBelow(root / "workloads", ".jsonl");
    const auto rows = workloads.find(name);
    if (rows == workloads.end()) {
        return Error{.code = ErrorCode::NotFound,
            .message = fmt::format("the data set has no workloads of '{}'", name),
            .hint = fmt::format("workloads/<family>/{}.jsonl, one workload a line", name),
            .path = (root / "workloads").string()};
    }
    auto task = loadFiles(definition->second, rows->second);
    if (!task) {
        return task.error();
    }
    const auto same = std::find_if(
        known.begin(), known.end(), [&](const Task& other) { return isSameDefinition(*task, other); });
    if (task->oracle.name.empty() && same != known.end()) {
        const auto files = std::pair(std::move(task->workloads), std::move(task->directory));
        *task = *same;
        task->workloads = files.first;
        task->directory = files.second;
        task->examples.clear();
        task->notes.insert(task->notes.begin(),
            "Definition and workloads are the data set's; oracle, tolerances and baselines are those of the "
            "workbench's own task of this name, which has the same axes and tensors.");
    }
    return task;
}

Result<std::vector<Task>> loadTasks(const std::filesystem::path& root)
{
    std::error_code fault;
    std::vector<std::filesystem::path> directories;
    auto entry = std::filesystem::recursive_directory_iterator(root, fault);
    if (fault) {
        Error error;
        error.code = ErrorCode::NotFound;
        error.message = fmt::format("cannot read the tasks' directory: {}", fault.message());
        error.path = root.string();
        return error;
    }
    for (; entry != std::filesystem::recursive_directory_iterator(); entry.increment(fault)) {
        if (entry->path().filename() == definitionFile) {
            directories.push_back(entry->path().parent_path());
        }
        if (fault) {
            break;
        }
    }
    std::vector<Task> tasks;
    for (const std::filesystem::path& directory : directories) {
        Result<Task> task = loadTask(directory);
        if (!task) {
            return task.error();
        }
        tasks.push_back(std::move(*task));
    }
    std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.name < b.name; });
    const auto twice = std::adjacent_find(
        tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.name == b.name; });
    if (twice != tasks.end()) {
        Error error;
        error.code = ErrorCode::BadFormat;
        error.message = fmt::format(
            "two tasks are named {}: the other is in {}", twice->name, (twice + 1)->directory.string());
        error.hint = "rename one of them";
        error.path = (twice->directory / definitionFile).string();
        return error;
    }
    return tasks;
}

} // namespace ptxwb
