// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/theme_colours.h"

namespace ptxwb {

const char* ptxStyleName(PtxStyle style)
{
    static constexpr std::array<const char*, ptxStyleCount> names{"plain", "comment", "directive", "opcode",
        "opcodeTensor", "opcodeCopy", "opcodeSync", "opcodeTcgen05", "opcodeSetmaxnreg", "modifier", "type",
        "register", "specialRegister", "identifier", "label", "predicate", "number", "string", "punctuation",
        "preprocessor", "invalid", "launchText", "launchKey", "launchValue", "longLine", "longLineRest"};
    return names[static_cast<std::size_t>(style)];
}

bool isBoldStyle(PtxStyle style)
{
    switch (style) {
    case PtxStyle::OpcodeTensor:
    case PtxStyle::OpcodeCopy:
    case PtxStyle::OpcodeSync:
    case PtxStyle::OpcodeTcgen05:
    case PtxStyle::OpcodeSetmaxnreg:
    case PtxStyle::Directive:
    case PtxStyle::Label:
        return true;
    default:
        return false;
    }
}

const QColor& StatusColours::ink(Tone tone) const
{
    switch (tone) {
    case Tone::Good:
        return goodInk;
    case Tone::Bad:
        return badInk;
    case Tone::Caution:
        return cautionInk;
    case Tone::Neutral:
        return neutralInk;
    }
    return neutralInk;
}

const QColor& StatusColours::fill(Tone tone) const
{
    switch (tone) {
    case Tone::Good:
        return goodFill;
    case Tone::Bad:
        return badFill;
    case Tone::Caution:
        return cautionFill;
    case Tone::Neutral:
        return neutralFill;
    }
    return neutralFill;
}

QString glyphOf(Tone tone)
{
    switch (tone) {
    case Tone::Good:
        return QStringLiteral("✓");
    case Tone::Bad:
        return QStringLiteral("✗");
    case Tone::Caution:
        return QStringLiteral("?");
    case Tone::Neutral:
        return QStringLiteral("–");
    }
    return {};
}

} // namespace ptxwb
