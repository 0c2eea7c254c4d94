// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/message_parts.h"

#include <algorithm>

namespace ptxwb {

namespace {

constexpr std::size_t pieceBytes = 6'000;
constexpr std::size_t longestPiece = 24'000;
constexpr std::size_t mostParts = 300; ///< drawn per drawnAtOnce bytes: each is a widget

/// Where a paragraph begins that is no part of a list, a table or a quote.
bool beginsAnew(std::string_view text, std::size_t at)
{
    const std::string_view inside = " \t\n-*+>|0123456789";
    return at < text.size() && inside.find(text[at]) == std::string_view::npos;
}

/// Length of the piece that `text` begins with.
std::size_t pieceLength(std::string_view text)
{
    for (std::size_t at = pieceBytes; at + 2 < std::min(text.size(), longestPiece); ++at) {
        if (text[at] == '\n' && text[at + 1] == '\n' && beginsAnew(text, at + 2)) {
            return at + 2;
        }
    }
    if (text.size() <= longestPiece) {
        return text.size();
    }
    std::size_t end = text.rfind('\n', longestPiece - 1);
    if (end != std::string_view::npos && end >= pieceBytes) {
        return end + 1;
    }
    for (end = longestPiece; (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U && end > 1;) {
        --end; // not within a character
    }
    return end;
}

} // namespace

std::vector<std::string_view> piecesOf(std::string_view markdown)
{
    std::vector<std::string_view> pieces;
    while (!markdown.empty()) {
        pieces.push_back(markdown.substr(0, pieceLength(markdown)));
        markdown.remove_prefix(pieces.back().size());
    }
    return pieces;
}

ShownParts shownParts(const llm::Message& message, std::size_t mostBytes)
{
    const std::string text = llm::messageText(message);
    std::vector<llm::Segment> all;
    if (message.role == llm::Role::User) {
        all.push_back({.markdown = text});
    } else {
        all = llm::segments(text);
    }
    ShownParts shown;
    const std::size_t most = mostParts * (mostBytes / drawnAtOnce);
    std::size_t prose = 0;
    for (llm::Segment& part : all) {
        const bool room = prose < mostBytes && shown.parts.size() < most;
        if (part.isCode) {
            if (room) {
                shown.parts.push_back(std::move(part));
            } else {
                shown.leftBytes += part.code.text.size();
            }
            continue;
        }
        if (part.markdown.empty() && room) {
            shown.parts.push_back(std::move(part));
            continue;
        }
        for (const std::string_view piece : piecesOf(part.markdown)) {
            if (shown.leftBytes == 0 && prose < mostBytes && shown.parts.size() < most) {
                shown.parts.push_back({.markdown = std::string(piece)});
                prose += piece.size();
            } else {
                shown.leftBytes += piece.size();
            }
        }
    }
    return shown;
}

} // namespace ptxwb
