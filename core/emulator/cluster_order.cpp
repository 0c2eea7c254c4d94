// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/cluster_order.h"

#include <numeric>
#include <random>

namespace ptxwb::emulator {

ClusterOrder clusterOrder(const LaunchContext& launch)
{
    ClusterOrder order;
    order.total = std::uint64_t{launch.grid[0] / launch.cluster[0]} * (launch.grid[1] / launch.cluster[1])
        * (launch.grid[2] / launch.cluster[2]);
    order.reversed = launch.policy == AsyncPolicy::Late;
    // A multiplier that has no common divisor with the total visits every cluster once.
    if (launch.policy == AsyncPolicy::Random && order.total > 2) {
        std::mt19937_64 random(launch.seed);
        order.offset = random() % order.total;
        do {
            order.stride = 1 + random() % (order.total - 1);
        } while (std::gcd(order.stride, order.total) != 1);
    }
    return order;
}

} // namespace ptxwb::emulator
