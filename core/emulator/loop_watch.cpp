// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/loop_watch.h"

#include <algorithm>
#include <cstring>

namespace ptxwb::emulator {

namespace {

constexpr std::size_t rowBytes = laneCount * sizeof(std::uint32_t);

bool sameSplits(const std::vector<Split>& a, const std::vector<Split>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Split& x, const Split& y) {
        return x.pc == y.pc && x.mask == y.mask && x.frame == y.frame && x.wait == y.wait;
    });
}

bool sameRegisters(const Warp& warp, LoopWatch& watch)
{
    const auto differs = [&](std::uint32_t r) {
        return std::memcmp(warp.row(r), watch.rows.data() + std::size_t{r} * laneCount, rowBytes) != 0;
    };
    const std::uint32_t rows = warp.program->rowCount;
    if (watch.differentRow < rows && differs(watch.differentRow)) {
        return false;
    }
    for (std::uint32_t r = 0; r < rows; ++r) {
        if (differs(r)) {
            watch.differentRow = r;
            return false;
        }
    }
    return std::memcmp(warp.predicates, watch.rows.data() + std::size_t{rows} * laneCount,
               warp.program->predicateCount * sizeof(std::uint32_t))
        == 0
        && warp.carry == watch.carry;
}

void remember(Warp& warp, LoopWatch& watch)
{
    const auto& program = *warp.program;
    watch.armed = false;
    watch.pc = warp.split().pc;
    watch.effects = *warp.cta->cluster->effects;
    watch.slice = warp.slices;
    watch.comparisons = 0;
    watch.carry = warp.carry;
    const std::size_t words = std::size_t{program.rowCount} * laneCount;
    watch.rows.resize(words + program.predicateCount);
    std::memcpy(watch.rows.data(), warp.rows, words * sizeof(std::uint32_t));
    std::memcpy(watch.rows.data() + words, warp.predicates, program.predicateCount * sizeof(std::uint32_t));
    watch.splits = warp.splits;
}

} // namespace

void watchLoop(Warp& warp)
{
    const auto effects = *warp.cta->cluster->effects;
    ++warp.slices;
    if (warp.effectsAtSliceEnd != effects) {
        warp.effectsAtSliceEnd = effects;
        if (warp.loop) {
            warp.loop->armed = false;
            warp.loop->pc = 0xFFFFFFFFU;
            warp.loop->patience = 64;
        }
        return;
    }
    if (!warp.loop) {
        warp.loop = std::make_unique<LoopWatch>();
    }
    if (warp.loop->pc == 0xFFFFFFFFU) {
        warp.loop->armed = true;
    }
}

void noteJump(Warp& warp)
{
    auto& watch = *warp.loop;
    if (warp.splits.empty() || warp.current >= warp.splits.size()) {
        return;
    }
    if (watch.armed) {
        remember(warp, watch);
        return;
    }
    if (warp.split().pc != watch.pc) {
        return;
    }
    const auto effects = *warp.cta->cluster->effects;
    if (effects != watch.effects) {
        watch.pc = 0xFFFFFFFFU;
        return;
    }
    // Splits take turns by slices: what one of them does again says nothing of the others.
    const bool othersRan = warp.splits.size() == 1 || warp.slices - watch.slice > 2 * warp.splits.size() + 2;
    if (othersRan && sameSplits(warp.splits, watch.splits) && sameRegisters(warp, watch)) {
        warp.loopEffects = effects;
        return;
    }
    if (++watch.comparisons >= watch.patience) {
        watch.patience *= 2;
        watch.armed = true;
    }
}

bool onlyLoops(const Cluster& cluster)
{
    bool any = false;
    for (const auto& cta : cluster.ctas) {
        for (const auto& warp : cta->warps) {
            const bool runs = std::any_of(warp.splits.begin(), warp.splits.end(),
                [](const Split& s) { return s.wait == Wait::None || s.wait == Wait::Yield; });
            if (runs && warp.loopEffects != *cluster.effects) {
                return false;
            }
            any = any || runs;
        }
    }
    return any;
}

bool allAreStuck(const std::deque<std::unique_ptr<Cluster>>& others, const Cluster& cluster)
{
    const auto stuck = [](const Cluster& c) { return c.stuckAt == *c.effects; };
    return stuck(cluster)
        && std::all_of(others.begin(), others.end(), [&](const auto& other) { return stuck(*other); });
}

} // namespace ptxwb::emulator
