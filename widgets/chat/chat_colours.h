// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>

class QPalette;

namespace ptxwb {

/// What the chat and the apply view draw with beyond the palette. Colour is never the only sign: lines carry
/// + and -, notices a glyph.
struct ChatColours {
    QColor userFill{};
    QColor codeFill{};
    QColor codeBar{};
    QColor border{};
    QColor quietText{};
    QColor addedFill{};
    QColor removedFill{};
    QColor warningText{};
    QColor failureText{};
};

/// The light or the dark set, by the lightness of the palette's base.
ChatColours chatColoursFor(const QPalette& palette);

} // namespace ptxwb
