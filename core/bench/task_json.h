// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/json_place.h"
#include "core/bench/task.h"

namespace ptxwb {

/// A FlashInfer Trace definition with our `workbench` object (optional), without its workloads. Throws
/// JsonFault.
Task readDefinition(const JsonNode& root);

/// The `workbench` object, into a task whose definition part is read. Throws JsonFault.
void readWorkbench(const JsonNode& node, Task& task);

/// One line of workloads.jsonl. Throws JsonFault.
Workload readWorkload(const JsonNode& root, const Task& task);

} // namespace ptxwb
