// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>

namespace ptxwb {

/// What a statement means for the user; each tone has a glyph too, so that colour is never the only sign.
enum class Tone { Good, Bad, Caution, Neutral };

/// Ink and fill of each tone on the theme's window colour. Filled by the theme.
struct StatusColours {
    QColor goodInk{QColor(0x0f, 0x5c, 0x2e)};
    QColor goodFill{QColor(0xd9, 0xf2, 0xe1)};
    QColor badInk{QColor(0x8a, 0x12, 0x1b)};
    QColor badFill{QColor(0xfb, 0xe0, 0xe1)};
    QColor cautionInk{QColor(0x6b, 0x48, 0x00)};
    QColor cautionFill{QColor(0xfb, 0xee, 0xcb)};
    QColor neutralInk{QColor(0x33, 0x3d, 0x4d)};
    QColor neutralFill{QColor(0xe6, 0xea, 0xf0)};

    const QColor& ink(Tone tone) const;
    const QColor& fill(Tone tone) const;
};

/// "✓", "✗", "!", "–".
QString glyphOf(Tone tone);

} // namespace ptxwb
