// SPDX-License-Identifier: Apache-2.0
#include "app/cli/task_option.h"

#include "core/bench/trace_root.h"
#include "core/support/files.h"
#include "core/support/sha256.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace ptxwb::cli {

namespace {

// Version 5 of RFC 4122 in looks: the same axes give the same uuid.
std::string uuidOf(const std::string& text)
{
    const auto hash = sha256Hex(text);
    return fmt::format("{}-{}-5{}-8{}-{}", hash.substr(0, 8), hash.substr(8, 4), hash.substr(12, 3),
        hash.substr(15, 3), hash.substr(18, 12));
}

Error badAxes(const std::string& axes, const std::string& why)
{
    return {.code = ErrorCode::InvalidArgument,
        .message = fmt::format("--axes '{}': {}", axes, why),
        .hint = "--axes M=4096, several with commas"};
}

} // namespace

Result<std::string> addWorkload(Task& task, const std::string& axes)
{
    if (task.workloads.empty()) {
        return badAxes(axes, fmt::format("{} has no workload that says how its inputs are made", task.name));
    }
    Workload workload = task.workloads.front();
    std::string name;
    for (std::size_t begin = 0; begin <= axes.size();) {
        const auto end = std::min(axes.find(',', begin), axes.size());
        const auto word = axes.substr(begin, end - begin);
        begin = end + 1;
        const auto equals = word.find('=');
        const auto axis = word.substr(0, std::min(equals, word.size()));
        std::int64_t extent = 0;
        const char* last = word.data() + word.size();
        const auto read = equals == std::string::npos
            ? std::from_chars_result{last, std::errc::invalid_argument}
            : std::from_chars(word.data() + equals + 1, last, extent);
        if (read.ec != std::errc{} || read.ptr != last || extent < 1) {
            return badAxes(axes, fmt::format("'{}' is no axis with a size from 1", word));
        }
        const auto known =
            std::find_if(task.axes.begin(), task.axes.end(), [&](const Axis& a) { return a.name == axis; });
        if (known == task.axes.end() || known->constant) {
            return badAxes(axes,
                known == task.axes.end() ? fmt::format("{} has no axis {}", task.name, axis)
                                         : fmt::format("axis {} of {} is {} in every workload", axis,
                                             task.name, *known->constant));
        }
        workload.axes[axis] = extent;
        name += fmt::format("{}{}{}", name.empty() ? "" : "-", axis, extent);
    }
    workload.uuid = uuidOf(task.name + name);
    workload.tags = {name};
    if (auto whole = task.axisValues(workload); !whole) {
        return whole.error();
    }
    task.workloads.push_back(workload);
    return workload.uuid;
}

Result<void> chooseOracle(Task& task, const std::string& oracle)
{
    if (oracle.empty()) {
        return {};
    }
    constexpr std::string_view stored = "stored:";
    if (oracle == "none") {
        task.oracle = {};
    } else if (oracle == "python") {
        // Tables and factors that a task derives from the seed stay those of its own oracle.
        task.oracle.file = std::exchange(task.oracle.name, "python");
    } else if (oracle.starts_with(stored) && oracle.size() > stored.size()) {
        std::error_code failed;
        task.oracle = {.name = "stored",
            .file = std::filesystem::absolute(oracle.substr(stored.size()), failed).string()};
    } else {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format("--oracle '{}' is not understood", oracle),
            .hint = "python, stored:FOLDER or none"};
    }
    return {};
}

Result<Task> findTask(const std::string& name)
{
    std::error_code failed;
    if (std::filesystem::exists(std::filesystem::path(name) / "task.json", failed)) {
        return loadTask(name);
    }
    const auto share = shareDirectory();
    if (!share) {
        return share.error();
    }
    auto tasks = loadTasks(*share / "tasks");
    if (!tasks) {
        return tasks.error();
    }
    std::vector<std::string> known;
    for (auto& task : *tasks) {
        if (task.name == name) {
            return std::move(task);
        }
        known.push_back(task.name);
    }
    return Error{.code = ErrorCode::NotFound,
        .message = fmt::format("there is no task '{}'", name),
        .hint = fmt::format("known: {}; or a folder with a task.json", fmt::join(known, ", "))};
}

Result<Task> findTask(const std::string& name, const std::string& dataset)
{
    if (dataset.empty()) {
        return findTask(name);
    }
    const auto share = shareDirectory();
    const auto known = share ? loadTasks(*share / "tasks") : Result<std::vector<Task>>(std::vector<Task>());
    auto task = loadTraceTask(dataset, name, known ? *known : std::vector<Task>());
    if (task && task->workloads.empty()) {
        return Error{.code = ErrorCode::NotFound,
            .message = fmt::format("the data set has no workload of '{}'", name),
            .path = dataset};
    }
    return task;
}

} // namespace ptxwb::cli
