// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>

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

} // namespace ptxwb
