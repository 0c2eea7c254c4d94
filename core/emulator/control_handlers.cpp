// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/barriers.h"
#include "core/emulator/diagnose.h"
#include "core/emulator/warp_handlers.h"
#include "core/emulator/warp_run.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

/// Lanes of `mask` go to `pc` with `frame`; the other lanes of the split go on behind the instruction.
Step jumpTo(Warp& warp, std::uint32_t mask, std::uint32_t pc, std::int32_t frame)
{
    auto& s = warp.split();
    if (mask == s.mask) {
        s.pc = pc;
        s.frame = frame;
        return Step::Jump;
    }
    Split taken = s;
    taken.mask = mask;
    taken.pc = pc;
    taken.frame = frame;
    s.mask &= ~mask;
    ++s.pc;
    warp.splits.push_back(taken);
    return Step::Jump;
}

std::int32_t frameFor(Warp& warp, std::uint32_t returnPc, std::int32_t parent)
{
    for (std::size_t i = 0; i < warp.frames.size(); ++i) {
        if (warp.frames[i].returnPc == returnPc && warp.frames[i].parent == parent) {
            return static_cast<std::int32_t>(i);
        }
    }
    warp.frames.push_back({returnPc, parent});
    return static_cast<std::int32_t>(warp.frames.size()) - 1;
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

Step callFunction(Warp& warp, const Instr& in, std::uint32_t mask)
{
    auto& s = warp.split();
    for (std::int32_t f = s.frame; f >= 0; f = warp.frames[static_cast<std::size_t>(f)].parent) {
        if (warp.frames[static_cast<std::size_t>(f)].returnPc == s.pc + 1) {
            return stopWith(warp, in,
                {.rule = RuleId::NotEmulated,
                    .message = "not emulated: recursion",
                    .fix = "write the recursion as a loop"});
        }
    }
    const std::int32_t frame = frameFor(warp, s.pc + 1, s.frame);
    return jumpTo(warp, mask, in.target, frame);
}

Step returnOrExit(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::int32_t frame = warp.split().frame;
    if (frame < 0) {
        return exitLanes(warp, in, mask);
    }
    const Frame from = warp.frames[static_cast<std::size_t>(frame)];
    return jumpTo(warp, mask, from.returnPc, from.parent);
}

Step exitLanes(Warp& warp, const Instr&, std::uint32_t mask)
{
    warp.live &= ~mask;
    leaveSplit(warp, mask);
    auto& cta = *warp.cta;
    ++cta.cluster->progress;
    if (warp.live == 0) {
        if (cta.cluster->races) {
            cta.cluster->races->release(warp, cta.exited);
        }
        --cta.liveWarps;
    }
    settleBarriersAfterExit(warp, mask);
    return Step::Jump;
}

Step trap(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return stopWith(warp, in,
        {.rule = RuleId::Trap,
            .message = fmt::format("trap was executed by {}", lanesText(mask)),
            .fix = "the kernel itself gave up here: look at the condition that leads to it"});
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

Step copyLocal(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint64_t size = warp.program->localBytes;
    if (warp.local.empty()) {
        warp.local.assign(size * laneCount, std::byte{0});
    }
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        auto* lane = warp.local.data() + static_cast<std::uint64_t>(std::countr_zero(m)) * size;
        std::memmove(lane + in.target, lane + in.offset, in.imm);
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
