// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/conversation.h"
#include "core/llm/markdown.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Prose of one message that is drawn without being asked for more, in bytes.
constexpr std::size_t drawnAtOnce = 100'000;

struct ShownParts {
    std::vector<llm::Segment> parts{};
    std::size_t leftBytes = 0; ///< of the text behind the last part
};

/// What of a message is drawn: its parts in order up to `mostBytes` of prose, long prose in pieces that a
/// growing answer leaves as they are.
ShownParts shownParts(const llm::Message& message, std::size_t mostBytes);

/// Cuts markdown between paragraphs into pieces of some kilobytes; a paragraph that goes on for tens of them
/// is cut, too. The pieces joined are the text. A longer text has the same pieces but for the last.
std::vector<std::string_view> piecesOf(std::string_view markdown);

} // namespace ptxwb
