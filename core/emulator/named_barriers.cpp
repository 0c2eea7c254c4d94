// SPDX-License-Identifier: Apache-2.0
// bar, barrier, bar.warp.sync and barrier.cluster.
#include "core/emulator/barriers.h"
#include "core/emulator/diagnose.h"
#include "core/emulator/warp_run.h"

#include <fmt/format.h>

#include <bit>

namespace ptxwb::emulator {

namespace {

std::uint32_t needed(const Cta& cta, const NamedBarrier& barrier)
{
    return barrier.expected != 0 ? barrier.expected : cta.liveWarps * laneCount;
}

void settle(Cta& cta, NamedBarrier& barrier)
{
    if (!barrier.busy || barrier.arrived < needed(cta, barrier)) {
        return;
    }
    ++barrier.generation;
    ++cta.cluster->progress;
    join(barrier.released, barrier.arriving);
    join(barrier.released, cta.exited);
    barrier.arriving.clear();
    barrier.lastAnd = barrier.reduceAnd;
    barrier.lastOr = barrier.reduceOr;
    barrier.lastPopc = barrier.reducePopc;
    barrier.reduceAnd = 1;
    barrier.reduceOr = 0;
    barrier.reducePopc = 0;
    barrier.arrived = 0;
    barrier.expected = 0;
    barrier.busy = false;
    barrier.lanesOfWarp.assign(cta.warps.size(), 0);
}

void takeResult(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto& barrier = warp.cta->barriers[warp.split().waitOn];
    if ((in.mode & bar_mode::reducePopc) != 0) {
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            warp.row(in.d)[l] = (mask >> l & 1U) != 0 ? barrier.lastPopc : warp.row(in.d)[l];
        }
    } else if ((in.mode & (bar_mode::reduceAnd | bar_mode::reduceOr)) != 0) {
        const bool value = ((in.mode & bar_mode::reduceAnd) != 0 ? barrier.lastAnd : barrier.lastOr) != 0;
        auto& p = warp.predicates[in.d];
        p = value ? p | mask : p & ~mask;
    }
}

void acquire(Warp& warp, const VectorClock& clock)
{
    if (auto& races = warp.cta->cluster->races) {
        races->acquire(warp, clock);
        warp.cta->cluster->lanes->meet(warp, allLanes);
    }
}

void contribute(Warp& warp, const Instr& in, std::uint32_t mask, NamedBarrier& barrier)
{
    if ((in.mode & (bar_mode::reduceAnd | bar_mode::reduceOr | bar_mode::reducePopc)) == 0) {
        return;
    }
    const std::uint32_t p =
        (in.mode & bar_mode::negated) != 0 ? ~warp.predicates[in.c] : warp.predicates[in.c];
    barrier.reduceAnd &= (p & mask) == mask ? 1U : 0U;
    barrier.reduceOr |= (p & mask) != 0 ? 1U : 0U;
    barrier.reducePopc += static_cast<std::uint32_t>(std::popcount(p & mask));
}

} // namespace

Step namedBarrier(Warp& warp, const Instr& in, std::uint32_t mask)
{
    auto& cta = *warp.cta;
    if (warp.split().resumed) {
        warp.split().resumed = false;
        acquire(warp, cta.barriers[warp.split().waitOn].released);
        takeResult(warp, in, mask);
        return Step::Next;
    }
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const std::uint32_t id = warp.row(in.a)[lane];
    const bool hasCount = (in.mode & bar_mode::hasCount) != 0;
    const std::uint32_t count = hasCount ? warp.row(in.b)[lane] : 0;
    if (id >= cta.barriers.size() || (hasCount && (count == 0 || count % laneCount != 0))) {
        return stopWith(warp, in,
            {.rule = RuleId::BarrierMisuse,
                .message = id >= cta.barriers.size()
                    ? fmt::format("barrier {} does not exist: there are 16, from 0", id)
                    : fmt::format("a barrier for {} threads: the number must be a multiple of 32", count),
                .fix = "use barriers 0 to 15 and whole warps"});
    }
    auto& barrier = cta.barriers[id];
    if (!barrier.busy) {
        barrier.busy = true;
        barrier.expected = count;
        barrier.firstLine = in.line;
        barrier.lanesOfWarp.assign(cta.warps.size(), 0);
    } else if (barrier.expected != count) {
        const auto text = [](std::uint32_t n) { return n == 0 ? std::string("all") : fmt::format("{}", n); };
        return stopWith(warp, in,
            {.rule = RuleId::BarrierMisuse,
                .message =
                    fmt::format("barrier {} is used for {} threads here, but other warps wait on it for {}",
                        id, text(count), text(barrier.expected)),
                .fix = "give the same thread count at every instruction that takes part",
                .otherLine = barrier.firstLine});
    }
    auto& lanes = barrier.lanesOfWarp[warp.index];
    if ((lanes & mask) != 0) {
        return stopWith(warp, in,
            {.rule = RuleId::BarrierMisuse,
                .message = fmt::format("warp {} arrives twice on barrier {} in one phase", warp.index, id),
                .fix = "let each warp arrive once per phase, or use another barrier",
                .otherLine = barrier.firstLine});
    }
    lanes |= mask;
    if (cta.cluster->races) {
        cta.cluster->races->release(warp, barrier.arriving);
    }
    contribute(warp, in, mask, barrier);
    if (((lanes | ~warp.live) & warp.started) == warp.started) {
        barrier.arrived += laneCount;
    }
    const std::uint64_t generation = barrier.generation;
    settle(cta, barrier);
    if ((in.mode & bar_mode::arriveOnly) != 0) {
        return Step::Next;
    }
    if (barrier.generation != generation) {
        warp.split().waitOn = id;
        acquire(warp, barrier.released);
        takeResult(warp, in, mask);
        return Step::Next;
    }
    return park(warp, Wait::NamedBarrier, id, generation);
}

void settleBarriersAfterExit(Warp& warp, std::uint32_t exited)
{
    auto& cta = *warp.cta;
    for (auto& barrier : cta.barriers) {
        if (!barrier.busy) {
            continue;
        }
        const std::uint32_t lanes = barrier.lanesOfWarp[warp.index];
        const auto isWhole = [&](std::uint32_t live) {
            return ((lanes | ~live) & warp.started) == warp.started;
        };
        if (lanes != 0 && warp.live != 0 && isWhole(warp.live) && !isWhole(warp.live | exited)) {
            barrier.arrived += laneCount; // the lanes that were missing have exited
        }
        settle(cta, barrier);
    }
    if (cta.cluster->barrierArrived != 0) {
        settleClusterBarrier(*cta.cluster);
    }
}

Step warpBarrier(Warp& warp, const Instr& in, std::uint32_t mask)
{
    std::uint32_t complete = 0;
    std::uint32_t wanted = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const std::uint32_t members = warp.row(in.a)[std::countr_zero(m)] & warp.live;
        const bool here = (mask & members) == members;
        complete |= here ? m & (0U - m) : 0U;
        wanted |= here ? 0U : members;
    }
    if (auto& lanes = warp.cta->cluster->lanes) {
        for (std::uint32_t rest = complete; rest != 0;) {
            const std::uint32_t members = warp.row(in.a)[std::countr_zero(rest)];
            lanes->meet(warp, members);
            rest &= ~members;
        }
    }
    if (complete == mask) {
        return Step::Next;
    }
    if (complete == 0) {
        return park(warp, Wait::Reconverge, 1, wanted);
    }
    Split done = warp.split();
    done.mask = complete;
    ++done.pc;
    warp.split().mask &= ~complete;
    warp.splits.push_back(done);
    return Step::Jump;
}

void settleClusterBarrier(Cluster& cluster)
{
    std::uint32_t warps = 0;
    for (const auto& cta : cluster.ctas) {
        warps += cta->liveWarps;
    }
    if (cluster.barrierArrived >= warps) {
        ++cluster.barrierGeneration;
        ++cluster.progress;
        cluster.barrierArrived = 0;
        join(cluster.barrierReleased, cluster.barrierArriving);
        for (const auto& cta : cluster.ctas) {
            join(cluster.barrierReleased, cta->exited);
        }
    }
}

Step clusterArrive(Warp& warp, const Instr& in, std::uint32_t)
{
    auto& cluster = *warp.cta->cluster;
    if (warp.clusterArrivals != warp.clusterWaits) {
        return stopWith(warp, in,
            {.rule = RuleId::BarrierMisuse,
                .message = "barrier.cluster.arrive twice without a wait between",
                .fix = "pair every barrier.cluster.arrive with a barrier.cluster.wait"});
    }
    ++warp.clusterArrivals;
    warp.clusterGeneration = cluster.barrierGeneration;
    ++cluster.barrierArrived;
    if (cluster.races) {
        cluster.races->release(warp, cluster.barrierArriving);
    }
    settleClusterBarrier(cluster);
    return Step::Next;
}

Step clusterWait(Warp& warp, const Instr& in, std::uint32_t)
{
    auto& cluster = *warp.cta->cluster;
    if (warp.clusterArrivals == warp.clusterWaits) {
        return stopWith(warp, in,
            {.rule = RuleId::BarrierMisuse,
                .message = "barrier.cluster.wait without an arrive before",
                .fix = "execute barrier.cluster.arrive first"});
    }
    if (cluster.barrierGeneration == warp.clusterGeneration) {
        return park(warp, Wait::ClusterBarrier, 0, warp.clusterGeneration);
    }
    warp.split().resumed = false;
    ++warp.clusterWaits;
    acquire(warp, cluster.barrierReleased);
    return Step::Next;
}

} // namespace ptxwb::emulator
