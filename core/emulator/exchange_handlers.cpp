// SPDX-License-Identifier: Apache-2.0
// shfl, vote, match, redux, elect, and moves between registers of different width.
#include "core/emulator/diagnose.h"
#include "core/emulator/memory_handlers.h"
#include "core/emulator/warp_handlers.h"
#include "core/emulator/warp_run.h"

#include <fmt/format.h>

#include <bit>

namespace ptxwb::emulator {

namespace {

std::uint32_t firstLane(std::uint32_t mask)
{
    return static_cast<std::uint32_t>(std::countr_zero(mask));
}

/// Stop when a member mask cannot be meant by the lanes of `group`, which all give the same one.
Step checkMembers(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t group, std::uint32_t members)
{
    if ((members & group) != group) {
        return stopWith(warp, in,
            {.rule = RuleId::DivergentAligned,
                .message = fmt::format("{} executes {} but is not in its member mask 0x{:08x}",
                    lanesText(group & ~members), warp.program->opcodes[in.opcode], members),
                .fix = "name every executing lane in the member mask"});
    }
    const std::uint32_t needed = members & warp.live;
    if ((mask & needed) != needed && (warp.split().mask & needed) == needed) {
        return stopWith(warp, in,
            {.rule = RuleId::DivergentAligned,
                .message = fmt::format("{} names lanes 0x{:08x} that its predicate excludes",
                    warp.program->opcodes[in.opcode], needed & ~mask),
                .fix = "make the predicate true in all lanes of the member mask"});
    }
    return Step::Next;
}

/// Runs `exchange` for each group of lanes that give the same member mask and are all here (tiles of a warp
/// give one each). Parks the lanes of which some are still missing.
template <class Exchange>
Step byMembers(Warp& warp, const Instr& in, std::uint32_t mask, std::uint32_t row, const Exchange& exchange)
{
    std::uint32_t groups[laneCount];
    std::size_t count = 0;
    std::uint32_t complete = 0;
    std::uint32_t wanted = 0;
    for (std::uint32_t rest = mask; rest != 0;) {
        const std::uint32_t members = warp.row(row)[firstLane(rest)];
        std::uint32_t group = 0;
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            group |= warp.row(row)[l] == members ? 1U << l : 0U;
        }
        group &= rest;
        rest &= ~group;
        if (checkMembers(warp, in, mask, group, members) == Step::Stop) {
            return Step::Stop;
        }
        const std::uint32_t needed = members & warp.live;
        if ((group & needed) == needed) {
            groups[count++] = group;
            complete |= group;
        } else {
            wanted |= needed;
        }
    }
    if (complete == 0) {
        return park(warp, Wait::Reconverge, 1, wanted);
    }
    for (std::size_t i = 0; i < count; ++i) {
        exchange(groups[i]);
    }
    if (complete == mask) {
        return Step::Next;
    }
    Split done = warp.split();
    done.mask = complete;
    ++done.pc;
    warp.split().mask &= ~complete;
    warp.splits.push_back(done);
    for (std::uint32_t i = 0; i < in.writeCount; ++i) {
        warp.defined[in.writes[i]] |= complete;
    }
    return Step::Jump;
}

void shuffleGroup(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto* a = warp.row(in.a);
    const auto* b = warp.row(in.b);
    const auto* c = warp.row(in.c);
    std::uint32_t values[laneCount];
    std::uint32_t valid = 0;
    std::uint32_t undefinedSource = 0;
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        const std::uint32_t clamp = c[l] & 31U;
        const std::uint32_t segment = c[l] >> 8U & 31U;
        const std::uint32_t high = (l & segment) | (clamp & ~segment);
        const std::uint32_t low = l & segment;
        const std::uint32_t shift = b[l] & 31U;
        std::uint32_t from = l;
        bool inside = false;
        switch (in.mode) {
        case shuffle_mode::up:
            inside = static_cast<std::int32_t>(l - shift) >= static_cast<std::int32_t>(high);
            from = l - shift;
            break;
        case shuffle_mode::down:
            from = l + shift;
            inside = from <= high;
            break;
        case shuffle_mode::butterfly:
            from = l ^ shift;
            inside = from <= high;
            break;
        default:
            from = low | (shift & ~segment & 31U);
            inside = from <= high;
        }
        from = inside ? from & 31U : l;
        values[l] = a[from];
        valid |= inside ? 1U << l : 0U;
        undefinedSource |=
            (mask >> from & 1U) == 0 && (mask >> l & 1U) != 0 && (warp.started >> from & 1U) != 0 ? 1U << l
                                                                                                  : 0U;
    }
    if (undefinedSource != 0 && warp.cta->cluster->launch->checks) {
        file(warp, in.line,
            {.rule = RuleId::UninitialisedRead,
                .message = fmt::format("{} takes its value by shfl from a lane that does not take part",
                    lanesText(undefinedSource)),
                .fix = "keep all source lanes alive and name them in the member mask",
                .severity = ReportSeverity::Warning});
    }
    auto* d = warp.row(in.d);
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        d[l] = (mask >> l & 1U) != 0 ? values[l] : d[l];
    }
    if (in.target != noPredicate) {
        auto& p = warp.predicates[in.target];
        p = (p & ~mask) | (valid & mask);
    }
}

void voteGroup(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const bool negated = (in.mode & vote_mode::negated) != 0;
    const std::uint32_t bits = (negated ? ~warp.predicates[in.a] : warp.predicates[in.a]) & mask;
    switch (in.mode & 3U) {
    case vote_mode::ballot:
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            warp.row(in.d)[l] = (mask >> l & 1U) != 0 ? bits : warp.row(in.d)[l];
        }
        return;
    case vote_mode::all:
    case vote_mode::any:
    default: {
        const std::uint32_t how = in.mode & 3U;
        const bool result = how == vote_mode::all ? bits == mask
            : how == vote_mode::any               ? bits != 0
                                                  : bits == 0 || bits == mask;
        auto& p = warp.predicates[in.d];
        p = result ? p | mask : p & ~mask;
    }
    }
}

void matchGroup(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const bool wide = bitsOf(in.type) == 64;
    const auto value = [&](std::uint32_t l) {
        return wide ? warp.row64(in.a)[l] : std::uint64_t{warp.row(in.a)[l]};
    };
    std::uint32_t results[laneCount] = {};
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        for (std::uint32_t other = 0; other < laneCount; ++other) {
            results[l] |= (mask >> other & 1U) != 0 && value(l) == value(other) ? 1U << other : 0U;
        }
    }
    const bool all = results[firstLane(mask)] == mask;
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        if ((mask >> l & 1U) != 0) {
            warp.row(in.d)[l] = in.mode == 0 ? results[l] : (all ? mask : 0U);
        }
    }
    if (in.e != noPredicate) {
        auto& p = warp.predicates[in.e];
        p = all ? p | mask : p & ~mask;
    }
}

void reduxGroup(Warp& warp, const Instr& in, std::uint32_t mask)
{
    std::uint32_t result = warp.row(in.a)[firstLane(mask)];
    for (std::uint32_t m = mask & (mask - 1); m != 0; m &= m - 1) {
        const std::uint32_t value = warp.row(in.a)[firstLane(m)];
        reduceElement(static_cast<AtomicOp>(in.mode), in.type, reinterpret_cast<std::byte*>(&result),
            reinterpret_cast<const std::byte*>(&value));
    }
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        warp.row(in.d)[l] = (mask >> l & 1U) != 0 ? result : warp.row(in.d)[l];
    }
}

void electGroup(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint32_t leader = firstLane(mask);
    if (in.d != noPredicate) {
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            warp.row(in.d)[l] = (mask >> l & 1U) != 0 ? leader : warp.row(in.d)[l];
        }
    }
    auto& p = warp.predicates[in.e];
    p = (p & ~mask) | 1U << leader;
}

} // namespace

Step shuffle(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return byMembers(warp, in, mask, in.e, [&](std::uint32_t group) { shuffleGroup(warp, in, group); });
}

Step vote(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return byMembers(warp, in, mask, in.b, [&](std::uint32_t group) { voteGroup(warp, in, group); });
}

Step match(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return byMembers(warp, in, mask, in.b, [&](std::uint32_t group) { matchGroup(warp, in, group); });
}

Step redux(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return byMembers(warp, in, mask, in.b, [&](std::uint32_t group) { reduxGroup(warp, in, group); });
}

Step elect(Warp& warp, const Instr& in, std::uint32_t mask)
{
    return byMembers(warp, in, mask, in.b, [&](std::uint32_t group) { electGroup(warp, in, group); });
}

Step activeMask(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        warp.row(in.d)[l] = (mask >> l & 1U) != 0 ? mask : warp.row(in.d)[l];
    }
    return Step::Next;
}

Step packRegisters(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint32_t bits = in.bytes * 8U;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const std::uint32_t l = firstLane(m);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < in.extra->rows.size(); ++i) {
            const std::uint64_t part = warp.row(in.extra->rows[i])[l];
            value |= (bits == 32 ? part : part & ((1ULL << bits) - 1)) << (bits * i);
        }
        if (bits * in.extra->rows.size() == 64) {
            warp.row64(in.d)[l] = value;
        } else {
            warp.row(in.d)[l] = static_cast<std::uint32_t>(value);
        }
    }
    return Step::Next;
}

Step unpackRegister(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint32_t bits = in.bytes * 8U;
    const bool wide = bits * in.extra->rows.size() == 64;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const std::uint32_t l = firstLane(m);
        const std::uint64_t value = wide ? warp.row64(in.a)[l] : warp.row(in.a)[l];
        for (std::size_t i = 0; i < in.extra->rows.size(); ++i) {
            if (in.extra->rows[i] != noPredicate) {
                const std::uint64_t part = value >> (bits * i);
                warp.row(in.extra->rows[i])[l] =
                    static_cast<std::uint32_t>(bits == 32 ? part : part & ((1ULL << bits) - 1));
            }
        }
    }
    return Step::Next;
}

Step predicateLogic(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint32_t a =
        (in.mode & predicate_mode::negateA) != 0 ? ~warp.predicates[in.a] : warp.predicates[in.a];
    const std::uint32_t b =
        (in.mode & predicate_mode::negateB) != 0 ? ~warp.predicates[in.b] : warp.predicates[in.b];
    std::uint32_t r = a;
    switch (in.mode & 7U) {
    case predicate_mode::both:
        r = a & b;
        break;
    case predicate_mode::either:
        r = a | b;
        break;
    case predicate_mode::exclusive:
        r = a ^ b;
        break;
    case predicate_mode::opposite:
        r = ~a;
        break;
    default:
        break;
    }
    auto& d = warp.predicates[in.d];
    d = (d & ~mask) | (r & mask);
    return Step::Next;
}

Step readClock(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint64_t now = warp.cta->cluster->step * 4;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const std::uint32_t l = firstLane(m);
        if (bitsOf(in.type) == 64) {
            warp.row64(in.d)[l] = now;
        } else {
            warp.row(in.d)[l] = static_cast<std::uint32_t>(in.mode != 0 ? now >> 32U : now);
        }
    }
    return Step::Next;
}

Step convertAddress(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const std::uint32_t l = firstLane(m);
        if (bitsOf(in.type) == 64) {
            warp.row64(in.d)[l] = warp.row64(in.a)[l] + in.imm;
        } else {
            warp.row(in.d)[l] = static_cast<std::uint32_t>(warp.row(in.a)[l] + in.imm);
        }
    }
    return Step::Next;
}

Step isSpace(Warp& warp, const Instr& in, std::uint32_t mask)
{
    std::uint32_t bits = 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const std::uint32_t l = firstLane(m);
        const std::uint64_t address = warp.row64(in.a)[l];
        const bool inside = in.imm == globalWindow ? address >= globalWindow : address - in.imm < windowBytes;
        bits |= inside ? 1U << l : 0U;
    }
    auto& p = warp.predicates[in.d];
    p = (p & ~mask) | bits;
    return Step::Next;
}

Step mapShared(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint32_t low = (1U << clusterRankShift) - 1U;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const std::uint32_t l = firstLane(m);
        const std::uint32_t rank = warp.row(in.b)[l];
        if (rank >= warp.cta->cluster->ctas.size()) {
            return stopWith(warp, in,
                {.rule = RuleId::OutOfBounds,
                    .message = fmt::format(
                        "mapa asks for CTA {} of a cluster of {}", rank, warp.cta->cluster->ctas.size()),
                    .fix = "ask for a rank below %cluster_nctarank, and launch with that cluster size"});
        }
        if (bitsOf(in.type) == 64) {
            const std::uint64_t a = warp.row64(in.a)[l];
            warp.row64(in.d)[l] = (a & ~std::uint64_t{0xFFFFFFFF}) | rank << clusterRankShift | (a & low);
        } else {
            warp.row(in.d)[l] = rank << clusterRankShift | (warp.row(in.a)[l] & low);
        }
    }
    return Step::Next;
}

Step rankOfShared(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const std::uint32_t l = firstLane(m);
        const auto a = in.wideAddress ? static_cast<std::uint32_t>(warp.row64(in.a)[l]) : warp.row(in.a)[l];
        warp.row(in.d)[l] = a >> clusterRankShift;
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
