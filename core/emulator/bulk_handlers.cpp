// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk and its reductions; what it shares with the copies of tensor tiles.
#include "core/emulator/addressing.h"
#include "core/emulator/async_handlers.h"
#include "core/emulator/bulk_receivers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxwb::emulator {

std::uint64_t operandAddress(const Warp& warp, const AddressOperand& operand, std::uint32_t lane)
{
    const std::uint64_t base = operand.wide ? warp.row64(operand.row)[lane] : warp.row(operand.row)[lane];
    return base + static_cast<std::uint64_t>(operand.offset);
}

void addReceivers(
    Warp& warp, const Instr& in, std::uint32_t lane, const Receiver& own, std::vector<Receiver>& out)
{
    if ((in.mode & bulk_mode::multicast) == 0) {
        out.push_back(own);
        return;
    }
    const std::uint32_t mask = warp.row(in.c)[lane] & 0xFFFFU;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto rank = static_cast<std::uint32_t>(std::countr_zero(m));
        if (rank < warp.cta->cluster->ctas.size()) {
            auto* cta = warp.cta->cluster->ctas[rank].get();
            out.push_back({cta, own.offset, own.barrier, cta});
        }
    }
}

namespace {

/// An mbarrier must be made known to the async proxy before copies tell it their bytes.
void checkBarrierVisible(Warp& warp, const Instr& in, const Receiver& to, Mbarrier& barrier)
{
    const auto& maker = to.barrierOwner->warps[barrier.initWarp];
    if (barrier.phase != 0 || barrier.initSeen || maker.proxyFenceStep >= barrier.initStep
        || warp.proxyFenceStep >= barrier.initStep) {
        return;
    }
    barrier.initSeen = true;
    const auto place = sharedPlace(*to.barrierOwner, barrier.address);
    file(warp, in.line,
        {.rule = RuleId::MissingProxyFence,
            .message =
                fmt::format("a copy is to tell its bytes to the mbarrier at {}, whose initialisation at "
                            "line {} no fence has made known to the async proxy",
                    describe(place), barrier.initLine),
            .fix =
                "fence.mbarrier_init.release.cluster (or fence.proxy.async) by the thread that initialises "
                "it, then a barrier",
            .otherLine = barrier.initLine,
            .agent = "bulk copy",
            .address = place,
            .severity = ReportSeverity::Warning});
}

} // namespace

void noteAccesses(Warp& warp, const Instr& in, AsyncOp& op, const std::vector<Receiver>& receivers,
    Cta* source, std::uint32_t sourceOffset, std::uint32_t bytes)
{
    auto& races = warp.cta->cluster->races;
    if (!races) {
        return;
    }
    const auto known = races->clockOf(warp);
    if (source != nullptr) {
        op.sequence = ++warp.bulk.sequence;
        races->access(warp, *source, sourceOffset, bytes, RaceDetector::Kind::Read, known,
            {races->bulkChannel(warp), op.sequence, in.line});
    }
    for (const auto& r : receivers) {
        auto* barrier = r.barrierOwner->shared.mbarrierAt(r.barrier);
        if (barrier != nullptr) {
            checkBarrierVisible(warp, in, r, *barrier);
        }
        if (barrier != nullptr && barrier->channel != 0) {
            // The elements of a reduction are added one at a time: reductions do not race with each other.
            const bool adds = (in.mode & bulk_mode::reduce) != 0;
            races->access(warp, *r.cta, r.offset, bytes,
                adds ? RaceDetector::Kind::Atomic : RaceDetector::Kind::Write, known,
                {barrier->channel, static_cast<std::uint32_t>(barrier->phase + 1), in.line});
        }
    }
    races->release(warp, op.known);
}

namespace {

// ---------------------------------------------------------------- plain bulk copies

struct BulkOp final : AsyncOp {
    std::vector<Receiver> receivers{}; ///< of copies to shared memory
    std::byte* global = nullptr; ///< of copies to global memory
    Cta* sourceCta = nullptr;
    std::uint32_t sourceOffset = 0;
    const std::byte* source = nullptr; ///< in global memory
    std::uint32_t bytes = 0;
    std::vector<std::byte> held{};
    bool reduces = false;
    AtomicOp op = AtomicOp::None;
    ValueType type = ValueType::B32;

    void read() override
    {
        const std::byte* from = sourceCta != nullptr ? sourceCta->shared.at(sourceOffset) : source;
        held.assign(from, from + bytes);
    }

    void put(std::byte* to)
    {
        if (!reduces) {
            std::memcpy(to, held.data(), bytes);
            return;
        }
        const auto step = static_cast<std::uint32_t>(bitsOf(type)) / 8;
        for (std::uint32_t i = 0; i + step <= bytes; i += step) {
            reduceElement(op, type, to + i, held.data() + i);
        }
    }

    void complete() override
    {
        if (cta->cluster->launch->perturbed == ResultOf::BulkCopy) {
            // Of a plain copy the elements' type is not known: every 16 bits change.
            perturbElements(
                held.data(), held.size(), reduces ? static_cast<std::uint32_t>(bitsOf(type)) / 8 : 2U);
        }
        if (global != nullptr) {
            put(global);
        }
        for (const auto& r : receivers) {
            put(r.cta->shared.at(r.offset));
            r.cta->shared.noteWrite(r.offset, bytes, Granule::asyncAgent, cta->cluster->step, line);
            deliverBytes(*r.barrierOwner, r.barrier, bytes, line, known);
        }
        held = {};
    }
};

} // namespace

Step copyBulk(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const std::uint32_t bytes = warp.row(in.b)[lane];
        if (bytes % 16 != 0) {
            return stopWith(warp, in,
                {.rule = RuleId::Misaligned,
                    .message =
                        fmt::format("a bulk copy of {} bytes: the size must be a multiple of 16", bytes),
                    .fix = "round the size up to a multiple of 16"});
        }
        if (bytes == 0) {
            continue;
        }
        auto op = std::make_shared<BulkOp>();
        op->cta = warp.cta;
        op->warp = &warp;
        op->line = in.line;
        op->lanes = 1U << lane;
        op->bytes = bytes;
        op->reduces = (in.mode & bulk_mode::reduce) != 0;
        op->op = static_cast<AtomicOp>(in.target);
        op->type = in.type;
        op->group = warp.bulk.committed;
        const std::uint64_t to = operandAddress(warp, in.extra->addresses[0], lane);
        const std::uint64_t from = operandAddress(warp, in.extra->addresses[1], lane);
        const bool toGlobal = (in.mode & bulk_mode::toGlobal) != 0;
        if (toGlobal || (in.mode & bulk_mode::fromShared) != 0) {
            if (resolveShared(warp, in, from, bytes, 16, op->sourceCta, op->sourceOffset) == nullptr) {
                return Step::Stop;
            }
            if (warp.cta->cluster->launch->checks) {
                checkAsyncRead(warp, *op->sourceCta, op->sourceOffset, bytes, warp.proxyFenceStep, in.line,
                    "the bulk copy");
            }
        } else {
            op->source = resolveGlobal(warp, in, from, bytes, 16, false);
            if (op->source == nullptr) {
                return Step::Stop;
            }
        }
        if (toGlobal) {
            op->global = resolveGlobal(warp, in, to, bytes, 16, true);
            if (op->global == nullptr) {
                return Step::Stop;
            }
            warp.bulk.operations.push_back(op);
        } else {
            Receiver own;
            if (resolveShared(warp, in, to, bytes, 16, own.cta, own.offset) == nullptr) {
                return Step::Stop;
            }
            Mbarrier* barrier =
                liveBarrier(warp, in, operandAddress(warp, in.extra->addresses[2], lane), own.barrierOwner);
            if (barrier == nullptr) {
                return Step::Stop;
            }
            own.barrier = barrier->address;
            addReceivers(warp, in, lane, own, op->receivers);
        }
        noteAccesses(warp, in, *op, op->receivers, op->sourceCta, op->sourceOffset, bytes);
        issue(*warp.cta->cluster, std::move(op));
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
