// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/wgmma.h"

#include "core/emulator/async_handlers.h"
#include "core/emulator/warp_run.h"
#include "core/emulator/wgmma_op.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::emulator {

namespace {

void hold(Warp& warp, const Instr& in, bool take)
{
    if (warp.inFlight.empty()) {
        warp.inFlight.assign(warp.program->rowCount, 0);
    }
    // Two counters per register: 16 bits of writers, 16 bits of readers.
    for (const auto row : in.extra->rows) {
        warp.inFlight[row] += take ? 1U : 0xFFFFFFFFU;
    }
    if ((in.mode & wgmma_mode::registersA) != 0) {
        for (const auto row : in.extra->rowsA) {
            warp.inFlight[row] += take ? 0x10000U : 0xFFFF0000U;
        }
    }
    warp.inFlightCount += take ? 1U : 0xFFFFFFFFU;
}

void checkRegisters(Warp& warp, const Instr& in, std::uint32_t mask, bool accumulates)
{
    const auto check = [&](const std::vector<std::uint32_t>& rows) {
        for (const auto row : rows) {
            if ((~warp.defined[row] & mask) != 0) {
                file(warp, in.line,
                    {.rule = RuleId::UninitialisedRead,
                        .message =
                            fmt::format("wgmma reads {}, which was never written", warp.program->names[row]),
                        .fix = "write it first, or make scale-d false for the first wgmma of a sum"});
                return;
            }
        }
    };
    if (accumulates) {
        check(in.extra->rows);
    }
    if ((in.mode & wgmma_mode::registersA) != 0) {
        check(in.extra->rowsA);
    }
    for (const auto row : in.extra->rows) {
        warp.defined[row] |= mask;
    }
}

void checkFence(Warp& warp, const Instr& in)
{
    const auto report = [&](std::uint32_t row, int otherLine) {
        file(warp, in.line,
            {.rule = RuleId::MissingWgmmaFence,
                .message = otherLine == 0
                    ? std::string("the first wgmma of the warp comes without a wgmma.fence before it")
                    : fmt::format(
                        "{} was used at line {} and no wgmma.fence lies between that and this wgmma",
                        warp.program->names[row], otherLine),
                .fix = "execute wgmma.fence.sync.aligned before the first wgmma, and again after other "
                       "instructions have "
                       "touched its registers; ptxas may insert it on its own (C7519)",
                .otherLine = otherLine,
                .agent = "wgmma",
                .severity = ReportSeverity::Warning});
    };
    if (warp.wgmmaFenceStep == 0) {
        report(0, 0);
        warp.wgmmaFenceStep = 1;
        return;
    }
    if (warp.touched.empty()) {
        return;
    }
    const auto check = [&](const std::vector<std::uint32_t>& rows) {
        for (const auto row : rows) {
            if (warp.touched[row] != 0) {
                report(row, static_cast<int>(warp.touched[row]));
                return;
            }
        }
    };
    if (warp.touchedAny) {
        check(in.extra->rows);
        if ((in.mode & wgmma_mode::registersA) != 0) {
            check(in.extra->rowsA);
        }
    }
}

bool checkOperand(Warp& warp, const Instr& in, WgmmaOp& op, std::uint64_t bits, bool mnMajor,
    std::uint32_t rows, ValueType type, const char* which)
{
    auto& cta = *warp.cta;
    const MatrixDescriptor desc(bits);
    thread_local std::vector<std::uint32_t> places;
    op.pieces(desc, mnMajor, rows, static_cast<std::uint32_t>(bitsOf(type)), places);
    std::uint64_t fenceStep = 0;
    for (const auto* member : op.members) {
        fenceStep = std::max(fenceStep, member->proxyFenceStep);
    }
    const std::uint32_t limit = sharedBase + cta.shared.bytes();
    auto& races = cta.cluster->races;
    const Epoch self{races->wgmmaChannel(warp), op.sequence, in.line};
    bool clean = true;
    for (const auto place : places) {
        if (place < sharedBase || place + 16 > limit) {
            stopWith(warp, in,
                {.rule = RuleId::OutOfBounds,
                    .message = fmt::format(
                        "the descriptor of {} leads to shared address {}, outside the CTA's shared memory "
                        "[{}, {})",
                        which, place, sharedBase, limit),
                    .fix = "check the start address, LBO and SBO of the descriptor",
                    .agent = "wgmma",
                    .address = sharedPlace(cta, place)});
            return false;
        }
        races->access(warp, cta, place, 16, RaceDetector::Kind::Read, op.known, self);
        const auto& g = cta.shared.granule(place);
        if (g.written == 0xFFFFU && g.writer == Granule::asyncAgent) {
            if (g.layout != 0 && g.layout != static_cast<std::uint32_t>(desc.swizzle) + 1) {
                const auto name = [](std::uint32_t mode) { return mode == 0 ? 0 : 16 << mode; };
                file(warp, in.line,
                    {.rule = RuleId::DescriptorMismatch,
                        .message = fmt::format(
                            "the descriptor of {} says {}-byte swizzle, but the tensor map of the copy at "
                            "line {} wrote the data with {}-byte swizzle (0 is none)",
                            which, name(static_cast<std::uint32_t>(desc.swizzle)), static_cast<int>(g.line),
                            name(g.layout - 1)),
                        .fix =
                            "use the same swizzle in the tensor map and in the descriptor (bits 62 and 63)",
                        .otherLine = static_cast<int>(g.line),
                        .agent = "wgmma",
                        .address = sharedPlace(cta, place)});
                return true;
            }
            continue;
        }
        if (clean) {
            const auto before = cta.cluster->launch->reports->size();
            checkAsyncRead(warp, cta, place, 16, fenceStep, in.line, "wgmma");
            clean = cta.cluster->launch->reports->size() == before;
        }
    }
    return true;
}

} // namespace

Step wgmmaMultiply(Warp& warp, const Instr& in, std::uint32_t mask)
{
    auto& cta = *warp.cta;
    const bool checks = cta.cluster->launch->checks;
    const std::uint32_t groupIndex = warp.index / 4;
    if (groupIndex * 4 + 4 > cta.warps.size() || mask != allLanes) {
        return stopWith(warp, in,
            {.rule = RuleId::DivergentAligned,
                .message = "wgmma needs four whole warps, from a warp whose number is a multiple of 4",
                .fix = "launch blocks of a multiple of 128 threads"});
    }
    const std::uint32_t position = warp.index % 4;
    auto& collecting = cta.collecting[groupIndex];
    if (!collecting) {
        collecting = std::make_shared<WgmmaOp>();
        collecting->in = &in;
        collecting->cta = &cta;
        collecting->warp = &warp;
        collecting->line = in.line;
        collecting->lanes = allLanes;
        collecting->order = groupIndex + 1;
    }
    auto op = collecting;
    if (op->in != &in || (op->arrived >> position & 1U) != 0) {
        if (op->in == &in || (op->arrived >> position & 1U) != 0) {
            // This warp is ahead: the others have not yet reached the wgmma before.
            return park(warp, Wait::Warpgroup, groupIndex, cta.collected[groupIndex]);
        }
        return stopWith(warp, in,
            {.rule = RuleId::DivergentAligned,
                .message = fmt::format(
                    "warp {} executes the wgmma at line {}, but another warp of its warpgroup is at the one "
                    "at line {}",
                    warp.index, in.line, op->in->line),
                .fix =
                    "let all four warps of a warpgroup execute the same wgmma instructions in the same order",
                .otherLine = op->in->line});
    }
    const std::uint64_t descA = (in.mode & wgmma_mode::registersA) != 0 ? 0 : warp.row64(in.a)[0];
    const std::uint64_t descB = warp.row64(in.b)[0];
    const bool negated = (in.mode & wgmma_mode::negatedScale) != 0;
    const bool accumulate = ((warp.predicates[in.c] & 1U) != 0) != negated;
    if (op->arrived == 0) {
        op->descA = descA;
        op->descB = descB;
        op->accumulate = accumulate;
    } else if (checks && (op->descA != descA || op->descB != descB || op->accumulate != accumulate)) {
        file(warp, in.line,
            {.rule = RuleId::DescriptorMismatch,
                .message = fmt::format(
                    "warps {} and {} of one warpgroup give the wgmma different descriptors or scale-d",
                    op->warp->index, warp.index),
                .fix = "compute them from values that are the same in the whole warpgroup",
                .agent = "wgmma"});
    }
    if (checks) {
        checkRegisters(warp, in, mask, accumulate);
        checkFence(warp, in);
    }
    op->members[position] = &warp;
    op->arrived |= 1U << position;
    op->group.fill(warp.wgmma.committed[0]);
    op->sequence = ++warp.wgmma.sequence;
    warp.wgmma.operations.push_back(op);
    hold(warp, in, true);
    if (op->arrived != 0xFU) {
        return Step::Next;
    }
    collecting.reset();
    ++cta.collected[groupIndex];
    if (checks) {
        for (auto* member : op->members) {
            join(op->known, cta.cluster->races->clockOf(*member));
        }
        const bool aInShared = (in.mode & wgmma_mode::registersA) == 0;
        if (aInShared
            && !checkOperand(
                warp, in, *op, op->descA, (in.mode & wgmma_mode::mnMajorA) != 0, 64, op->typeA(), "A")) {
            return Step::Stop;
        }
        if (!checkOperand(warp, in, *op, op->descB, (in.mode & wgmma_mode::mnMajorB) != 0, op->columns(),
                op->typeB(), "B")) {
            return Step::Stop;
        }
    }
    issue(*cta.cluster, op);
    return Step::Next;
}

Step wgmmaFence(Warp& warp, const Instr&, std::uint32_t)
{
    warp.wgmmaFenceStep = warp.cta->cluster->step;
    if (warp.touchedAny) {
        std::fill(warp.touched.begin(), warp.touched.end(), 0U);
        warp.touchedAny = false;
    }
    return Step::Next;
}

void releaseWaited(Warp& warp, std::uint32_t allowed)
{
    for (const auto& op : warp.wgmma.operations) {
        const bool waited =
            op->group[0] < warp.wgmma.committed[0] && warp.wgmma.committed[0] - op->group[0] > allowed;
        if (waited && op->done) {
            hold(warp, *static_cast<WgmmaOp&>(*op).in, false);
        }
    }
}

bool checkInFlight(Warp& warp, const Instr& in)
{
    std::uint32_t conflict = noPredicate;
    for (std::uint32_t i = 0; i < in.readCount && conflict == noPredicate; ++i) {
        if (in.reads[i] < warp.program->rowCount && (warp.inFlight[in.reads[i]] & 0xFFFFU) != 0) {
            conflict = in.reads[i];
        }
    }
    for (std::uint32_t i = 0; i < in.writeCount && conflict == noPredicate; ++i) {
        if (in.writes[i] < warp.program->rowCount && warp.inFlight[in.writes[i]] != 0) {
            conflict = in.writes[i];
        }
    }
    if (conflict == noPredicate) {
        return true;
    }
    int line = 0;
    auto& queue = warp.cta->cluster->queue;
    for (const auto& op : warp.wgmma.operations) {
        const auto& wgmma = static_cast<WgmmaOp&>(*op);
        const auto& rows = wgmma.in->extra->rows;
        const auto& rowsA = wgmma.in->extra->rowsA;
        if (std::find(rows.begin(), rows.end(), conflict) != rows.end()
            || std::find(rowsA.begin(), rowsA.end(), conflict) != rowsA.end()) {
            line = op->line;
        }
    }
    file(warp, in.line,
        {.rule = RuleId::MissingWgmmaWait,
            .message = fmt::format("{} is touched while the wgmma at line {} still works on it",
                warp.program->names[conflict], line),
            .fix = "wgmma.commit_group and wgmma.wait_group before the registers are used; ptxas may insert "
                   "the wait on its "
                   "own (C7517)",
            .otherLine = line,
            .agent = "wgmma",
            .severity = ReportSeverity::Warning});
    // As ptxas repairs it: wait.
    while (!queue.empty()
        && std::any_of(warp.wgmma.operations.begin(), warp.wgmma.operations.end(),
            [](const auto& op) { return !op->done && static_cast<WgmmaOp&>(*op).arrived == 0xFU; })) {
        queue.completeOldest();
    }
    std::erase_if(warp.wgmma.operations, [&](const auto& op) {
        if (op->done) {
            hold(warp, *static_cast<WgmmaOp&>(*op).in, false);
        }
        return op->done;
    });
    return true;
}

} // namespace ptxwb::emulator
