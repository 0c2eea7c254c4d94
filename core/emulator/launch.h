// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/emulator.h"
#include "core/emulator/machine.h"

#include <cstdint>
#include <map>

namespace ptxwb::emulator {

/// Warps and threads that executed each opcode.
using ExecutedCounts = std::map<std::string, std::pair<std::uint64_t, std::uint64_t>>;

/// Runs the grid of one launch. `onCtas` is told about finished CTAs.
EmulatorEnd runLaunch(LaunchContext& launch, unsigned workers, ExecutedCounts& executed,
    const std::function<void(std::uint64_t)>& onCtas);

/// Limits of the target that the launch breaks, as reports. True when it may run.
bool checkLaunch(const LaunchContext& launch, const Launch& planned);

} // namespace ptxwb::emulator
