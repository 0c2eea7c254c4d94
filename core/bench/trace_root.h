// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"

namespace ptxwb {

/// The definitions of a FlashInfer Trace root (ROOT/definitions/**/NAME.json), by name, sorted. Errors:
/// NotFound (no folder `definitions` there).
Result<std::vector<std::string>> traceDefinitions(const std::filesystem::path& root);

/// One of them with its workloads (ROOT/workloads/**/NAME.jsonl), as the files are; nothing is written there.
/// What checks it (oracle, tolerances, baselines, goals) is taken from `known`, a task of the same name, axes
/// and tensors, and said in the notes; without one its results stay unverified. Errors: NotFound with the
/// names that there are, BadFormat with path, line and JSON path.
Result<Task> loadTraceTask(
    const std::filesystem::path& root, const std::string& name, const std::vector<Task>& known);

} // namespace ptxwb
