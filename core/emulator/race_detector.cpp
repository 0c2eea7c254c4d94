// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/race_detector.h"

#include "core/emulator/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t maxBarriers = 192;

}

void join(VectorClock& into, const VectorClock& from)
{
    if (from.empty()) {
        return;
    }
    into.resize(std::max(into.size(), from.size()), 0);
    for (std::size_t i = 0; i < from.size(); ++i) {
        into[i] = std::max(into[i], from[i]);
    }
}

// Channels: 0 none; then warps, their copies, their bulk stores, warpgroups, mbarriers.
RaceDetector::RaceDetector(std::uint32_t ctas, std::uint32_t warpsPerCta, std::uint32_t sharedBytes)
    : m_warps(ctas * warpsPerCta)
    , m_warpsPerCta(warpsPerCta)
    , m_groupsPerCta((warpsPerCta + 3) / 4)
{
    m_nextBarrier = 1 + 3 * m_warps + ctas * m_groupsPerCta;
    m_dimensions = m_nextBarrier + maxBarriers;
    m_clocks.assign(m_warps, VectorClock(m_dimensions, 0));
    for (std::uint32_t w = 0; w < m_warps; ++w) {
        m_clocks[w][1 + w] = 1;
    }
    m_remote.assign(ctas, std::vector<Epoch>(m_warps));
    m_cells.assign(ctas, std::vector<Cell>((sharedBytes + 15) / 16));
}

VectorClock& RaceDetector::clockOf(const Warp& warp)
{
    return m_clocks[warpChannel(warp) - 1U];
}

void RaceDetector::release(const Warp& warp, VectorClock& clock)
{
    auto& mine = clockOf(warp);
    join(clock, mine);
    ++mine[warpChannel(warp)];
}

void RaceDetector::acquire(const Warp& warp, const VectorClock& clock)
{
    join(clockOf(warp), clock);
}

void RaceDetector::learn(const Warp& warp, std::uint16_t channel, std::uint32_t time)
{
    auto& known = clockOf(warp)[channel];
    known = std::max(known, time);
}

std::uint16_t RaceDetector::warpChannel(const Warp& warp) const
{
    return static_cast<std::uint16_t>(1 + warp.cta->rank * m_warpsPerCta + warp.index);
}

std::uint16_t RaceDetector::copyChannel(const Warp& warp) const
{
    return static_cast<std::uint16_t>(warpChannel(warp) + m_warps);
}

std::uint16_t RaceDetector::bulkChannel(const Warp& warp) const
{
    return static_cast<std::uint16_t>(warpChannel(warp) + 2 * m_warps);
}

std::uint16_t RaceDetector::wgmmaChannel(const Warp& warp) const
{
    return static_cast<std::uint16_t>(1 + 3 * m_warps + warp.cta->rank * m_groupsPerCta + warp.index / 4);
}

std::uint16_t RaceDetector::newBarrierChannel()
{
    return m_nextBarrier < m_dimensions ? static_cast<std::uint16_t>(m_nextBarrier++) : std::uint16_t{0};
}

Epoch RaceDetector::now(const Warp& warp, int line)
{
    const auto channel = warpChannel(warp);
    return {channel, m_clocks[channel - 1U][channel], line};
}

const char* RaceDetector::nameOf(std::uint16_t channel) const
{
    if (channel <= m_warps) {
        return "thread";
    }
    if (channel <= 2 * m_warps) {
        return "cp.async";
    }
    if (channel <= 3 * m_warps) {
        return "bulk store";
    }
    return channel <= 3 * m_warps + m_cells.size() * m_groupsPerCta ? "wgmma" : "TMA copy";
}

void RaceDetector::access(Warp& warp, Cta& owner, std::uint32_t address, std::uint32_t bytes, Kind kind,
    const VectorClock& known, Epoch self)
{
    if (owner.rank != warp.cta->rank && self.channel == warpChannel(warp)) {
        m_remote[owner.rank][self.channel - 1U] = self;
    }
    auto& cells = m_cells[owner.rank];
    const std::uint32_t end = address + bytes;
    for (std::uint32_t at = address; at < end;) {
        auto& cell = cells[(at - sharedBase) >> 4U];
        const std::uint32_t next = std::min((at & ~15U) + 16, end);
        if (cell.fine < 0 && next - at == 16) {
            touch(cell, warp, owner, at, kind, known, self);
            at = next;
            continue;
        }
        if (cell.fine < 0) {
            cell.fine = static_cast<std::int32_t>(m_fine.size());
            m_fine.push_back({cell, cell, cell, cell});
        }
        for (; at < next; at = (at & ~3U) + 4) {
            const bool whole = (at & 3U) == 0 && next - at >= 4;
            if (whole) { // parts of a word are not followed
                touch(m_fine[static_cast<std::size_t>(cell.fine)][at >> 2U & 3U], warp, owner, at, kind,
                    known, self);
            }
        }
        at = next;
    }
}

void RaceDetector::checkExits(Warp& warp)
{
    const auto& ctas = warp.cta->cluster->ctas;
    if (std::any_of(ctas.begin(), ctas.end(), [](const auto& cta) { return cta->liveWarps != 0; })) {
        return;
    }
    for (const auto& cta : ctas) {
        for (const auto& access : m_remote[cta->rank]) {
            if (access.time == 0 || cta->exited[access.channel] >= access.time) {
                continue;
            }
            file(warp, access.line,
                {.rule = RuleId::Race,
                    .message = fmt::format("CTA {} of the cluster may have ended when its shared memory is "
                                           "accessed here: nothing makes it wait",
                        cta->rank),
                    .fix = "barrier.cluster.arrive and barrier.cluster.wait in all CTAs behind the last "
                           "access"});
            return;
        }
    }
}

void RaceDetector::touch(Cell& cell, Warp& warp, Cta& owner, std::uint32_t address, Kind kind,
    const VectorClock& known, Epoch self)
{
    const auto isOver = [&](const Epoch& e) {
        return e.time == 0 || e.channel == 0 || known[e.channel] >= e.time;
    };
    if (!isOver(cell.write) && !(kind == Kind::Atomic && cell.writeWasAtomic)) {
        report(warp, owner, address, kind, self, cell.write, true);
        cell.write = {};
    }
    if (kind == Kind::Read) {
        for (auto& read : cell.reads) {
            if (read.channel == self.channel || isOver(read)) {
                read = self;
                return;
            }
        }
        cell.reads[1] = self;
        return;
    }
    for (auto& read : cell.reads) {
        if (!isOver(read)) {
            report(warp, owner, address, kind, self, read, false);
        }
        read = {};
    }
    cell.write = self;
    cell.writeWasAtomic = kind == Kind::Atomic;
}

void RaceDetector::report(
    Warp& warp, Cta& owner, std::uint32_t address, Kind kind, Epoch self, Epoch other, bool otherWrites)
{
    const std::string_view mine = nameOf(self.channel);
    const std::string_view theirs = nameOf(other.channel);
    const auto place = sharedPlace(owner, address);
    std::string who = theirs == "thread" ? fmt::format("warp {}", (other.channel - 1U) % m_warpsPerCta)
                                         : fmt::format("the {}", theirs);
    std::string fix = "put a barrier between the two accesses";
    if (theirs == "wgmma") {
        fix = "wait for the wgmma (wgmma.wait_group) before its operand's memory is released for writing";
    } else if (theirs == "bulk store") {
        fix = "cp.async.bulk.wait_group.read by the thread that issued the store, then a barrier, before the "
              "buffer is "
              "written again";
    } else if (theirs == "cp.async") {
        fix = "cp.async.wait_group (or an mbarrier), then a barrier, before the data are used";
    } else if (theirs == "TMA copy") {
        fix = "wait on the mbarrier of the copy, with the right parity, before the memory is used";
    }
    file(warp, self.line,
        {.rule = RuleId::Race,
            .message = fmt::format(
                "{} {} shared memory at {} while {} issued at line {} may still {} it: nothing orders them",
                mine == "thread" ? fmt::format("warp {}", warp.index) : fmt::format("the {}", mine),
                kind == Kind::Read ? "reads" : "writes", describe(place), who, other.line,
                otherWrites ? "write" : "read"),
            .fix = std::move(fix),
            .otherLine = other.line,
            .agent = mine == "thread" ? std::string() : std::string(mine),
            .address = place});
}

} // namespace ptxwb::emulator
