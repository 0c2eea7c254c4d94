// SPDX-License-Identifier: Apache-2.0
// cp.async, groups, proxy fences, and what all asynchronous operations share.
#include "core/emulator/async_handlers.h"

#include "core/emulator/addressing.h"
#include "core/emulator/barriers.h"
#include "core/emulator/fence_handlers.h"
#include "core/emulator/warp_run.h"
#include "core/emulator/wgmma.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

/// Up to 32 small copies of one cp.async.
struct CopyOp final : AsyncOp {
    std::array<std::byte*, laneCount> to{};
    std::array<const std::byte*, laneCount> from{};
    std::array<std::uint32_t, laneCount> offset{};
    std::array<std::uint8_t, laneCount> sourceBytes{};
    std::uint32_t size = 0;

    void complete() override
    {
        readDone = true;
        const auto writer = static_cast<std::uint16_t>(warp->index + 1);
        for (std::uint32_t m = lanes; m != 0; m &= m - 1) {
            const auto l = static_cast<std::uint32_t>(std::countr_zero(m));
            std::memset(to[l], 0, size);
            if (sourceBytes[l] != 0) {
                std::memcpy(to[l], from[l], sourceBytes[l]);
            }
            cta->shared.noteWrite(offset[l], size, writer, cta->cluster->step, line);
        }
    }
};

std::uint64_t operandAddress(const Warp& warp, const AddressOperand& operand, std::uint32_t lane)
{
    const std::uint64_t base = operand.wide ? warp.row64(operand.row)[lane] : warp.row(operand.row)[lane];
    return base + static_cast<std::uint64_t>(operand.offset);
}

GroupState& groupsOf(Warp& warp, std::uint32_t mode)
{
    switch (mode & group_kind::kinds) {
    case group_kind::bulk:
        return warp.bulk;
    case group_kind::wgmma:
        return warp.wgmma;
    default:
        return warp.cpAsync;
    }
}

/// The race detector: what the wait covers is over.
void learnFromWait(
    Warp& warp, const GroupState& groups, std::uint32_t mode, std::uint32_t mask, std::uint32_t allowed)
{
    auto& races = warp.cta->cluster->races;
    const std::uint32_t committed = groups.committed[static_cast<std::uint32_t>(std::countr_zero(mask))];
    if (!races || committed <= allowed || groups.sequenceAtCommit.size() < committed - allowed) {
        return;
    }
    const std::uint32_t time = groups.sequenceAtCommit[committed - allowed - 1];
    const std::uint32_t kind = mode & group_kind::kinds;
    races->learn(warp,
        kind == group_kind::copies      ? races->copyChannel(warp)
            : kind == group_kind::wgmma ? races->wgmmaChannel(warp)
                                        : races->bulkChannel(warp),
        time);
}

/// Forgets the operations that the wait covers.
void prune(GroupState& groups, std::uint32_t lanes, std::uint32_t allowed, bool readOnly)
{
    std::erase_if(groups.operations, [&](const std::shared_ptr<AsyncOp>& op) {
        if (!op->done && !(readOnly && op->readDone)) {
            return false;
        }
        for (std::uint32_t m = op->lanes; m != 0; m &= m - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
            const bool waited = (lanes >> lane & 1U) != 0 && op->group[lane] < groups.committed[lane]
                && groups.committed[lane] - op->group[lane] > allowed;
            if (!waited) {
                return false;
            }
        }
        return true;
    });
}

} // namespace

void issue(Cluster& cluster, std::shared_ptr<AsyncOp> op)
{
    if (cluster.launch->policy == AsyncPolicy::Early) {
        finish(*op);
        ++cluster.progress;
        return;
    }
    cluster.queue.add(std::move(op));
}

bool checkAsyncRead(Warp& issuer, Cta& owner, std::uint32_t offset, std::uint32_t bytes,
    std::uint64_t fenceStep, int line, const char* agent)
{
    for (std::uint32_t at = offset & ~15U; at < offset + bytes; at += 16) {
        const auto& g = owner.shared.granule(at);
        if (g.written != 0xFFFFU
            && !owner.shared.isWritten(
                std::max(at, offset), std::min(at + 16, offset + bytes) - std::max(at, offset))) {
            const auto place = sharedPlace(owner, at);
            file(issuer, line,
                {.rule = RuleId::UninitialisedRead,
                    .message = fmt::format(
                        "{} reads shared memory at {}, where nothing was written", agent, describe(place)),
                    .fix = "wait for the copy that fills it, or check the address and the box",
                    .agent = agent,
                    .address = place});
            return false;
        }
        if (g.writer == Granule::nobody || g.writer == Granule::asyncAgent) {
            continue;
        }
        const std::uint64_t writerFence = owner.warps[g.writer - 1U].proxyFenceStep;
        if (g.step > writerFence && g.step > fenceStep) {
            const auto place = sharedPlace(owner, at);
            file(issuer, line,
                {.rule = RuleId::MissingProxyFence,
                    .message = fmt::format(
                        "{} reads shared memory at {} through the async proxy, but warp {} wrote it at "
                        "line {} with an ordinary store and no fence.proxy.async came after",
                        agent, describe(place), g.writer - 1U, static_cast<int>(g.line)),
                    .fix = "let every writing thread execute fence.proxy.async.shared::cta after its stores "
                           "and before the "
                           "barrier",
                    .otherLine = static_cast<int>(g.line),
                    .agent = agent,
                    .address = place});
            return false;
        }
    }
    return true;
}

Step proxyFence(Warp& warp, const Instr&, std::uint32_t)
{
    warp.proxyFenceStep = warp.cta->cluster->step;
    return Step::Next;
}

Step copyAsync(Warp& warp, const Instr& in, std::uint32_t mask)
{
    auto& cta = *warp.cta;
    auto op = std::make_shared<CopyOp>();
    op->cta = &cta;
    op->warp = &warp;
    op->line = in.line;
    op->lanes = mask;
    op->size = static_cast<std::uint32_t>(in.imm);
    op->group = warp.cpAsync.committed;
    const auto& to = in.extra->addresses[0];
    const auto& from = in.extra->addresses[1];
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto l = static_cast<std::uint32_t>(std::countr_zero(m));
        std::uint32_t bytes = op->size;
        if (in.mode == 1) {
            bytes = std::min(warp.row(in.c)[l], op->size);
        } else if (in.mode == 2) {
            bytes = (warp.predicates[in.c] >> l & 1U) != 0 ? 0 : op->size;
        }
        Cta* owner = nullptr;
        op->to[l] =
            resolveShared(warp, in, operandAddress(warp, to, l), op->size, op->size, owner, op->offset[l]);
        if (op->to[l] == nullptr) {
            return Step::Stop;
        }
        op->sourceBytes[l] = static_cast<std::uint8_t>(bytes);
        if (bytes != 0) {
            op->from[l] = resolveGlobal(warp, in, operandAddress(warp, from, l), bytes, op->size, false);
            if (op->from[l] == nullptr) {
                return Step::Stop;
            }
        }
    }
    op->sequence = ++warp.cpAsync.sequence;
    if (auto& races = cta.cluster->races) {
        for (std::uint32_t m = mask; m != 0; m &= m - 1) {
            const auto l = static_cast<std::uint32_t>(std::countr_zero(m));
            races->access(warp, cta, op->offset[l], op->size, RaceDetector::Kind::Write, races->clockOf(warp),
                {races->copyChannel(warp), op->sequence, in.line});
            cta.cluster->lanes->write(warp, cta, op->offset[l], op->size, l, in.line);
        }
    }
    warp.cpAsync.operations.push_back(op);
    issue(*cta.cluster, std::move(op));
    return Step::Next;
}

Step commitGroup(Warp& warp, const Instr& in, std::uint32_t mask)
{
    auto& groups = groupsOf(warp, in.mode);
    const std::uint32_t group = groups.committed[static_cast<std::uint32_t>(std::countr_zero(mask))];
    groups.sequenceAtCommit.resize(
        std::max<std::size_t>(groups.sequenceAtCommit.size(), group + 1U), groups.sequence);
    groups.sequenceAtCommit[group] = groups.sequence;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        ++groups.committed[static_cast<std::uint32_t>(std::countr_zero(m))];
    }
    return Step::Next;
}

Step waitGroup(Warp& warp, const Instr& in, std::uint32_t mask)
{
    auto& groups = groupsOf(warp, in.mode);
    if ((in.mode & group_kind::everything) != 0 && !warp.split().resumed) {
        commitGroup(warp, in, mask);
    }
    const auto allowed = static_cast<std::uint32_t>(in.imm);
    const bool readOnly = (in.mode & group_kind::readOnly) != 0;
    if (!groupsAreDone(groups, mask, allowed, readOnly)) {
        const auto kind = in.mode & group_kind::kinds;
        return park(warp,
            kind == group_kind::copies      ? Wait::CpAsyncGroup
                : kind == group_kind::wgmma ? Wait::WgmmaGroup
                : readOnly                  ? Wait::BulkGroupRead
                                            : Wait::BulkGroup,
            0, allowed);
    }
    warp.split().resumed = false;
    if ((in.mode & group_kind::kinds) == group_kind::wgmma) {
        releaseWaited(warp, allowed);
    }
    learnFromWait(warp, groups, in.mode, mask, allowed);
    prune(groups, mask, allowed, readOnly);
    return Step::Next;
}

namespace {

/// Arrives when all earlier copies of the lane are done.
struct ArriveOp final : AsyncOp {
    std::vector<std::shared_ptr<AsyncOp>> before{};
    std::vector<std::pair<Cta*, std::uint32_t>> barriers{};

    void complete() override
    {
        for (const auto& op : before) {
            finish(*op);
        }
        for (const auto& [owner, address] : barriers) {
            auto* barrier = owner->shared.mbarrierAt(address);
            if (barrier != nullptr && barrier->live) {
                join(barrier->arriving, known);
                arriveOn(*owner, *barrier, 1, line);
            }
        }
    }
};

} // namespace

Step copyAsyncArrive(Warp& warp, const Instr& in, std::uint32_t mask)
{
    auto op = std::make_shared<ArriveOp>();
    op->cta = warp.cta;
    op->warp = &warp;
    op->line = in.line;
    op->before = warp.cpAsync.operations;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto l = static_cast<std::uint32_t>(std::countr_zero(m));
        Cta* owner = nullptr;
        Mbarrier* barrier = liveBarrier(warp, in, laneAddress(warp, in, in.a, l), owner);
        if (barrier == nullptr) {
            return Step::Stop;
        }
        if (in.mode == 0) {
            ++barrier->pending; // without .noinc the arrival is one more
        }
        op->barriers.emplace_back(owner, barrier->address);
    }
    if (auto& races = warp.cta->cluster->races) {
        races->release(warp, op->known);
        op->known[races->copyChannel(warp)] = warp.cpAsync.sequence;
    }
    std::erase_if(op->before, [](const auto& copy) { return copy->done; });
    warp.cpAsync.operations.clear();
    issue(*warp.cta->cluster, std::move(op));
    return Step::Next;
}

} // namespace ptxwb::emulator
