// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/editor_colours.h"

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

} // namespace ptxwb
