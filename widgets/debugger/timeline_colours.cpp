// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/timeline_colours.h"

#include <QPalette>

namespace ptxwb {

TimelineInk timelineInk(TimelineBarKind kind, const QPalette& palette)
{
    const bool isDark = palette.color(QPalette::Base).lightness() < 128;
    const auto ink = [isDark](QRgb lightFill, QRgb lightInk, QRgb darkFill, QRgb darkInk) {
        return isDark ? TimelineInk{QColor(darkFill), QColor(darkInk), QColor(darkInk)}
                      : TimelineInk{QColor(lightFill), QColor(lightInk), QColor(lightInk)};
    };
    switch (kind) {
    case TimelineBarKind::Run:
        return ink(0xbfe5cb, 0x0f5c2e, 0x1f5a35, 0xc4f0d2);
    case TimelineBarKind::Wait:
        return ink(0xfbeecb, 0x8a5f00, 0x4a3b14, 0xf0d68a);
    case TimelineBarKind::Copy:
        return ink(0xc5dcf5, 0x0b4a86, 0x1d446c, 0xc9e2fb);
    case TimelineBarKind::Product:
        return ink(0xdfd0f2, 0x4c2384, 0x4a2f70, 0xe4d6fa);
    case TimelineBarKind::OtherWork:
    case TimelineBarKind::Phase:
        break;
    }
    return ink(0xe0e5ec, 0x333d4d, 0x353d49, 0xd5dbe4);
}

} // namespace ptxwb
