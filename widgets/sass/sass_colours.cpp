// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/sass_colours.h"

#include <QPalette>

namespace ptxwb {

QColor SassColours::ink(FamilySet families) const
{
    for (const auto family : allSassFamilies()) {
        if (!contains(families, family)) {
            continue;
        }
        switch (family) {
        case SassFamily::Gmma:
        case SassFamily::Mma:
            return tensor;
        case SassFamily::Tcgen05:
            return tcgen05;
        case SassFamily::Tma:
        case SassFamily::BulkCopy:
        case SassFamily::CpAsync:
        case SassFamily::Ldmatrix:
            return copy;
        case SassFamily::Mbarrier:
        case SassFamily::Cluster:
        case SassFamily::WarpgroupSync:
        case SassFamily::Barrier:
            return sync;
        case SassFamily::Setmaxnreg:
            return setmaxnreg;
        case SassFamily::Global:
        case SassFamily::Shared:
        case SassFamily::Local:
            return memory;
        case SassFamily::Branch:
            return branch;
        }
    }
    return text;
}

SassColours sassColours(const QPalette& palette)
{
    const auto rgb = [](unsigned value) { return QColor::fromRgb(value); };
    SassColours colours;
    const auto base = palette.color(QPalette::Base);
    colours.dark = 0.299 * base.redF() + 0.587 * base.greenF() + 0.114 * base.blueF() < 0.5;
    colours.text = palette.color(QPalette::Text);
    if (colours.dark) {
        colours.faint = rgb(0xa3adbd);
        colours.unknown = rgb(0xff9e9e);
        colours.tensor = rgb(0xd7a6ff);
        colours.tcgen05 = rgb(0xff9ed2);
        colours.copy = rgb(0x6cc7ff);
        colours.sync = rgb(0xffc266);
        colours.setmaxnreg = rgb(0xff9a76);
        colours.memory = rgb(0x7fdba6);
        colours.branch = rgb(0xe6dc78);
        colours.linkedRow = rgb(0x3b3614);
        colours.added = rgb(0x17402a);
        colours.removed = rgb(0x4d2226);
        colours.changed = rgb(0x4a3c12);
        colours.moved = rgb(0x1e3a5c);
        colours.scheduled = rgb(0x33363d);
    } else {
        colours.faint = rgb(0x5d6674);
        colours.unknown = rgb(0xb3261e);
        colours.tensor = rgb(0x7a24b8);
        colours.tcgen05 = rgb(0xb0156f);
        colours.copy = rgb(0x0b62a8);
        colours.sync = rgb(0x8f4e00);
        colours.setmaxnreg = rgb(0xb23a0e);
        colours.memory = rgb(0x11693a);
        colours.branch = rgb(0x6b6100);
        colours.linkedRow = rgb(0xfff1b8);
        colours.added = rgb(0xd9f5e2);
        colours.removed = rgb(0xfde1e1);
        colours.changed = rgb(0xfdf0c8);
        colours.moved = rgb(0xdcebfc);
        colours.scheduled = rgb(0xeceef2);
    }
    return colours;
}

} // namespace ptxwb
