// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/addressing.h"
#include "core/emulator/barriers.h"
#include "core/emulator/warp_run.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t maxCount = (1U << 20) - 1;
constexpr std::uint32_t offsetMask = (1U << clusterRankShift) - 1U;

/// The 64 bits that arrive gives: the phase, and the arrivals that are missing.
std::uint64_t stateToken(const Mbarrier& barrier)
{
    return (barrier.phase & 0xFFFFFFFFU) | static_cast<std::uint64_t>(barrier.pending) << 32U;
}

template <class F> Step forBarriers(Warp& warp, const Instr& in, std::uint32_t mask, F f)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        Cta* owner = nullptr;
        Mbarrier* barrier = liveBarrier(warp, in, laneAddress(warp, in, in.a, lane), owner);
        if (barrier != nullptr && owner != warp.cta && in.space == Space::Shared) {
            return stopWith(warp, in,
                {.rule = RuleId::BarrierMisuse,
                    .message =
                        fmt::format("the mbarrier at {} is CTA {}'s of the cluster, but the instruction "
                                    "takes one of its own CTA",
                            describe(sharedPlace(*warp.cta, barrier->address)), owner->rank),
                    .fix = "the .shared::cluster form, with .release.cluster; a wait must be the owner's",
                    .otherLine = barrier->initLine});
        }
        if (barrier == nullptr || !f(*owner, *barrier, lane)) {
            return Step::Stop;
        }
    }
    return Step::Next;
}

void expectBytes(Mbarrier& barrier, std::uint32_t bytes, int line)
{
    barrier.txBytes += bytes;
    barrier.expectedBytes += bytes;
    barrier.expectLine = line;
}

void settled(Cta& cta, Mbarrier& barrier)
{
    if (barrier.settle()) {
        ++cta.cluster->progress;
        if (cta.cluster->races) {
            join(barrier.released, barrier.arriving);
            barrier.arriving.clear();
            if (barrier.channel != 0) {
                barrier.released.resize(
                    std::max<std::size_t>(barrier.released.size(), barrier.channel + 1U), 0);
                barrier.released[barrier.channel] = static_cast<std::uint32_t>(barrier.phase);
            }
        }
    }
}

} // namespace

Mbarrier* liveBarrier(Warp& warp, const Instr& in, std::uint64_t address, Cta*& owner)
{
    std::uint32_t offset = 0;
    if (resolveShared(warp, in, address, 8, 8, owner, offset) == nullptr) {
        return nullptr;
    }
    Mbarrier* barrier = owner->shared.mbarrierAt(offset);
    if (barrier != nullptr && barrier->live) {
        return barrier;
    }
    const auto place = sharedPlace(*warp.cta, offset);
    stopWith(warp, in,
        {.rule = RuleId::BarrierMisuse,
            .message = barrier == nullptr
                ? fmt::format("no mbarrier was initialised at {}", describe(place))
                : fmt::format("the mbarrier at {} was invalidated", describe(place)),
            .fix = "mbarrier.init it first, and let a barrier lie between the init and its users",
            .otherLine = barrier == nullptr ? 0 : barrier->initLine,
            .address = place});
    return nullptr;
}

bool mbarrierWaitIsOver(const Warp& warp, const Split& split)
{
    auto& cluster = *warp.cta->cluster;
    auto& cta = *cluster.ctas[split.waitOn >> clusterRankShift];
    const Mbarrier* barrier = cta.shared.mbarrierAt(split.waitOn & offsetMask);
    return barrier == nullptr || barrier->phase != split.waitFor;
}

void arriveOn(Cta& cta, Mbarrier& barrier, std::uint32_t count, int line)
{
    barrier.pending -= std::min(count, barrier.pending);
    barrier.arriveLine = line;
    settled(cta, barrier);
}

void deliverBytes(Cta& cta, std::uint32_t address, std::uint64_t bytes, int line, const VectorClock& known)
{
    Mbarrier* barrier = cta.shared.mbarrierAt(address);
    if (barrier == nullptr || !barrier->live) {
        return;
    }
    barrier->txBytes -= static_cast<std::int64_t>(bytes);
    barrier->deliveredBytes += bytes;
    barrier->deliverLine = line;
    join(barrier->arriving, known);
    settled(cta, *barrier);
}

Step mbarrierInit(Warp& warp, const Instr& in, std::uint32_t mask)
{
    auto& cta = *warp.cta;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        Cta* owner = nullptr;
        std::uint32_t offset = 0;
        std::byte* bytes = resolveShared(warp, in, laneAddress(warp, in, in.a, lane), 8, 8, owner, offset);
        if (bytes == nullptr) {
            return Step::Stop;
        }
        const std::uint32_t count = warp.row(in.b)[lane];
        const auto place = sharedPlace(cta, offset);
        if (count == 0 || count > maxCount) {
            return stopWith(warp, in,
                {.rule = RuleId::BarrierMisuse,
                    .message =
                        fmt::format("an mbarrier for {} arrivals: 1 to {} are possible", count, maxCount),
                    .fix = "give the number of arrivals that end a phase",
                    .address = place});
        }
        Mbarrier* barrier = owner->shared.mbarrierAt(offset);
        if (barrier != nullptr && barrier->live) {
            file(warp, in.line,
                {.rule = RuleId::BarrierMisuse,
                    .message = fmt::format(
                        "the mbarrier at {} is initialised again while it is live", describe(place)),
                    .fix = "initialise it by one thread only, and mbarrier.inval it before it is made anew",
                    .otherLine = barrier->initLine,
                    .address = place});
        }
        if (barrier == nullptr) {
            owner->shared.mbarriers().emplace_back();
            barrier = &owner->shared.mbarriers().back();
        }
        *barrier = {};
        barrier->address = offset;
        barrier->live = true;
        barrier->expected = count;
        barrier->pending = count;
        barrier->initLine = in.line;
        barrier->initStep = cta.cluster->step;
        barrier->initWarp = static_cast<std::uint16_t>(warp.index);
        barrier->channel = cta.cluster->races ? cta.cluster->races->newBarrierChannel() : std::uint16_t{0};
        const std::uint64_t token = stateToken(*barrier);
        std::memcpy(bytes, &token, 8);
        owner->shared.noteWrite(
            offset, 8, static_cast<std::uint16_t>(warp.index + 1), cta.cluster->step, in.line);
    }
    return Step::Next;
}

Step mbarrierInval(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return forBarriers(warp, in, mask, [](Cta&, Mbarrier& barrier, std::uint32_t) {
        barrier.live = false;
        return true;
    });
}

Step mbarrierArrive(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return forBarriers(warp, in, mask, [&](Cta& owner, Mbarrier& barrier, std::uint32_t lane) {
        const std::uint64_t token = stateToken(barrier);
        std::uint32_t count = 1;
        if ((in.mode & mbarrier_mode::expectTx) != 0) {
            expectBytes(barrier, warp.row(in.b)[lane], in.line);
        } else if ((in.mode & mbarrier_mode::hasCount) != 0) {
            count = warp.row(in.b)[lane];
        }
        if (count > barrier.pending || count == 0) {
            stopWith(warp, in,
                {.rule = RuleId::BarrierMisuse,
                    .message =
                        fmt::format("{} arrivals on the mbarrier at {}, but its phase {} lacks only {} of {}",
                            count, describe(sharedPlace(owner, barrier.address)), barrier.phase,
                            barrier.pending, barrier.expected),
                    .fix = "make the count of mbarrier.init the number of arrivals per phase",
                    .otherLine = barrier.initLine,
                    .address = sharedPlace(owner, barrier.address)});
            return false;
        }
        if ((in.mode & mbarrier_mode::drop) != 0) {
            barrier.expected -= std::min(barrier.expected, count);
        }
        if ((in.mode & mbarrier_mode::noComplete) != 0 && count == barrier.pending && barrier.txBytes == 0) {
            stopWith(warp, in,
                {.rule = RuleId::BarrierMisuse,
                    .message = "mbarrier.arrive.noComplete would complete the phase",
                    .fix = "use mbarrier.arrive for the last arrival",
                    .otherLine = barrier.initLine});
            return false;
        }
        if (owner.cluster->races) {
            owner.cluster->races->release(warp, barrier.arriving);
        }
        arriveOn(owner, barrier, count, in.line);
        if (in.d != noPredicate) {
            warp.row64(in.d)[lane] = token;
        }
        return true;
    });
}

Step mbarrierExpectTx(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return forBarriers(warp, in, mask, [&](Cta& owner, Mbarrier& barrier, std::uint32_t lane) {
        expectBytes(barrier, warp.row(in.b)[lane], in.line);
        settled(owner, barrier);
        return true;
    });
}

Step mbarrierCompleteTx(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return forBarriers(warp, in, mask, [&](Cta& owner, Mbarrier& barrier, std::uint32_t lane) {
        VectorClock known;
        if (owner.cluster->races) {
            owner.cluster->races->release(warp, known);
        }
        deliverBytes(owner, barrier.address, warp.row(in.b)[lane], in.line, known);
        return true;
    });
}

Step mbarrierPendingCount(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        if ((mask >> l & 1U) != 0) {
            warp.row(in.d)[l] = static_cast<std::uint32_t>(warp.row64(in.a)[l] >> 32U);
        }
    }
    return Step::Next;
}

Step mbarrierWait(Warp& warp, const Instr& in, std::uint32_t mask)
{
    std::uint32_t passed = 0;
    std::uint32_t waitOn = 0;
    std::uint64_t phase = 0;
    const Step step = forBarriers(warp, in, mask, [&](Cta& owner, Mbarrier& barrier, std::uint32_t lane) {
        barrier.waited = true;
        bool over = false;
        if ((in.mode & mbarrier_mode::parity) != 0) {
            const std::uint32_t parity = warp.row(in.b)[lane];
            if (parity > 1) {
                stopWith(warp, in,
                    {.rule = RuleId::BarrierMisuse,
                        .message = fmt::format("the phase parity is {}; only 0 and 1 are possible", parity),
                        .fix = "keep the parity in one bit: xor it with 1 each time round"});
                return false;
            }
            over = barrier.passed(parity);
        } else {
            over = (barrier.phase & 0xFFFFFFFFU) != (warp.row64(in.b)[lane] & 0xFFFFFFFFU);
        }
        if (over) {
            passed |= 1U << lane;
            if (owner.cluster->races) {
                owner.cluster->races->acquire(warp, barrier.released);
                owner.cluster->lanes->meet(warp, allLanes);
            }
        } else {
            waitOn = barrier.address | owner.rank << clusterRankShift;
            phase = barrier.phase;
        }
        return true;
    });
    if (step == Step::Stop) {
        return step;
    }
    auto& s = warp.split();
    if (passed == 0 && !s.timedOut) {
        // A test_wait in a loop is as good as a wait; one that is asked now and then is not.
        const bool spinning = s.spinPc == s.pc && ++s.spins > 16;
        if (s.spinPc != s.pc) {
            s.spinPc = s.pc;
            s.spins = 0;
        }
        if ((in.mode & mbarrier_mode::tryWait) != 0 || spinning) {
            return park(warp, Wait::Mbarrier, waitOn, phase);
        }
    }
    s.resumed = false;
    s.timedOut = false;
    auto& d = warp.predicates[in.d];
    d = (d & ~mask) | passed;
    if (passed != 0) {
        s.spins = 0;
    }
    return Step::Next;
}

bool groupsAreDone(const GroupState& groups, std::uint32_t lanes, std::uint32_t allowed, bool readOnly)
{
    for (const auto& op : groups.operations) {
        if (op->done || (readOnly && op->readDone)) {
            continue;
        }
        for (std::uint32_t m = op->lanes & lanes; m != 0; m &= m - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
            // Group g is among the newest `allowed` when committed - g <= allowed; one that is not committed
            // never counts.
            if (op->group[lane] < groups.committed[lane]
                && groups.committed[lane] - op->group[lane] > allowed) {
                return false;
            }
        }
    }
    return true;
}

} // namespace ptxwb::emulator
