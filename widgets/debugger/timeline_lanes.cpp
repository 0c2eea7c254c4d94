// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/timeline_lanes.h"

#include <algorithm>
#include <array>
#include <map>

namespace ptxwb {

using namespace emulator;

namespace {

using Kind = Timeline::OperationKind;

TimelineBarKind barKind(Kind kind)
{
    return kind == Kind::Copy   ? TimelineBarKind::Copy
        : kind == Kind::Product ? TimelineBarKind::Product
                                : TimelineBarKind::OtherWork;
}

/// Puts the bar into the first lane that is free by then; into none when all of them are taken.
void place(std::vector<TimelineLane>& lanes, TimelineBar bar)
{
    for (auto& lane : lanes) {
        if (lane.bars.empty() || lane.bars.back().end <= bar.begin) {
            lane.bars.push_back(std::move(bar));
            return;
        }
    }
    if (lanes.size() < TimelineLanes::mostSideBySide) {
        lanes.emplace_back().bars.push_back(std::move(bar));
    }
}

} // namespace

std::vector<TimelineLane> TimelineLanes::of(const Timeline& timeline)
{
    std::map<std::uint64_t, std::vector<std::uint32_t>> warpsOfCta;
    for (std::size_t w = 0; w < timeline.warps.size(); ++w) {
        warpsOfCta[timeline.warps[w].cta].push_back(static_cast<std::uint32_t>(w));
    }
    for (auto& [cta, warps] : warpsOfCta) {
        std::sort(warps.begin(), warps.end(), [&](std::uint32_t x, std::uint32_t y) {
            return timeline.warps[x].warp < timeline.warps[y].warp;
        });
    }
    std::vector<TimelineLane> ofWarp(timeline.warps.size());
    for (const auto& span : timeline.spans) {
        TimelineBar bar{.kind = span.waits ? TimelineBarKind::Wait : TimelineBarKind::Run,
            .begin = span.begin,
            .end = span.end,
            .line = span.line};
        if (span.waits) {
            bar.label = tr("waits, line %1").arg(span.line);
            bar.detail = tr("waits at line %1 for %L2 rounds").arg(span.line).arg(span.end - span.begin);
        } else {
            bar.label = span.line == span.lastLine ? tr("line %1").arg(span.line)
                                                   : tr("lines %1 to %2").arg(span.line).arg(span.lastLine);
            bar.detail = tr("runs from line %1 to line %2, %L3 rounds")
                             .arg(span.line)
                             .arg(span.lastLine)
                             .arg(span.end - span.begin);
        }
        ofWarp[span.warp].bars.push_back(std::move(bar));
    }
    std::map<std::uint64_t, std::array<std::vector<TimelineLane>, 3>> work;
    for (const auto& operation : timeline.operations) {
        const auto opcode = QString::fromStdString(timeline.opcodes[operation.opcode]);
        const auto& warp = timeline.warps[operation.warp];
        place(work[warp.cta][static_cast<std::size_t>(operation.kind)],
            {.kind = barKind(operation.kind),
                .begin = operation.begin,
                .end = operation.end,
                .line = operation.line,
                .label = tr("line %1, warp %2").arg(operation.line).arg(warp.warp),
                .detail = operation.ended ? tr("%1 of warp %2, line %3, under way for %L4 rounds")
                                                .arg(opcode)
                                                .arg(warp.warp)
                                                .arg(operation.line)
                                                .arg(operation.end - operation.begin)
                                          : tr("%1 of warp %2, line %3, still under way")
                                                .arg(opcode)
                                                .arg(warp.warp)
                                                .arg(operation.line)});
    }
    std::vector<TimelineLane> ofBarrier(timeline.barriers.size());
    for (const auto& phase : timeline.phases) {
        ofBarrier[phase.barrier].bars.push_back({.kind = TimelineBarKind::Phase,
            .begin = phase.begin,
            .end = phase.end,
            .label = tr("phase %1").arg(phase.phase),
            .detail = tr("phase %1, %L2 rounds").arg(phase.phase).arg(phase.end - phase.begin)});
    }

    std::vector<TimelineLane> lanes;
    const bool isOneCta = warpsOfCta.size() == 1;
    const std::array<QString, 3> titles{tr("copies"), tr("products"), tr("other work")};
    for (const auto& [cta, warps] : warpsOfCta) {
        const QString before = isOneCta ? QString() : tr("CTA %1 ").arg(cta);
        for (const auto w : warps) {
            ofWarp[w].title = before + tr("warp %1").arg(timeline.warps[w].warp);
            lanes.push_back(std::move(ofWarp[w]));
        }
        auto& ofCta = work[cta];
        for (std::size_t kind = 0; kind < ofCta.size(); ++kind) {
            for (std::size_t i = 0; i < ofCta[kind].size(); ++i) {
                ofCta[kind][i].title = i == 0 ? before + titles[kind] : QString();
                lanes.push_back(std::move(ofCta[kind][i]));
            }
        }
        for (std::size_t b = 0; b < timeline.barriers.size(); ++b) {
            if (timeline.barriers[b].cta == cta) {
                ofBarrier[b].title = before + QString::fromStdString(timeline.barriers[b].place);
                lanes.push_back(std::move(ofBarrier[b]));
            }
        }
    }
    return lanes;
}

std::size_t TimelineLanes::firstEndingBehind(const TimelineLane& lane, double round)
{
    const auto found = std::partition_point(lane.bars.begin(), lane.bars.end(),
        [round](const TimelineBar& bar) { return static_cast<double>(bar.end) <= round; });
    return static_cast<std::size_t>(found - lane.bars.begin());
}

} // namespace ptxwb
