// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/debugger/timeline_lanes.h"

#include <QColor>

class QPalette;

namespace ptxwb {

struct TimelineInk {
    QColor fill{};
    QColor edge{};
    QColor text{};
};

/// Colours of a kind of bar on the palette's base, light or dark.
TimelineInk timelineInk(TimelineBarKind kind, const QPalette& palette);

} // namespace ptxwb
