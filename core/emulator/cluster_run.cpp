// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/cluster_run.h"

#include "core/emulator/diagnose.h"
#include "core/emulator/warp_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t sliceInstructions = 4096;

std::vector<Warp*> orderedWarps(Cluster& cluster)
{
    std::vector<Warp*> warps;
    for (auto& cta : cluster.ctas) {
        for (auto& warp : cta->warps) {
            warps.push_back(&warp);
        }
    }
    if (cluster.launch->policy == AsyncPolicy::Random) {
        std::shuffle(warps.begin(), warps.end(), cluster.random);
    } else if (cluster.launch->policy == AsyncPolicy::Late) {
        std::reverse(warps.begin(), warps.end());
    }
    return warps;
}

bool allExited(const Cluster& cluster)
{
    return std::all_of(
        cluster.ctas.begin(), cluster.ctas.end(), [](const auto& cta) { return cta->liveWarps == 0; });
}

/// Lets waiting try_waits return false once per state: a loop around them may have something else to do.
bool timeOutWaits(Cluster& cluster)
{
    if (cluster.timeoutProgress == cluster.progress) {
        return false;
    }
    cluster.timeoutProgress = cluster.progress;
    bool any = false;
    for (auto& cta : cluster.ctas) {
        for (auto& warp : cta->warps) {
            for (auto& s : warp.splits) {
                if (s.wait == Wait::Mbarrier) {
                    s.timedOut = true;
                    any = true;
                }
            }
        }
    }
    return any;
}

void completeSome(Cluster& cluster)
{
    auto& queue = cluster.queue;
    while (!queue.empty() && (cluster.random() & 3U) == 0) {
        queue.completeAt(cluster.random() % queue.size());
        ++cluster.progress;
    }
}

} // namespace

ClusterEnd runCluster(Cluster& cluster, std::uint64_t quantum)
{
    auto& launch = *cluster.launch;
    const bool random = launch.policy == AsyncPolicy::Random;
    const std::uint64_t start = cluster.step;
    auto warps = orderedWarps(cluster);
    for (;;) {
        if (launch.stop.stop_requested() || std::chrono::steady_clock::now() > launch.deadline) {
            return launch.stop.stop_requested() ? ClusterEnd::Cancelled : ClusterEnd::Livelock;
        }
        if (launch.lowestFault.load(std::memory_order_relaxed) < cluster.position) {
            return ClusterEnd::Cancelled;
        }
        bool ran = false;
        for (auto* warp : warps) {
            if (warp->live == 0 || !wakeReady(*warp)) {
                continue;
            }
            ran = true;
            const std::uint32_t slice = random
                ? 1U + static_cast<std::uint32_t>(cluster.random() % sliceInstructions)
                : sliceInstructions;
            const SliceEnd end = runWarp(*warp, slice, warp->spun);
            warp->spun = end == SliceEnd::Budget && !warp->spun;
            if (end == SliceEnd::Stopped || cluster.stopped) {
                return ClusterEnd::Stopped;
            }
            if (random) {
                completeSome(cluster);
            }
        }
        if (allExited(cluster)) {
            while (!cluster.queue.empty()) {
                cluster.queue.completeOldest();
            }
            checkAfterExit(cluster);
            return cluster.stopped ? ClusterEnd::Stopped : ClusterEnd::Done;
        }
        if (!ran) {
            if (!cluster.queue.empty()) {
                cluster.queue.completeAt(random ? cluster.random() % cluster.queue.size() : 0);
                ++cluster.progress;
                if (cluster.stopped) {
                    return ClusterEnd::Stopped;
                }
                continue;
            }
            if (timeOutWaits(cluster)) {
                continue;
            }
            return ClusterEnd::Deadlock;
        }
        if (launch.maxSteps != 0 && cluster.step > launch.maxSteps) {
            return ClusterEnd::Livelock;
        }
        if (cluster.step - start > quantum) {
            return ClusterEnd::Quantum;
        }
        if (random) {
            std::shuffle(warps.begin(), warps.end(), cluster.random);
        }
    }
}

} // namespace ptxwb::emulator
