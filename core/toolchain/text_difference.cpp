// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/text_difference.h"

#include "core/toolchain/code_text.h"

#include <algorithm>

namespace ptxwb::detail {

namespace {

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

bool isWithinCharacter(std::string_view text, std::size_t at)
{
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

struct Differing {
    std::size_t first = 0;
    std::size_t fromEnd = 0;
    std::size_t toEnd = 0;
};

Differing differing(std::string_view from, std::string_view to)
{
    Differing made;
    const auto shorter = std::min(from.size(), to.size());
    while (made.first < shorter && from[made.first] == to[made.first]) {
        ++made.first;
    }
    while (made.first > 0 && (isWithinCharacter(from, made.first) || isWithinCharacter(to, made.first))) {
        --made.first;
    }
    made.fromEnd = from.size();
    made.toEnd = to.size();
    while (made.fromEnd > made.first && made.toEnd > made.first
        && from[made.fromEnd - 1] == to[made.toEnd - 1]) {
        --made.fromEnd;
        --made.toEnd;
    }
    while (isWithinCharacter(from, made.fromEnd) || isWithinCharacter(to, made.toEnd)) {
        ++made.fromEnd;
        ++made.toEnd;
    }
    return made;
}

} // namespace

std::vector<TextEdit> differenceOf(std::string_view from, std::string_view to)
{
    const auto before = linesOf(from);
    const auto after = linesOf(to);
    std::vector<TextEdit> edits;
    if (before.size() == after.size()) {
        for (std::size_t k = 0; k < before.size(); ++k) {
            if (before[k] == after[k]) {
                continue;
            }
            const auto part = differing(before[k], after[k]);
            const int line = static_cast<int>(k) + 1;
            edits.push_back({.line = line,
                .startColumn = codePointsOf(before[k].substr(0, part.first)) + 1,
                .endLine = line,
                .endColumn = codePointsOf(before[k].substr(0, part.fromEnd)) + 1,
                .text = std::string(after[k].substr(part.first, part.toEnd - part.first))});
        }
        return edits;
    }
    const auto part = differing(from, to);
    const auto place = [&](std::size_t at) {
        const auto start = at == 0 ? std::string_view::npos : from.rfind('\n', at - 1);
        const auto first = start == std::string_view::npos ? 0 : start + 1;
        return std::pair(
            static_cast<int>(std::count(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(at), '\n'))
                + 1,
            codePointsOf(from.substr(first, at - first)) + 1);
    };
    const auto [line, column] = place(part.first);
    const auto [endLine, endColumn] = place(part.fromEnd);
    edits.push_back({.line = line,
        .startColumn = column,
        .endLine = endLine,
        .endColumn = endColumn,
        .text = std::string(to.substr(part.first, part.toEnd - part.first))});
    return edits;
}

} // namespace ptxwb::detail
