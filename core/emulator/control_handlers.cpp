// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/barriers.h"
#include "core/emulator/call_handlers.h"
#include "core/emulator/diagnose.h"
#include "core/emulator/warp_handlers.h"
#include "core/emulator/warp_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace ptxwb::emulator {

namespace {

/// Shared memory goes when the CTA ends: bulk stores must have read it.
void checkStoresAreRead(Warp& warp, const Instr& in, std::uint32_t mask)
{
    if (!warp.cta->cluster->launch->checks) {
        return;
    }
    for (const auto& op : warp.bulk.operations) {
        if ((op->lanes & mask) != 0) {
            file(warp, op->line,
                {.rule = RuleId::Race,
                    .message = fmt::format("the thread that issued this bulk store ends at line {} without "
                                           "waiting for it: shared memory may go before it has been read",
                        in.line),
                    .fix = "cp.async.bulk.commit_group, and cp.async.bulk.wait_group (or .read) 0 before the "
                           "thread ends",
                    .otherLine = in.line,
                    .agent = "bulk store"});
            return;
        }
    }
}

} // namespace

Step branch(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return jumpTo(warp, mask, in.target, warp.split().frame);
}

Step branchIndexed(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const std::uint32_t index = warp.row(in.a)[lane];
    if (index >= in.extra->targets.size()) {
        return stopWith(warp, in,
            {.rule = RuleId::OutOfBounds,
                .message = fmt::format("brx.idx takes target {} of {}", index, in.extra->targets.size()),
                .fix = "keep the index below the number of targets"});
    }
    std::uint32_t same = 0;
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        same |= (mask >> l & 1U) != 0 && warp.row(in.a)[l] == index ? 1U << l : 0U;
    }
    auto& s = warp.split();
    if (same == s.mask) {
        s.pc = in.extra->targets[index];
        return Step::Jump;
    }
    Split taken = s;
    taken.mask = same;
    taken.pc = in.extra->targets[index];
    s.mask &= ~same; // the rest executes the instruction again
    if ((s.mask & mask) == 0) {
        ++s.pc;
    }
    warp.splits.push_back(taken);
    return Step::Jump;
}

Step exitLanes(Warp& warp, const Instr& in, std::uint32_t mask)
{
    checkStoresAreRead(warp, in, mask);
    warp.live &= ~mask;
    leaveSplit(warp, mask);
    auto& cta = *warp.cta;
    ++cta.cluster->progress;
    if (warp.live == 0) {
        if (cta.cluster->races) {
            cta.cluster->races->release(warp, cta.exited);
        }
        --cta.liveWarps;
        if (cta.cluster->races) {
            cta.cluster->races->checkExits(warp);
        }
    }
    settleBarriersAfterExit(warp, mask);
    return Step::Jump;
}

/// cooperative_groups gives up when a grid that is to meet was not launched for it.
bool lacksGridBarrier(const Warp& warp)
{
    return warp.cta->cluster->launch->gridBarrier == 0
        && std::ranges::any_of(warp.program->presets, [](const PresetRow& preset) {
               return preset.kind == PresetRow::Kind::Special
                   && preset.special == SpecialRegister::GridBarrierLow;
           });
}

Step trap(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return stopWith(warp, in,
        {.rule = RuleId::Trap,
            .message = fmt::format("trap was executed by {}", lanesText(mask)),
            .fix = lacksGridBarrier(warp)
                ? "the kernel asks for the barrier of its grid (grid.sync()), which only a cooperative "
                  "launch "
                  "has: \"attributes\": {\"cooperative\": true} in the plan, cudaLaunchCooperativeKernel() "
                  "in host code"
                : "the kernel itself gave up here: look at the condition that leads to it"});
}

Step notEmulated(Warp& warp, const Instr& in, std::uint32_t)
{
    return stopWith(warp, in,
        {.rule = RuleId::NotEmulated,
            .message = "not emulated: " + in.extra->text,
            .fix = "run it on a GPU, or write it with instructions that are emulated"});
}

Step nothing(Warp&, const Instr&, std::uint32_t)
{
    return Step::Next;
}

Step yieldWarp(Warp& warp, const Instr&, std::uint32_t)
{
    auto& s = warp.split();
    if (s.resumed || s.spinPc != s.pc) {
        s.spinPc = s.pc;
        s.resumed = false;
    }
    return Step::Next;
}

Step setMaxRegisters(Warp& warp, const Instr& in, std::uint32_t)
{
    auto& cta = *warp.cta;
    const auto wanted = static_cast<std::uint32_t>(in.imm);
    const bool increase = (in.mode & 1U) != 0;
    if (increase ? wanted < warp.maxRegisters : wanted > warp.maxRegisters) {
        file(warp, in.line,
            {.rule = RuleId::ResourceLimit,
                .message = fmt::format("setmaxnreg.{} {} while the warp has {} registers per thread",
                    increase ? "inc" : "dec", wanted, warp.maxRegisters),
                .fix = "dec asks for fewer registers than now, inc for more",
                .severity = ReportSeverity::Warning});
        warp.split().resumed = false;
        return Step::Next;
    }
    const std::uint32_t difference =
        (increase ? wanted - warp.maxRegisters : warp.maxRegisters - wanted) * laneCount;
    if (increase && cta.registerPool < difference) {
        return park(warp, Wait::RegisterPool, wanted, difference);
    }
    cta.registerPool = increase ? cta.registerPool - difference : cta.registerPool + difference;
    cta.cluster->progress += increase ? 0 : 1;
    warp.maxRegisters = wanted;
    warp.split().resumed = false;
    return Step::Next;
}

} // namespace ptxwb::emulator
