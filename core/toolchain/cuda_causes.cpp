// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/cuda_causes.h"

#include "core/ptx/cpp_lexer.h"
#include "core/toolchain/code_text.h"
#include "core/toolchain/non_ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace ptxwb::detail {

namespace {

struct Line {
    std::string_view code; ///< comments and strings blanked
    std::string_view text;
};

std::vector<Line> linesOf(std::string_view code, std::string_view text)
{
    std::vector<Line> lines{{}};
    while (true) {
        const auto end = code.find('\n');
        lines.push_back({code.substr(0, end), text.substr(0, end)});
        if (end == std::string_view::npos) {
            return lines;
        }
        code.remove_prefix(end + 1);
        text.remove_prefix(end + 1);
    }
}

bool isWord(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// A line that may end without a semicolon although nothing goes on behind it.
bool isHead(std::string_view code)
{
    const auto start = code.find_first_not_of(" \t");
    if (start == std::string_view::npos) {
        return true;
    }
    code.remove_prefix(start);
    constexpr std::array<std::string_view, 13> words{"#", "if", "for", "while", "else", "do", "template",
        "switch", "__global__", "namespace", "struct", "class", "extern"};
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return code.starts_with(word)
            && (code.size() == word.size() || word == "#" || !isWord(code[word.size()]));
    });
}

// The line above `line` that holds code and ends as a statement does that lacks its semicolon.
std::optional<int> unendedAbove(const std::vector<Line>& lines, int line)
{
    for (int above = line - 1; above > 0; --above) {
        const auto code = lines[static_cast<std::size_t>(above)].code;
        const auto last = code.find_last_not_of(" \t\r");
        if (last == std::string_view::npos) {
            continue;
        }
        const bool ends = isWord(code[last]) || code[last] == ')' || code[last] == ']';
        return ends && !isHead(code) ? std::optional(above) : std::nullopt;
    }
    return std::nullopt;
}

// Whether code stands before the place that nvcc names: then the fault is more likely on its own line.
bool startsLine(const Diagnostic& said, std::string_view code)
{
    constexpr std::string_view prefixes = " \t*&(+-";
    const auto column = static_cast<std::size_t>(std::max(1, said.column.value_or(1))) - 1;
    const auto start = code.find_first_not_of(" \t");
    if (start == std::string_view::npos || column <= start) {
        return true;
    }
    return code.substr(0, column).find_first_not_of(prefixes) == std::string_view::npos;
}

// `a[0] = 1 }`: the semicolon belongs behind the code that stands before the place.
std::optional<Fix> semicolonBefore(const Diagnostic& said, const Line& line)
{
    if (!said.column) {
        return std::nullopt;
    }
    std::size_t at = 0; // of the place, in bytes
    for (int column = 1; at < line.text.size() && column < *said.column; ++column) {
        do {
            ++at;
        } while (at < line.text.size() && (static_cast<unsigned char>(line.text[at]) & 0xC0U) == 0x80U);
    }
    const auto last = line.code.substr(0, at).find_last_not_of(" \t");
    if (last == std::string_view::npos
        || !(isWord(line.code[last]) || line.code[last] == ')' || line.code[last] == ']')) {
        return std::nullopt;
    }
    const int column = codePointsOf(line.text.substr(0, last + 1)) + 1;
    return Fix{.title = fmt::format("Insert ';' in line {}", *said.line),
        .edits = {{.line = *said.line,
            .startColumn = column,
            .endLine = *said.line,
            .endColumn = column,
            .text = ";"}}};
}

} // namespace

void explainCudaErrors(
    std::vector<Diagnostic>& diagnostics, std::string_view text, std::string_view displayName)
{
    const auto wants = [&](const Diagnostic& said) {
        return said.rootCause && said.severity <= Severity::Error && said.tool == "nvcc" && said.line
            && said.file == displayName && !said.explanation;
    };
    if (std::none_of(diagnostics.begin(), diagnostics.end(), wants)) {
        return;
    }
    const auto lexed = lexCpp(text);
    const auto lines = linesOf(lexed.code, text);
    for (auto& said : diagnostics) {
        if (!wants(said) || *said.line < 1 || static_cast<std::size_t>(*said.line) >= lines.size()) {
            continue;
        }
        const auto& here = lines[static_cast<std::size_t>(*said.line)].code;
        if (std::any_of(
                here.begin(), here.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
            auto found = replaceNonAscii(text, [&](std::size_t at) {
                return lexed.code[at] == text[at] ? TextPart::Code : TextPart::Untouched;
            });
            said.explanation =
                fmt::format("A character beyond ASCII stands in the code; the first is {}. It looks like a "
                            "sign of C++ and is none.",
                    found.firstWords);
            if (!found.fix.edits.empty()) {
                said.fixes.push_back(std::move(found.fix));
            }
            continue;
        }
        if (said.message.starts_with("unrecognized token")) {
            said.explanation =
                "This character, or byte, is no part of C++ outside of strings and comments: a "
                "quote of a word processor, an invisible space, or text that is not UTF-8.";
            continue;
        }
        const bool saysSo = said.message.starts_with("expected a \";\"");
        const auto above = unendedAbove(lines, *said.line);
        if (!above || !startsLine(said, lines[static_cast<std::size_t>(*said.line)].code)) {
            if (saysSo) {
                said.explanation = "The statement before this place does not end with ';'.";
                if (auto fix = semicolonBefore(said, lines[static_cast<std::size_t>(*said.line)])) {
                    said.fixes.push_back(std::move(*fix));
                }
            }
            continue;
        }
        const auto line = lines[static_cast<std::size_t>(*above)];
        const auto end = line.code.substr(0, line.code.find_last_not_of(" \t\r") + 1).size();
        const int column = codePointsOf(line.text.substr(0, end)) + 1;
        said.explanation = fmt::format("Line {} does not end with ';'{}", *above,
            saysSo ? ", so the compiler reads on and stumbles here."
                   : "; if its statement is complete, the compiler reads on and stumbles here.");
        said.fixes.push_back({.title = fmt::format("Insert ';' at the end of line {}", *above),
            .edits = {{.line = *above,
                .startColumn = column,
                .endLine = *above,
                .endColumn = column,
                .text = ";"}}});
    }
}

} // namespace ptxwb::detail
