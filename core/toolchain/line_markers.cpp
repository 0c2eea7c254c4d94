// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/line_markers.h"

#include "core/ptx/lexer.h"

#include <charconv>
#include <optional>
#include <vector>

namespace ptxwb::detail {

namespace {

/// Lines that a marker renumbers: `first` and on, up to the next marker.
struct Stretch {
    std::string file{};
    int saidFirst = 1;
    int first = 1;
    int end = 0; ///< exclusive, in lines of the text; 0: to the end
};

std::string_view trimmed(std::string_view text)
{
    const auto start = text.find_first_not_of(" \t");
    return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

std::optional<Stretch> markerOf(std::string_view directive, int line, const std::string& current)
{
    auto rest = trimmed(directive.substr(1));
    if (rest.starts_with("line")) {
        rest = trimmed(rest.substr(4));
    }
    Stretch made{.file = current, .first = line + 1};
    const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), made.saidFirst);
    if (parsed.ec != std::errc{}) {
        return std::nullopt;
    }
    rest = trimmed(rest.substr(static_cast<std::size_t>(parsed.ptr - rest.data())));
    if (rest.starts_with('"')) {
        rest.remove_prefix(1);
        made.file = std::string(rest.substr(0, rest.find('"')));
    }
    return made;
}

std::vector<Stretch> stretchesOf(std::string_view text, std::string_view displayName)
{
    std::vector<Stretch> stretches{{.file = std::string(displayName)}};
    for (const auto& token : lexPtx(text)) {
        const auto word = token.text(text);
        if (token.kind != TokenKind::Preprocessor || !word.starts_with('#')) {
            continue;
        }
        const auto line = static_cast<int>(token.line);
        if (auto marker = markerOf(word, line, stretches.back().file)) {
            stretches.back().end = line + 1;
            stretches.push_back(std::move(*marker));
        }
    }
    return stretches;
}

} // namespace

void undoLineMarkers(CompilerMessages& messages, std::string_view text, std::string_view displayName)
{
    if (text.find('#') == std::string_view::npos
        || (messages.diagnostics.empty() && messages.notes.empty())) {
        return;
    }
    const auto stretches = stretchesOf(text, displayName);
    if (stretches.size() == 1) {
        return;
    }
    const auto ownLine = [&](const std::string* file, int said) -> std::optional<int> {
        for (const auto& one : stretches) {
            const int line = one.first + said - one.saidFirst;
            if ((file == nullptr || one.file == *file) && line >= one.first
                && (one.end == 0 || line < one.end)) {
                return line;
            }
        }
        return std::nullopt;
    };
    for (auto& said : messages.diagnostics) {
        if (const auto line = said.line ? ownLine(&said.file, *said.line) : std::nullopt) {
            said.line = line;
            said.file = std::string(displayName);
        }
    }
    for (auto& note : messages.notes) {
        if (const auto line = note.line ? ownLine(nullptr, *note.line) : std::nullopt) {
            note.line = line;
        }
    }
}

} // namespace ptxwb::detail
