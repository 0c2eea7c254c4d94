// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/machine.h"
#include "core/emulator/residency.h"

#include <cstdint>

namespace ptxwb::emulator {

/// In which order the clusters of a grid start, by policy and seed.
struct ClusterOrder {
    std::uint64_t total = 0;
    std::uint64_t offset = 0;
    std::uint64_t stride = 1;
    bool reversed = false;

    std::uint64_t at(std::uint64_t position) const ///< index of the cluster
    {
        const std::uint64_t index = (offset + position * stride) % total;
        return reversed ? total - 1 - index : index;
    }
};
ClusterOrder clusterOrder(const LaunchContext& launch);

/// CTAs that may wait for each other run in turns on one thread: so many warp instructions each, so many
/// clusters at a time.
constexpr std::uint64_t quantumOfCommunicating = 200'000;
/// All of a cooperative grid, of which checkLaunch() knows that it fits.
constexpr std::uint64_t residentClusters(const LaunchContext& launch)
{
    return launch.gridBarrier != 0 ? ~std::uint64_t{0} : residency::multiprocessors;
}

} // namespace ptxwb::emulator
