// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lexer.h"
#include "widgets/editor/theme_colours.h"

#include <string_view>

namespace ptxwb {

/// Lines longer than this many bytes are drawn plain: styling them would cost more than it tells.
inline constexpr std::size_t longestStyledLineBytes = 16 * 1024;

/// What of a longer line is drawn: measuring millions of characters would stop the window for seconds.
inline constexpr std::size_t longestDrawnLineBytes = 32 * 1024;

/// What one line hands to the next.
struct StylingState {
    LineState lexer = LineState::Code;
    bool inLaunchPlan = false; ///< inside the block comment that holds @launch

    int packed() const { return static_cast<int>(lexer) | (inLaunchPlan ? 0x100 : 0); }
    static StylingState unpacked(int value);
    bool operator==(const StylingState&) const = default;
};

/// Writes one style per byte of `line` (with its line end) to `styles` and says the state after it, and by
/// how much the line changes the depth of braces. Pure.
struct StyledLine {
    StylingState after{};
    int braceDelta = 0;
    bool isBlank = false;
};
StyledLine stylePtxLine(std::string_view line, StylingState before, unsigned char* styles);

} // namespace ptxwb
