// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/timeline.h"

#include <QCoreApplication>
#include <QString>

#include <vector>

namespace ptxwb {

enum class TimelineBarKind { Run, Wait, Copy, Product, OtherWork, Phase };

struct TimelineBar {
    TimelineBarKind kind = TimelineBarKind::Run;
    quint64 begin = 0; ///< round
    quint64 end = 0;
    int line = 0; ///< 0: none
    QString label{}; ///< short, drawn where it fits
    QString detail{}; ///< one sentence
};

/// Bars of one lane do not overlap and are in order.
struct TimelineLane {
    QString title{};
    std::vector<TimelineBar> bars{};
};

/// Lanes of a timeline: by CTA its warps, then copies, products and other work (side by side when they
/// overlap), then its barriers.
class TimelineLanes {
    Q_DECLARE_TR_FUNCTIONS(TimelineLanes)
public:
    static std::vector<TimelineLane> of(const emulator::Timeline& timeline);
    /// The first bar that ends behind the round; bars.size() without one.
    static std::size_t firstEndingBehind(const TimelineLane& lane, double round);

    /// Operations under way at one time that get lanes of their own; more share the last one's place.
    static constexpr std::size_t mostSideBySide = 12;
};

} // namespace ptxwb
