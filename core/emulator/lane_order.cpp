// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/lane_order.h"

#include "core/emulator/addressing.h"
#include "core/emulator/memory_handlers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace ptxwb::emulator {

namespace {

std::uint32_t stepOf(const Warp& warp)
{
    return static_cast<std::uint32_t>(warp.cta->cluster->step);
}

/// Whether two lanes of a store hold the same value.
bool sameValue(const Warp& warp, const Instr& in, std::uint32_t a, std::uint32_t b)
{
    return std::all_of(in.extra->rows.begin(), in.extra->rows.end(), [&](std::uint32_t row) {
        return in.bytes == 8 ? warp.row64(row)[a] == warp.row64(row)[b]
                             : warp.row(row)[a] == warp.row(row)[b];
    });
}

void reportTogether(Warp& warp, const Instr& in, std::uint32_t a, std::uint32_t b, ReportAddress place)
{
    file(warp, in.line,
        {.rule = RuleId::Race,
            .message = fmt::format("{} of warp {} store different values to {} with one instruction: which "
                                   "of them stays is not defined",
                lanesText(1U << a | 1U << b), warp.index, describe(place)),
            .fix = "let one lane store, or use an atomic operation",
            .address = std::move(place),
            .severity = ReportSeverity::Warning});
}

} // namespace

LaneOrder::LaneOrder(std::uint32_t ctas, std::uint32_t warpsPerCta, std::uint32_t sharedBytes)
    : m_warpsPerCta(warpsPerCta)
    , m_words(ctas, std::vector<Word>((sharedBytes + 3) / 4))
    , m_meetings(std::size_t{ctas} * warpsPerCta)
{
}

std::uint16_t LaneOrder::numberOf(const Warp& warp) const
{
    return static_cast<std::uint16_t>(warp.cta->rank * m_warpsPerCta + warp.index);
}

void LaneOrder::meet(const Warp& warp, std::uint32_t mask)
{
    auto& meetings = m_meetings[numberOf(warp)];
    const auto step = stepOf(warp);
    if ((mask & warp.live) == warp.live) {
        meetings.ofAll = step;
        meetings.ofSome.clear();
    } else if (mask != 0) {
        meetings.ofSome.push_back({step, mask});
    }
}

bool LaneOrder::isOrdered(const Access& before, std::uint8_t lane, const Meetings& meetings) const
{
    if (before.step < meetings.ofAll) {
        return true;
    }
    if (before.lane == together || lane == together) {
        return false;
    }
    std::uint32_t reached = before.many ? allLanes : 1U << before.lane;
    bool met = false;
    for (const auto& meeting : meetings.ofSome) {
        if (meeting.step > before.step && (meeting.mask & reached) != 0) {
            reached |= meeting.mask;
            met = met || (meeting.mask >> lane & 1U) != 0;
        }
    }
    return met;
}

void LaneOrder::report(Warp& warp, const Instr& in, Cta& owner, std::uint32_t offset, const Access& before,
    const Access& now, bool beforeWrites, bool writes) const
{
    const auto place = sharedPlace(owner, offset);
    const auto who = [](const Access& access) {
        return access.lane == together ? std::string("all lanes")
                                       : fmt::format("{}lane {}", access.many ? "also " : "", access.lane);
    };
    const auto verb = [](bool write) { return write ? "write" : "read"; };
    file(warp, in.line,
        {.rule = RuleId::Race,
            .message =
                fmt::format("{} of warp {} {}{} shared memory at {}, which {} of the same warp {} at line "
                            "{}: nothing orders the lanes",
                    who(now), warp.index, verb(writes), now.lane == together ? "" : "s", describe(place),
                    who(before), beforeWrites ? "wrote" : "read", before.line),
            .fix = "bar.warp.sync (__syncwarp()) between the two accesses; shfl, vote and reconvergence "
                   "order no "
                   "memory",
            .otherLine = before.line,
            .address = place});
}

bool LaneOrder::touch(Warp& warp, const Instr& in, Cta& owner, std::uint32_t offset, Access now, bool writes)
{
    auto& word = m_words[owner.rank][(offset - sharedBase) / 4];
    const auto& meetings = m_meetings[now.warp];
    const auto conflicts = [&](const Access& before) {
        return before.step != 0 && before.warp == now.warp && (before.many || before.lane != now.lane)
            && !isOrdered(before, now.lane, meetings);
    };
    bool clean = true;
    if (conflicts(word.write)) {
        if (word.write.step != now.step) {
            report(warp, in, owner, offset, word.write, now, true, writes);
            clean = false;
        } else if (writes && now.lane != together && in.run == storeHandler()
            && !sameValue(warp, in, word.write.lane, now.lane)) {
            reportTogether(warp, in, word.write.lane, now.lane, sharedPlace(owner, offset));
            clean = false;
        }
    }
    if (writes) {
        if (clean && conflicts(word.read) && word.read.step != now.step) {
            report(warp, in, owner, offset, word.read, now, false, true);
            clean = false;
        }
        word.write = now;
        word.read = {};
        return clean;
    }
    auto& read = word.read;
    const bool joins = read.step == now.step
        || (read.step != 0 && read.warp == now.warp && read.lane != now.lane && read.step >= meetings.ofAll);
    const bool many = joins && read.warp == now.warp && (read.many || read.lane != now.lane);
    read = now;
    read.many = many;
    return clean;
}

void LaneOrder::access(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, AccessKind kind,
    const LaneAddresses& at)
{
    if (kind == AccessKind::Atomic || in.ordered || bytes < 4) {
        return;
    }
    constexpr std::uint32_t low = (1U << clusterRankShift) - 1U;
    auto& cluster = *warp.cta->cluster;
    Access now{.step = stepOf(warp), .line = in.line, .warp = numberOf(warp)};
    bool clean = true;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const auto address = sharedOffset(at.address[lane]);
        auto& owner = *cluster.ctas[address >> clusterRankShift];
        now.lane = in.aligned ? together : static_cast<std::uint8_t>(lane);
        for (std::uint32_t i = 0; i < bytes && clean; i += 4) {
            clean = touch(warp, in, owner, (address & low) + i, now, kind == AccessKind::Write);
        }
    }
}

void LaneOrder::write(
    Warp& warp, Cta& owner, std::uint32_t offset, std::uint32_t bytes, std::uint32_t lane, int line)
{
    Instr in;
    in.line = line;
    const Access now{
        .step = stepOf(warp), .line = line, .warp = numberOf(warp), .lane = static_cast<std::uint8_t>(lane)};
    for (std::uint32_t i = 0; i + 4 <= bytes; i += 4) {
        if (!touch(warp, in, owner, offset + i, now, true)) {
            return;
        }
    }
}

void checkStoredTogether(
    Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t bytes, const LaneAddresses& at)
{
    if (in.run != storeHandler() || in.ordered) {
        return;
    }
    std::uint64_t next = 0;
    bool ascending = true;
    for (std::uint32_t m = mask; m != 0 && ascending; m &= m - 1) {
        const auto address = at.address[static_cast<std::uint32_t>(std::countr_zero(m))];
        ascending = address >= next;
        next = address + bytes;
    }
    if (ascending) {
        return;
    }
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto a = static_cast<std::uint32_t>(std::countr_zero(m));
        for (std::uint32_t rest = m & (m - 1); rest != 0; rest &= rest - 1) {
            const auto b = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (at.address[a] == at.address[b] && !sameValue(warp, in, a, b)) {
                reportTogether(
                    warp, in, a, b, globalPlace(*warp.cta->cluster->launch->memory, at.address[a]));
                return;
            }
        }
    }
}

} // namespace ptxwb::emulator
