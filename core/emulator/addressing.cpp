// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/addressing.h"

#include <fmt/format.h>

#include <bit>

namespace ptxwb::emulator {

namespace {

Space spaceOfGeneric(std::uint64_t address)
{
    if (address >= globalWindow) {
        return Space::Global;
    }
    if (address - sharedWindow < windowBytes) {
        return Space::Shared;
    }
    if (address - localWindow < windowBytes) {
        return Space::Local;
    }
    return address - paramWindow < windowBytes ? Space::Param : Space::Global;
}

void reportMisaligned(Warp& warp, const Instr& in, std::uint32_t lane, std::uint64_t address,
    std::uint32_t bytes, std::optional<ReportAddress> place)
{
    const auto where = place ? describe(*place) : fmt::format("0x{:x}", address);
    stopWith(warp, in,
        {.rule = RuleId::Misaligned,
            .message =
                fmt::format("lane {} accesses {}, which is not a multiple of {} bytes", lane, where, bytes),
            .fix = fmt::format("make the address a multiple of {}, or access smaller elements", bytes),
            .address = std::move(place)});
}

bool reportShared(Warp& warp, const Instr& in, std::uint64_t address, std::uint32_t bytes)
{
    const auto place = sharedPlace(*warp.cta, static_cast<std::uint32_t>(address));
    const std::uint32_t end = sharedBase + warp.cta->shared.bytes();
    stopWith(warp, in,
        {.rule = RuleId::OutOfBounds,
            .message = fmt::format("{} bytes at {} lie outside the CTA's shared memory, which is [{}, {})",
                bytes, describe(place), sharedBase, end),
            .fix = "check the index, or ask for more with shared_bytes in the launch plan",
            .address = place});
    return false;
}

bool reportGlobal(Warp& warp, const Instr& in, std::uint64_t address, std::uint64_t bytes, bool write)
{
    const auto& memory = *warp.cta->cluster->launch->memory;
    const auto place = globalPlace(memory, address);
    const auto* near = memory.find(address) != nullptr ? memory.find(address) : memory.nearest(address);
    const auto size = near == nullptr ? std::string("no buffer is near")
                                      : fmt::format("{} has {} bytes", near->name, near->bytes);
    stopWith(warp, in,
        {.rule = RuleId::OutOfBounds,
            .message = fmt::format(
                "{} of {} bytes at {}: {}", write ? "a write" : "a read", bytes, describe(place), size),
            .fix = "guard the access with the tensor's extents",
            .address = place});
    return false;
}

void checkShared(Warp& warp, const Instr& in, std::uint32_t offset, std::uint32_t bytes, AccessKind kind)
{
    auto& cta = *warp.cta;
    auto& shared = cta.shared;
    if (kind != AccessKind::Write && !shared.isWritten(offset, bytes)) {
        const auto place = sharedPlace(cta, offset);
        file(warp, in.line,
            {.rule = RuleId::UninitialisedRead,
                .message =
                    fmt::format("{} bytes of shared memory at {} are read but nothing was written there",
                        bytes, describe(place)),
                .fix = "write it first, or wait for the copy that fills it",
                .address = place});
    }
    if (kind != AccessKind::Read) {
        shared.noteWrite(
            offset, bytes, static_cast<std::uint16_t>(warp.index + 1), cta.cluster->step, in.line);
    }
}

/// The race detector: one range when the lanes touch consecutive addresses, else lane by lane.
void noteRaces(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, AccessKind kind,
    const LaneAddresses& at)
{
    auto& cluster = *warp.cta->cluster;
    auto& races = *cluster.races;
    const bool ordered = kind == AccessKind::Atomic || in.ordered;
    if (ordered) {
        races.acquire(warp, races.atomics);
    }
    const auto kindOf = ordered
        ? (kind == AccessKind::Read ? RaceDetector::Kind::Read : RaceDetector::Kind::Atomic)
        : kind == AccessKind::Read ? RaceDetector::Kind::Read
                                   : RaceDetector::Kind::Write;
    constexpr std::uint32_t low = (1U << clusterRankShift) - 1U;
    const Epoch self = races.now(warp, in.line);
    const auto& known = races.clockOf(warp);
    for (std::uint32_t m = mask; m != 0;) {
        const auto first = static_cast<std::uint32_t>(std::countr_zero(m));
        const auto address = sharedOffset(at.address[first]);
        std::uint32_t length = bytes;
        m &= m - 1;
        for (std::uint32_t lane = first + 1; m != 0 && lane < laneCount && (m >> lane & 1U) != 0
             && sharedOffset(at.address[lane]) == address + length;
             ++lane) {
            length += bytes;
            m &= m - 1;
        }
        if (ordered && kind == AccessKind::Read) {
            continue; // an ordered read races with nothing that it could be ordered after
        }
        races.access(
            warp, *cluster.ctas[address >> clusterRankShift], address & low, length, kindOf, known, self);
    }
    if (ordered && kind != AccessKind::Read) {
        races.release(warp, races.atomics);
    }
}

bool sharedLanes(
    Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, AccessKind kind, LaneAddresses& out)
{
    auto& cta = *warp.cta;
    const bool checks = cta.cluster->launch->checks;
    std::uint32_t lowest = 0xFFFFFFFFU;
    std::uint32_t highest = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const auto address = sharedOffset(out.address[lane]);
        const std::uint32_t offset = address & ((1U << clusterRankShift) - 1U);
        Cta* owner = &cta;
        if (address >> clusterRankShift != cta.rank) {
            const std::uint32_t rank = address >> clusterRankShift;
            if (rank >= cta.cluster->ctas.size()) {
                return reportShared(warp, in, address, bytes);
            }
            owner = cta.cluster->ctas[rank].get();
        }
        if (!owner->shared.holds(offset, bytes)) {
            return reportShared(warp, in, address, bytes);
        }
        if ((offset & (bytes - 1)) != 0) {
            reportMisaligned(warp, in, lane, address, bytes, sharedPlace(cta, address));
            return false;
        }
        out.host[lane] = owner->shared.at(offset);
        if (owner == &cta) {
            lowest = std::min(lowest, offset);
            highest = std::max(highest, offset);
            if (checks) {
                checkShared(warp, in, offset, bytes, kind);
            }
        } else if (kind != AccessKind::Read) {
            owner->shared.noteWrite(offset, bytes, Granule::asyncAgent, cta.cluster->step, in.line);
        }
    }
    if (checks) {
        noteRaces(warp, in, mask, bytes, kind, out);
        cta.cluster->lanes->access(warp, in, mask, bytes, kind, out);
    }
    if (checks && lowest <= highest && !cta.shared.mbarriers().empty()) {
        if (const auto* barrier = cta.shared.mbarrierWithin(lowest, highest - lowest + bytes)) {
            for (std::uint32_t m = mask; m != 0; m &= m - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
                const auto offset = sharedOffset(out.address[lane]) & ((1U << clusterRankShift) - 1U);
                if (barrier->address < offset + bytes && offset < barrier->address + 8) {
                    file(warp, in.line,
                        {.rule = RuleId::BarrierMisuse,
                            .message = fmt::format("an ordinary access touches the live mbarrier at {}",
                                describe(sharedPlace(cta, barrier->address))),
                            .fix = "use mbarrier instructions, or mbarrier.inval before the memory is used "
                                   "again",
                            .otherLine = barrier->initLine,
                            .address = sharedPlace(cta, barrier->address)});
                    break;
                }
            }
        }
    }
    return true;
}

/// Flags in global memory order warps of a cluster too: too much rather than too little.
void noteFlag(Warp& warp, AccessKind kind)
{
    auto& races = *warp.cta->cluster->races;
    races.acquire(warp, races.atomics);
    if (kind != AccessKind::Read) {
        races.release(warp, races.atomics);
    }
}

bool globalLanes(
    Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, AccessKind kind, LaneAddresses& out)
{
    const auto& memory = *warp.cta->cluster->launch->memory;
    const Allocation* last = nullptr;
    std::uint32_t followed = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const std::uint64_t address = out.address[lane];
        if (last == nullptr || !last->contains(address, bytes)) {
            last = memory.find(address);
            if (last == nullptr || !last->contains(address, bytes)) {
                return reportGlobal(warp, in, address, bytes, kind != AccessKind::Read);
            }
        }
        if ((address & (bytes - 1)) != 0) {
            reportMisaligned(warp, in, lane, address, bytes, globalPlace(memory, address));
            return false;
        }
        out.host[lane] = last->at(address);
        followed |= last->isFollowed ? 1U << lane : 0U;
    }
    if (auto* trace = warp.cta->cluster->trace.get()) {
        if (in.ordered || kind == AccessKind::Atomic) {
            noteFlag(warp, kind);
        } else if (followed != 0) {
            trace->access(warp, in, followed, bytes, kind, out);
        }
    }
    if (auto* order = warp.cta->cluster->launch->order) {
        order->access(warp, in, mask, bytes, kind, out);
    }
    if (kind == AccessKind::Write && warp.cta->cluster->lanes != nullptr) {
        checkStoredTogether(warp, in, mask, bytes, out);
    }
    return true;
}

bool smallLanes(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, Space space, bool write,
    LaneAddresses& out)
{
    auto& launch = *warp.cta->cluster->launch;
    const std::uint64_t localBytes = warp.program->localBytes;
    if (space == Space::Local && warp.local.empty()) {
        warp.local.assign(localBytes * laneCount, std::byte{0});
    }
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const std::uint64_t offset = out.address[lane] & (windowBytes - 1);
        const std::uint64_t size = space == Space::Local ? localBytes : launch.parameters.size();
        if (bytes > size || offset > size - bytes || (write && space == Space::Param)) {
            stopWith(warp, in,
                {.rule = RuleId::OutOfBounds,
                    .message = fmt::format("{} bytes at offset {} of {} memory, which has {} bytes", bytes,
                        offset, space == Space::Local ? "local" : "parameter", size),
                    .fix = "check the index"});
            return false;
        }
        if ((offset & (bytes - 1)) != 0) {
            reportMisaligned(warp, in, lane, offset, bytes, std::nullopt);
            return false;
        }
        out.host[lane] = space == Space::Local ? warp.local.data() + lane * localBytes + offset
                                               : launch.parameters.data() + offset;
    }
    return true;
}

bool lanesOfSpace(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, Space space,
    AccessKind kind, LaneAddresses& out)
{
    switch (space) {
    case Space::Shared:
    case Space::SharedCluster:
        return sharedLanes(warp, in, mask, bytes, kind, out);
    case Space::Local:
    case Space::Param:
        return smallLanes(warp, in, mask, bytes, space, kind != AccessKind::Read, out);
    default:
        return globalLanes(warp, in, mask, bytes, kind, out);
    }
}

} // namespace

bool resolveLanes(
    Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, AccessKind kind, LaneAddresses& out)
{
    const auto offset = static_cast<std::uint64_t>(in.offset);
    if (in.wideAddress) {
        const auto* a = warp.row64(in.a);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            out.address[l] = a[l] + offset;
        }
    } else {
        const auto* a = warp.row(in.a);
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            out.address[l] = static_cast<std::uint32_t>(a[l] + offset);
        }
    }
    out.space = in.space;
    if (in.space != Space::Generic) {
        return lanesOfSpace(warp, in, mask, bytes, in.space, kind, out);
    }
    for (std::uint32_t rest = mask; rest != 0;) {
        const Space space = spaceOfGeneric(out.address[static_cast<std::uint32_t>(std::countr_zero(rest))]);
        std::uint32_t same = 0;
        for (std::uint32_t m = rest; m != 0; m &= m - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
            same |= spaceOfGeneric(out.address[lane]) == space ? 1U << lane : 0U;
        }
        out.space = rest == mask ? space : Space::Generic;
        if (!lanesOfSpace(warp, in, same, bytes, space, kind, out)) {
            return false;
        }
        rest &= ~same;
    }
    return true;
}

std::byte* resolveShared(Warp& warp, const Instr& in, std::uint64_t address, std::uint32_t bytes,
    std::uint32_t alignment, Cta*& owner, std::uint32_t& offset)
{
    auto& cta = *warp.cta;
    const std::uint32_t low = sharedOffset(address);
    const std::uint32_t rank = low >> clusterRankShift;
    offset = low & ((1U << clusterRankShift) - 1U);
    owner = rank < cta.cluster->ctas.size() ? cta.cluster->ctas[rank].get() : nullptr;
    if (owner == nullptr || !owner->shared.holds(offset, bytes)) {
        reportShared(warp, in, low, bytes);
        return nullptr;
    }
    if ((offset & (alignment - 1)) != 0) {
        reportMisaligned(warp, in, 0, low, alignment, sharedPlace(cta, low));
        return nullptr;
    }
    return owner->shared.at(offset);
}

std::byte* resolveGlobal(Warp& warp, const Instr& in, std::uint64_t address, std::uint64_t bytes,
    std::uint32_t alignment, bool write)
{
    const auto& memory = *warp.cta->cluster->launch->memory;
    const auto* allocation = memory.find(address);
    if (allocation == nullptr || !allocation->contains(address, bytes)) {
        reportGlobal(warp, in, address, bytes, write);
        return nullptr;
    }
    if ((address & (alignment - 1)) != 0) {
        reportMisaligned(warp, in, 0, address, alignment, globalPlace(memory, address));
        return nullptr;
    }
    return allocation->at(address);
}

} // namespace ptxwb::emulator
