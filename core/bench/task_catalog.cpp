// SPDX-License-Identifier: Apache-2.0
#include "core/bench/task.h"

#include "core/bench/task_json.h"
#include "core/support/files.h"

#include <fmt/format.h>

#include <algorithm>
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

} // namespace

Result<Task> loadTask(const std::filesystem::path& directory)
{
    const std::filesystem::path definitionPath = directory / definitionFile;
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
    const std::filesystem::path workloadsPath = directory / workloadsFile;
    const Result<std::string> rows = readFile(workloadsPath);
    if (!rows) {
        return rows.error();
    }
    Result<std::vector<Workload>> workloads = parseWorkloads(*rows, workloadsPath.string(), *task);
    if (!workloads) {
        return workloads.error();
    }
    task->workloads = std::move(*workloads);
    task->directory = directory;
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
