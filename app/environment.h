// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"
#include "core/ptx/isa_table.h"
#include "core/runner/runner_client.h"
#include "core/toolchain/compiler.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace ptxwb {

/// What was found on this machine, read once on a background thread. Immutable then.
struct Environment {
    std::shared_ptr<const Compiler> compiler{};
    std::vector<Task> tasks{};
    std::vector<Error> problems{}; ///< of the tasks and the ISA table
    const IsaTable* isaTable = nullptr;
};

/// Blocks. Looks for tools, tasks and the ISA table; a stop ends it early with what there is.
Environment loadEnvironment(const std::stop_token& stop);

/// What the runner said about GPUs; blocks up to its time limit.
struct GpuReport {
    std::optional<DeviceInfo> device{}; ///< the first one
    std::string problem{}; ///< why there is none, one sentence
};
GpuReport probeGpu(std::stop_token stop);

} // namespace ptxwb
