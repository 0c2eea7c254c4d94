// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/machine.h"

namespace ptxwb::emulator {

enum class ClusterEnd : std::uint8_t { Done, Quantum, Stopped, Deadlock, Livelock, Cancelled };

/// Makes the CTAs of cluster number `index` of the grid, registers and shared memory set up.
std::unique_ptr<Cluster> makeCluster(LaunchContext& launch, std::uint64_t index);

/// Runs it for about `quantum` warp instructions.
ClusterEnd runCluster(Cluster& cluster, std::uint64_t quantum);

/// Files the report that says who waits for what.
void reportDeadlock(Cluster& cluster);
void reportLivelock(Cluster& cluster);
/// What can be said once every thread has exited.
void checkAfterExit(Cluster& cluster);

} // namespace ptxwb::emulator
