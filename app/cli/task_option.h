// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"

namespace ptxwb::cli {

/// The task that --task names: one of ours, or a folder with a task.json. Errors: NotFound with the names
/// that there are; those of loadTask().
Result<Task> findTask(const std::string& name);
/// The same of a FlashInfer Trace root (--dataset), where that is not empty. Errors: also those of
/// loadTraceTask().
Result<Task> findTask(const std::string& name, const std::string& dataset);

/// Another oracle than the task's (--oracle): "python", "stored:FOLDER", "none"; empty: the task's. Errors:
/// InvalidArgument.
Result<void> chooseOracle(Task& task, const std::string& oracle);

/// A workload of the sizes that --axes gives ("M=4096"), with inputs as in the first one; its uuid, which
/// follows from the sizes. Errors: InvalidArgument naming the word.
Result<std::string> addWorkload(Task& task, const std::string& axes);

} // namespace ptxwb::cli
