// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>

#include <array>
#include <cstddef>

namespace ptxwb {

/// Styles of PTX text in the editor; the value is Scintilla's style number (0..31).
enum class PtxStyle : unsigned char {
    Plain, ///< blanks, and what nothing else fits
    Comment,
    Directive,
    Opcode, ///< an ordinary instruction
    OpcodeTensor, ///< wgmma, mma.sync, ldmatrix
    OpcodeCopy, ///< TMA, bulk copies, cp.async
    OpcodeSync, ///< mbarrier, fences, cluster
    OpcodeTcgen05,
    OpcodeSetmaxnreg,
    Modifier,
    Type,
    Register,
    SpecialRegister,
    Identifier,
    Label,
    Predicate,
    Number,
    String,
    Punctuation,
    Preprocessor,
    Invalid,
    LaunchText, ///< the @launch object inside its comment
    LaunchKey,
    LaunchValue,
    LongLine, ///< a line too long to be styled
    LongLineRest, ///< what of it is not drawn
    Count,
};

inline constexpr std::size_t ptxStyleCount = static_cast<std::size_t>(PtxStyle::Count);

/// Every colour the editor draws with. Filled by the theme.
struct EditorColours {
    bool dark = false;
    QColor paper{Qt::white};
    QColor text{Qt::black};
    QColor caretLine{QColor(0xf2, 0xf5, 0xfa)};
    QColor selection{QColor(0xb5, 0xd5, 0xff)};
    QColor marginPaper{QColor(0xf6, 0xf7, 0xf9)};
    QColor marginText{QColor(0x6b, 0x72, 0x80)};
    QColor linkedLine{QColor(0xff, 0xf1, 0xb8)};
    QColor braceMatch{QColor(0x9a, 0xdf, 0xb2)};
    QColor error{QColor(0xc6, 0x28, 0x28)};
    QColor warning{QColor(0x9a, 0x67, 0x00)};
    QColor info{QColor(0x1d, 0x5f, 0xa8)};
    std::array<QColor, ptxStyleCount> styles{};

    const QColor& style(PtxStyle which) const { return styles[static_cast<std::size_t>(which)]; }
};

/// Name of a style in theme files, e.g. "opcodeTensor".
const char* ptxStyleName(PtxStyle style);

/// Styles drawn bold, so that families do not hang on hue alone.
bool isBoldStyle(PtxStyle style);

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

/// "✓", "✗", "?", "–".
QString glyphOf(Tone tone);

} // namespace ptxwb
