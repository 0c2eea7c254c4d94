// SPDX-License-Identifier: Apache-2.0
// Says in words why nothing can go on.
#include "core/emulator/barriers.h"
#include "core/emulator/cluster_run.h"
#include "core/emulator/diagnose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t offsetMask = (1U << clusterRankShift) - 1U;

struct Explained {
    RuleId rule = RuleId::Deadlock;
    std::string text{};
    std::string fix{};
    int otherLine = 0;
    std::optional<ReportAddress> address{};
};

Explained explainMbarrier(Warp& warp, const Split& s)
{
    auto& owner = *warp.cta->cluster->ctas[s.waitOn >> clusterRankShift];
    const auto place = sharedPlace(owner, s.waitOn & offsetMask);
    const auto* barrier = owner.shared.mbarrierAt(s.waitOn & offsetMask);
    if (barrier == nullptr) {
        return {.text = "waits on an mbarrier that is gone"};
    }
    Explained e;
    e.address = place;
    e.text = fmt::format("waits on the mbarrier at {} (made at line {}) for the end of phase {} (parity {})",
        describe(place), barrier->initLine, barrier->phase, barrier->phase & 1U);
    if (barrier->pending == 0 && barrier->txBytes != 0) {
        e.rule = RuleId::TxCountMismatch;
        e.otherLine = barrier->expectLine != 0 ? barrier->expectLine : barrier->deliverLine;
        if (barrier->txBytes > 0) {
            e.text += fmt::format(
                ": all arrivals came, but {} of {} expected bytes are missing (line {} expects them, "
                "{} were delivered{})",
                barrier->txBytes, barrier->expectedBytes, barrier->expectLine, barrier->deliveredBytes,
                barrier->deliverLine != 0 ? fmt::format(", last by the copy at line {}", barrier->deliverLine)
                                          : "");
            e.fix = "make expect_tx the sum of the bytes of the copies that name this barrier in one phase";
        } else {
            e.text += fmt::format(
                ": all arrivals came, but {} bytes more were delivered than expected (copy at line {})",
                -barrier->txBytes, barrier->deliverLine);
            e.fix = "expect all bytes that the copies deliver, in the same phase";
        }
        return e;
    }
    e.otherLine = barrier->initLine;
    e.text += fmt::format(": {} of {} arrivals are missing", barrier->pending, barrier->expected);
    if (barrier->txBytes != 0) {
        e.text += fmt::format(", and {} bytes", barrier->txBytes);
    }
    if (barrier->phase >= 1 && barrier->pending == barrier->expected && barrier->txBytes == 0) {
        e.text += fmt::format("; phase {} (parity {}) is over already, nothing has come since",
            barrier->phase - 1, (barrier->phase - 1) & 1U);
        e.fix = "check the parity that is waited for, and that every stage is armed again";
    } else if (barrier->phase == 0 && barrier->pending == barrier->expected) {
        e.text += "; nothing has ever arrived";
        e.fix = barrier->arriveLine == 0
            ? "somebody must arrive on it; a producer's first wait on an empty slot uses parity 1"
            : "check who arrives";
    } else {
        e.text += fmt::format("; the last arrival was at line {}", barrier->arriveLine);
        e.fix = "make the count of mbarrier.init the number of arrivals that really come";
    }
    return e;
}

/// True when enough of the warps that are missing wait at other named barriers: these waits are the cause,
/// not a consequence of somebody who hangs on an mbarrier.
bool isMutual(Warp& warp, const Split& s)
{
    const auto& cta = *warp.cta;
    const auto& barrier = cta.barriers[s.waitOn];
    const auto expected = barrier.expected == 0 ? cta.liveWarps * laneCount : barrier.expected;
    std::uint32_t elsewhere = 0;
    for (const auto& other : cta.warps) {
        const bool missing = other.live != 0 && barrier.lanesOfWarp[other.index] == 0;
        elsewhere +=
            missing && !other.splits.empty() && other.splits[0].wait == Wait::NamedBarrier ? laneCount : 0U;
    }
    return barrier.arrived + elsewhere >= expected;
}

Explained explainNamed(Warp& warp, const Split& s)
{
    const auto& cta = *warp.cta;
    const auto& barrier = cta.barriers[s.waitOn];
    std::string missing;
    for (const auto& other : cta.warps) {
        if (other.live != 0 && (barrier.lanesOfWarp.empty() || barrier.lanesOfWarp[other.index] == 0)) {
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", other.index);
        }
    }
    const auto expected = barrier.expected == 0 ? cta.liveWarps * laneCount : barrier.expected;
    return {.text = fmt::format("waits at barrier {}: {} of {} threads have come{}", s.waitOn,
                barrier.arrived, expected, missing.empty() ? "" : "; not there: warp " + missing),
        .fix = "let the same warps reach the barrier, with the same thread count"};
}

Explained explain(Warp& warp, const Split& s)
{
    switch (s.wait) {
    case Wait::Mbarrier:
        return explainMbarrier(warp, s);
    case Wait::NamedBarrier:
        return explainNamed(warp, s);
    case Wait::Reconverge:
        return {.rule = RuleId::DivergentAligned,
            .text = fmt::format(
                "{} at an instruction that needs lanes 0x{:08x} together; the others are elsewhere or "
                "wait for something else",
                lanesText(s.mask), s.waitOn == 0 ? warp.live : static_cast<std::uint32_t>(s.waitFor)),
            .fix = "bring all lanes of the warp to this instruction together"};
    case Wait::RegisterPool:
        return {.text = fmt::format(
                    "waits for {} registers per thread (setmaxnreg.inc); only {} registers of the CTA are "
                    "free",
                    s.waitOn, warp.cta->registerPool),
            .fix = "let the other warps give up more with setmaxnreg.dec, or ask for fewer"};
    case Wait::Warpgroup:
        return {.text = "waits for the other warps of its warpgroup, which have not reached the wgmma before",
            .fix = "let all four warps of the warpgroup execute the same wgmma instructions"};
    case Wait::ClusterBarrier:
        return {.text = "waits at barrier.cluster for the other CTAs",
            .fix = "every thread of every CTA of the cluster must arrive"};
    case Wait::WgmmaGroup:
        return {.text = "waits for a wgmma that not all four warps of the warpgroup have issued",
            .fix = "let all four warps execute the same wgmma instructions"};
    default:
        return {.text = "waits for copies that were never issued completely"};
    }
}

} // namespace

std::string waitText(Warp& warp, const Split& split)
{
    return split.wait == Wait::None || split.wait == Wait::Yield ? std::string() : explain(warp, split).text;
}

void reportDeadlock(Cluster& cluster)
{
    Finding finding;
    finding.rule = RuleId::Deadlock;
    Warp* first = nullptr;
    int line = 0;
    int rank = -1;
    std::map<std::string, std::vector<std::string>> groups; // text -> warps
    std::vector<std::string> order;
    for (auto& cta : cluster.ctas) {
        for (auto& warp : cta->warps) {
            for (const auto& s : warp.splits) {
                if (s.wait == Wait::None) {
                    continue;
                }
                const auto e = explain(warp, s);
                const int at = warp.program->code[s.pc].line;
                // The wait that says most leads the report: byte counts, then mbarriers, then the rest.
                const int mine = e.rule == RuleId::TxCountMismatch                                        ? 5
                    : s.wait == Wait::RegisterPool || (s.wait == Wait::NamedBarrier && isMutual(warp, s)) ? 4
                    : s.wait == Wait::Mbarrier                                                            ? 3
                    : s.wait == Wait::NamedBarrier                                                        ? 2
                    : s.wait == Wait::Reconverge                                                          ? 1
                                                                                                          : 0;
                if (mine > rank) {
                    rank = mine;
                    first = &warp;
                    line = at;
                    finding.rule = e.rule;
                    finding.fix = e.fix;
                    finding.otherLine = e.otherLine;
                    finding.address = e.address;
                }
                const auto text = fmt::format("line {}: {}", at, e.text);
                if (!groups.contains(text)) {
                    order.push_back(text);
                }
                groups[text].push_back(cluster.ctas.size() > 1 ? fmt::format("{}.{}", cta->rank, warp.index)
                                                               : fmt::format("{}", warp.index));
            }
        }
    }
    if (first == nullptr) {
        return;
    }
    finding.message = "nothing can go on.";
    for (const auto& text : order) {
        std::string warps;
        for (const auto& w : groups[text]) {
            warps += (warps.empty() ? "" : ",") + w;
        }
        finding.message += fmt::format(" Warp {} at {}.", warps, text);
    }
    file(*first, line, std::move(finding));
}

namespace {

// CTAs that are in the round of the grid's barrier that has begun, where not all of them are. The barrier's
// second word counts them: cooperative_groups adds 1 for each, and for the first CTA what makes a whole round
// 2^31.
std::optional<std::uint32_t> comeToGridBarrier(const LaunchContext& launch)
{
    const auto* words = launch.gridBarrier == 0 ? nullptr : launch.memory->find(launch.gridBarrier);
    if (words == nullptr) {
        return std::nullopt;
    }
    const std::uint64_t all = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    std::uint32_t count = 0;
    std::memcpy(&count, words->at(launch.gridBarrier + 4), sizeof count);
    count &= 0x7FFFFFFFU;
    const auto withoutFirst = static_cast<std::uint32_t>(0x80000000U - all);
    const std::uint32_t come = count > withoutFirst ? count - withoutFirst : count;
    return come == 0 || come >= all ? std::nullopt : std::optional(come);
}

} // namespace

void reportLivelock(Cluster& cluster)
{
    Warp* first = nullptr;
    std::string lines;
    int line = 0;
    const auto list = [&](bool waiting) {
        for (auto& cta : cluster.ctas) {
            for (auto& warp : cta->warps) {
                for (const auto& s : warp.splits) {
                    if ((s.wait != Wait::None && s.wait != Wait::Yield) != waiting) {
                        continue;
                    }
                    const int at = warp.program->code[s.pc].line;
                    if (lines.size() < 400) {
                        lines +=
                            fmt::format("{}warp {} at line {}", lines.empty() ? "" : ", ", warp.index, at);
                    }
                    if (first == nullptr) {
                        first = &warp;
                        line = at;
                    }
                }
            }
        }
    };
    list(false);
    if (first == nullptr) {
        list(true); // at a barrier that they reach again and again
    }
    if (first == nullptr) {
        return;
    }
    const auto come = cluster.repeats ? comeToGridBarrier(*cluster.launch) : std::nullopt;
    if (come) {
        const auto& grid = cluster.launch->grid;
        file(*first, line,
            {.rule = RuleId::Livelock,
                .message =
                    fmt::format("{} of {} CTAs have come to the barrier of the grid (grid.sync()), and the "
                                "others never will: {}",
                        *come, std::uint64_t{grid[0]} * grid[1] * grid[2], lines),
                .fix = "let every CTA come to every grid.sync(): one that has nothing to do must not return "
                       "before, nor wait for something else"});
        return;
    }
    file(*first, line,
        {.rule = RuleId::Livelock,
            .message = cluster.repeats
                ? fmt::format(
                    "still running after {} warp instructions, and it will never end: {}; each time "
                    "round the registers are the same, and nothing changes the memory that the loop "
                    "reads",
                    cluster.step, lines)
                : fmt::format("still running after {} warp instructions: {}", cluster.step, lines),
            .fix = cluster.repeats
                ? "change what the loop's condition is made of, in the loop or in the threads that "
                  "it waits for"
                : "look for a loop whose condition never changes, or raise the limit"});
}

void checkAfterExit(Cluster& cluster)
{
    for (auto& cta : cluster.ctas) {
        for (const auto& barrier : cta->shared.mbarriers()) {
            if (barrier.live && barrier.txBytes != 0) {
                const auto place = sharedPlace(*cta, barrier.address);
                file(cta->warps[0], barrier.expectLine != 0 ? barrier.expectLine : barrier.deliverLine,
                    {.rule = RuleId::TxCountMismatch,
                        .message = fmt::format(
                            "at exit the mbarrier at {} lacks {} bytes: {} expected, {} delivered in "
                            "its phase {}",
                            describe(place), barrier.txBytes, barrier.expectedBytes, barrier.deliveredBytes,
                            barrier.phase),
                        .fix = "make expect_tx the sum of the bytes of the copies",
                        .otherLine = barrier.deliverLine,
                        .address = place,
                        .severity = ReportSeverity::Warning});
            }
        }
    }
}

} // namespace ptxwb::emulator
