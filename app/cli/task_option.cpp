// SPDX-License-Identifier: Apache-2.0
#include "app/cli/task_option.h"

#include "core/support/files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ptxwb::cli {

Result<Task> findTask(const std::string& name)
{
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
        .hint = fmt::format("known: {}", fmt::join(known, ", "))};
}

} // namespace ptxwb::cli
