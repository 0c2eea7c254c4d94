// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/chat_colours.h"

#include <QPalette>

namespace ptxwb {

ChatColours chatColoursFor(const QPalette& palette)
{
    if (palette.color(QPalette::Base).lightness() < 128) {
        return {.userFill = QColor(0x2a, 0x33, 0x42),
            .codeFill = QColor(0x16, 0x18, 0x1d),
            .codeBar = QColor(0x2b, 0x2f, 0x37),
            .border = QColor(0x45, 0x4b, 0x57),
            .quietText = QColor(0xa3, 0xab, 0xb8),
            .addedFill = QColor(0x16, 0x3d, 0x26),
            .removedFill = QColor(0x4c, 0x1f, 0x24),
            .warningText = QColor(0xf0, 0xc0, 0x60),
            .failureText = QColor(0xff, 0x93, 0x8a)};
    }
    return {.userFill = QColor(0xe9, 0xf0, 0xfa),
        .codeFill = QColor(0xf7, 0xf8, 0xfa),
        .codeBar = QColor(0xe9, 0xec, 0xf1),
        .border = QColor(0xc9, 0xcf, 0xd9),
        .quietText = QColor(0x5b, 0x64, 0x73),
        .addedFill = QColor(0xd8, 0xf3, 0xe0),
        .removedFill = QColor(0xfb, 0xdf, 0xe0),
        .warningText = QColor(0x80, 0x54, 0x00),
        .failureText = QColor(0xa5, 0x1d, 0x25)};
}

} // namespace ptxwb
