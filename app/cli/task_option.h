// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"

namespace ptxwb::cli {

/// The task that --task names. Errors: NotFound with the names that there are.
Result<Task> findTask(const std::string& name);

} // namespace ptxwb::cli
