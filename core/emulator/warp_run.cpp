// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/warp_run.h"

#include "core/emulator/barriers.h"
#include "core/emulator/diagnose.h"
#include "core/emulator/loop_watch.h"
#include "core/emulator/wgmma.h"

#include <fmt/format.h>

#include <bit>

namespace ptxwb::emulator {

namespace {

bool mergeable(const Split& s)
{
    return (s.wait == Wait::None && !s.resumed) || s.wait == Wait::Reconverge;
}

void reportUndefined(Warp& warp, const Instr& in, std::uint32_t index, std::uint32_t lanes)
{
    file(warp, in.line,
        {.rule = RuleId::UninitialisedRead,
            .message = fmt::format("{} of {} is read but was never written ({})", lanesText(lanes),
                warp.program->names[index], warp.program->opcodes[in.opcode]),
            .fix = "give the register a value on every path that leads here"});
    warp.defined[index] |= lanes; // once is enough
}

/// False when a report ends the CTA.
bool checkReads(Warp& warp, const Instr& in, std::uint32_t mask)
{
    std::uint32_t missing = 0;
    for (std::uint32_t i = 0; i < in.readCount; ++i) {
        missing |= ~warp.defined[in.reads[i]];
    }
    if ((missing & mask) == 0) {
        return true;
    }
    if (in.undefinedPasses) {
        return true;
    }
    for (std::uint32_t i = 0; i < in.readCount; ++i) {
        const std::uint32_t undefined = ~warp.defined[in.reads[i]] & mask;
        if (undefined != 0) {
            reportUndefined(warp, in, in.reads[i], undefined);
        }
    }
    return true;
}

void noteWrites(Warp& warp, const Instr& in, std::uint32_t mask)
{
    if (in.undefinedPasses) {
        std::uint32_t defined = allLanes;
        for (std::uint32_t i = 0; i < in.readCount; ++i) {
            defined &= warp.defined[in.reads[i]];
        }
        for (std::uint32_t i = 0; i < in.writeCount; ++i) {
            auto& d = warp.defined[in.writes[i]];
            d = (d & ~mask) | (defined & mask);
        }
        return;
    }
    for (std::uint32_t i = 0; i < in.writeCount; ++i) {
        warp.defined[in.writes[i]] |= mask;
    }
}

/// Remembers accesses that a later wgmma must be fenced from.
void noteTouched(Warp& warp, const Instr& in)
{
    if (warp.touched.empty()) {
        warp.touched.assign(warp.program->rowCount + warp.program->predicateCount, 0);
    }
    const auto line = static_cast<std::uint32_t>(in.line);
    for (std::uint32_t i = 0; i < in.readCount; ++i) {
        warp.touched[in.reads[i]] = line;
    }
    for (std::uint32_t i = 0; i < in.writeCount; ++i) {
        warp.touched[in.writes[i]] = line;
    }
    warp.touchedAny = true;
}

/// An `.aligned` instruction that not all live lanes reached together.
Step waitForLanes(Warp& warp, const Instr& in, std::uint32_t mask)
{
    if (warp.split().mask == warp.live) {
        return stopWith(warp, in,
            {.rule = RuleId::DivergentAligned,
                .message = fmt::format(
                    "{} must be executed by all lanes of the warp, but its predicate is true in {} only",
                    warp.program->opcodes[in.opcode], lanesText(mask)),
                .fix = "make the predicate the same in all lanes of the warp"});
    }
    return park(warp, Wait::Reconverge, 0, 0);
}

bool waitIsOver(const Warp& warp, const Split& s)
{
    const auto& cta = *warp.cta;
    switch (s.wait) {
    case Wait::None:
    case Wait::Yield:
        return true;
    case Wait::Reconverge:
        return s.waitOn == 0 ? s.mask == warp.live
                             : (s.mask & s.waitFor & warp.live) == (s.waitFor & warp.live);
    case Wait::Mbarrier:
        return s.timedOut || mbarrierWaitIsOver(warp, s);
    case Wait::NamedBarrier:
        return cta.barriers[s.waitOn].generation != s.waitFor;
    case Wait::ClusterBarrier:
        return cta.cluster->barrierGeneration != s.waitFor;
    case Wait::Warpgroup:
        return cta.collected[s.waitOn] != s.waitFor;
    case Wait::RegisterPool:
        return cta.registerPool >= s.waitFor;
    case Wait::CpAsyncGroup:
        return groupsAreDone(warp.cpAsync, s.mask, static_cast<std::uint32_t>(s.waitFor), false);
    case Wait::BulkGroupRead:
        return groupsAreDone(warp.bulk, s.mask, static_cast<std::uint32_t>(s.waitFor), true);
    case Wait::BulkGroup:
        return groupsAreDone(warp.bulk, s.mask, static_cast<std::uint32_t>(s.waitFor), false);
    case Wait::WgmmaGroup:
        return groupsAreDone(warp.wgmma, s.mask, static_cast<std::uint32_t>(s.waitFor), false);
    }
    return true;
}

} // namespace

bool wakeReady(Warp& warp)
{
    bool any = false;
    for (auto& s : warp.splits) {
        if (s.wait != Wait::None && waitIsOver(warp, s)) {
            s.resumed = s.wait != Wait::Reconverge && s.wait != Wait::Yield && s.wait != Wait::Warpgroup;
            s.wait = Wait::None;
        }
        any = any || s.wait == Wait::None;
    }
    return any;
}

bool reselect(Warp& warp)
{
    auto& splits = warp.splits;
    for (std::size_t i = 0; i < splits.size(); ++i) {
        for (std::size_t j = i + 1; j < splits.size();) {
            if (splits[i].pc == splits[j].pc && splits[i].frame == splits[j].frame && mergeable(splits[i])
                && mergeable(splits[j])) {
                splits[i].mask |= splits[j].mask;
                splits[i].wait = Wait::None;
                splits[i].spins = 0;
                splits.erase(splits.begin() + static_cast<std::ptrdiff_t>(j));
            } else {
                ++j;
            }
        }
    }
    warp.stopPc = 0xFFFFFFFFU;
    std::size_t best = splits.size();
    for (std::size_t i = 0; i < splits.size(); ++i) {
        if (splits[i].wait == Wait::None && (best == splits.size() || splits[i].pc < splits[best].pc)) {
            best = i;
        }
    }
    if (best == splits.size()) {
        return false;
    }
    warp.current = best;
    for (std::size_t i = 0; i < splits.size(); ++i) {
        if (i != best && mergeable(splits[i]) && splits[i].pc >= splits[best].pc) {
            warp.stopPc = std::min(warp.stopPc, splits[i].pc);
        }
    }
    return true;
}

void leaveSplit(Warp& warp, std::uint32_t lanes)
{
    auto& s = warp.split();
    s.mask &= ~lanes;
    ++s.pc;
    if (s.mask == 0) {
        warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(warp.current));
        warp.current = 0;
    }
}

Step park(Warp& warp, Wait wait, std::uint32_t on, std::uint64_t until)
{
    auto& s = warp.split();
    s.wait = wait;
    s.waitOn = on;
    s.waitFor = until;
    s.waitStep = warp.cta->cluster->step;
    s.timedOut = false;
    s.resumed = false;
    return Step::Park;
}

bool beginSlice(Warp& warp, bool rotate, Slice& slice)
{
    if (!reselect(warp)) {
        return false;
    }
    slice.pinned = false;
    if (rotate && warp.splits.size() > 1) {
        for (std::size_t n = 1; n <= warp.splits.size(); ++n) {
            const std::size_t candidate = (warp.turn + n) % warp.splits.size();
            if (warp.splits[candidate].wait == Wait::None) {
                warp.current = candidate;
                warp.turn = static_cast<std::uint32_t>(candidate);
                warp.stopPc = 0xFFFFFFFFU;
                slice.pinned = true;
                break;
            }
        }
    }
    return true;
}

SliceEnd runWarp(Warp& warp, std::uint32_t budget, bool rotate)
{
    Slice slice{.left = budget};
    if (!beginSlice(warp, rotate, slice)) {
        return warp.splits.empty() ? SliceEnd::Exited : SliceEnd::Blocked;
    }
    return runSlice(warp, slice, budget).end;
}

SliceProgress runSlice(Warp& warp, const Slice& slice, const std::uint32_t limit)
{
    auto& cta = *warp.cta;
    auto& cluster = *cta.cluster;
    const Instr* code = warp.program->code.data();
    const bool checks = cluster.launch->checks;
    const bool pinned = slice.pinned;
    auto& effects = *cluster.effects;
    std::uint32_t budget = limit;
    const auto ended = [&](SliceEnd end) { return SliceProgress{end, limit - budget}; };
    while (budget-- != 0) {
        auto& s = warp.split();
        if (s.pc == warp.stopPc || s.pc > warp.stopPc) {
            if (!reselect(warp)) {
                return ended(SliceEnd::Blocked);
            }
            continue;
        }
        const Instr& in = code[s.pc];
        std::uint32_t mask = s.mask;
        if (in.guard >= 0) {
            const auto p = static_cast<std::uint32_t>(in.guard);
            if (checks) {
                const std::uint32_t index = warp.program->rowCount + p;
                if ((~warp.defined[index] & mask) != 0) {
                    reportUndefined(warp, in, index, ~warp.defined[index] & mask);
                }
            }
            mask &= in.guardNegated ? ~warp.predicates[p] : warp.predicates[p];
            if (mask == 0) {
                ++s.pc;
                continue;
            }
        }
        if (in.aligned && mask != warp.live) {
            const Step step = waitForLanes(warp, in, mask);
            if (step == Step::Stop) {
                return ended(SliceEnd::Stopped);
            }
            if (!reselect(warp)) {
                return ended(SliceEnd::Blocked);
            }
            continue;
        }
        if (checks && !checkReads(warp, in, mask)) {
            return ended(SliceEnd::Stopped);
        }
        if (checks && warp.inFlightCount != 0 && !checkInFlight(warp, in)) {
            return ended(SliceEnd::Stopped);
        }
        ++cluster.step;
        effects += in.hasEffect ? 1U : 0U;
        const std::uint32_t pc = s.pc;
        const std::size_t splits = warp.splits.size();
        const Step step = in.run(warp, in, mask);
        if (step == Step::Next) {
            ++cta.executed[pc];
            cta.executedThreads[pc] += static_cast<std::uint64_t>(std::popcount(mask));
            if (checks) {
                noteWrites(warp, in, mask);
                if (in.touchesWgmma) {
                    noteTouched(warp, in);
                }
            }
            ++s.pc;
            continue;
        }
        if (step == Step::Stop) {
            return ended(SliceEnd::Stopped);
        }
        if (step == Step::Jump) {
            ++cta.executed[pc];
            cta.executedThreads[pc] += static_cast<std::uint64_t>(std::popcount(mask));
            if (warp.loop) {
                noteJump(warp);
            }
            if (pinned && warp.splits.size() >= splits) {
                continue;
            }
            if (warp.splits.size() == 1) {
                warp.current = 0;
                warp.stopPc = 0xFFFFFFFFU;
                if (warp.splits[0].wait == Wait::None) {
                    continue;
                }
            }
        }
        if (!reselect(warp)) {
            return ended(warp.splits.empty() ? SliceEnd::Exited : SliceEnd::Blocked);
        }
    }
    return {SliceEnd::Budget, limit};
}

} // namespace ptxwb::emulator
