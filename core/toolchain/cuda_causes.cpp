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

// What nvcc expects where the next line of code begins, behind a statement that is complete but for a
// character that is none of C++, follows from that character.
bool followsFromToken(const Diagnostic& said, const Diagnostic& token, const std::vector<Line>& lines)
{
    if (!said.message.starts_with("expected ") || said.line <= token.line
        || !startsLine(said, lines[static_cast<std::size_t>(*said.line)].code)) {
        return false;
    }
    const auto code = lines[static_cast<std::size_t>(*token.line)].code;
    const auto last = std::find_if(code.rbegin(), code.rend(), [](char c) {
        constexpr std::string_view passedOver = " \t\r@$`\\#";
        return static_cast<unsigned char>(c) < 0x80 && passedOver.find(c) == std::string_view::npos;
    });
    if (last != code.rend() && *last != ';' && *last != '{' && *last != '}') {
        return false;
    }
    const auto first = lines.begin() + *token.line + 1;
    return std::all_of(first, lines.begin() + *said.line,
        [](const Line& line) { return line.code.find_first_not_of(" \t\r\n") == std::string_view::npos; });
}

bool isOpenComment(const Diagnostic& said)
{
    return said.message.starts_with("unterminated comment")
        || said.message.starts_with("comment unclosed at end of file");
}

// A line that reads like C++, not like words of a comment.
bool readsLikeCode(std::string_view line)
{
    const auto start = line.find_first_not_of(" \t");
    const auto last = line.find_last_not_of(" \t\r");
    if (start == std::string_view::npos) {
        return false;
    }
    constexpr std::string_view ends = ";{}";
    constexpr std::string_view starts = "{}#";
    return ends.find(line[last]) != std::string_view::npos
        || starts.find(line[start]) != std::string_view::npos || line.substr(start).starts_with("//")
        || line.substr(start).starts_with("__global__");
}

// It ends, at the latest, before the first line that reads like code.
void closeComment(Diagnostic& said, const std::vector<Line>& lines)
{
    said.explanation = fmt::format(
        "No */ follows, so everything from line {} on is comment, the end of the kernel too.", *said.line);
    for (auto at = static_cast<std::size_t>(*said.line); at + 1 < lines.size(); ++at) {
        if (!readsLikeCode(lines[at + 1].text)) {
            continue;
        }
        const auto text = lines[at].text;
        const int end = codePointsOf(text.substr(0, text.find_last_not_of(" \t\r") + 1)) + 1;
        const int line = static_cast<int>(at);
        said.fixes.push_back({.title = fmt::format("Close the comment at the end of line {}", line),
            .edits = {{.line = line, .startColumn = end, .endLine = line, .endColumn = end, .text = " */"}}});
        return;
    }
}

// "asm operand type size(4) does not match type/size implied by constraint 'd'"
bool explainConstraint(Diagnostic& said, std::string_view line)
{
    constexpr std::string_view shape = "asm operand type size(";
    constexpr std::string_view behind = "implied by constraint '";
    const auto at = said.message.find(behind);
    if (!said.message.starts_with(shape) || at == std::string::npos
        || at + behind.size() >= said.message.size()) {
        return false;
    }
    const char letter = said.message[at + behind.size()];
    const char bytes = said.message[shape.size()];
    said.explanation = fmt::format(
        "The value has {} bytes. A constraint says which register takes it: \"h\" a .b16, \"r\" a .b32, "
        "\"l\" a .b64, \"f\" a .f32 (float), \"d\" a .f64 (double).",
        bytes);
    std::size_t column = 0; // of the constraint, in bytes
    for (int i = 1; column < line.size() && i < said.column.value_or(1); ++i) {
        do {
            ++column;
        } while (column < line.size() && (static_cast<unsigned char>(line[column]) & 0xC0U) == 0x80U);
    }
    const auto open = line.find(fmt::format("{}\"(", letter), column);
    const bool isDouble = letter == 'f' && bytes == '8';
    const bool isFloat = letter == 'd' && bytes == '4';
    // As wide as its register: it is a float where an integer is meant, or the other way round.
    static constexpr std::array<std::array<char, 3>, 4> alike{
        {{'r', '4', 'f'}, {'f', '4', 'r'}, {'l', '8', 'd'}, {'d', '8', 'l'}}};
    const auto other = std::find_if(
        alike.begin(), alike.end(), [&](const auto& one) { return one[0] == letter && one[1] == bytes; });
    if (other != alike.end()) {
        *said.explanation += fmt::format(" It is as wide as this one, so it is {}.",
            letter == 'r' || letter == 'l' ? "a float" : "no float");
    }
    if (!said.column || open == std::string_view::npos || !(isDouble || isFloat || other != alike.end())) {
        return true;
    }
    const auto edit = [&](std::size_t first, std::size_t end, std::string text) {
        return TextEdit{.line = *said.line,
            .startColumn = codePointsOf(line.substr(0, first)) + 1,
            .endLine = *said.line,
            .endColumn = codePointsOf(line.substr(0, end)) + 1,
            .text = std::move(text)};
    };
    if (other != alike.end()) {
        said.fixes.push_back({.title = fmt::format("Write \"{}\" for \"{}\"", (*other)[2], letter),
            .edits = {edit(open, open + 1, std::string(1, (*other)[2]))}});
    }
    if (isFloat && line.find(".f32") != std::string_view::npos
        && line.find(".f64") == std::string_view::npos) {
        said.fixes.push_back({.title = "Write \"f\" for \"d\"", .edits = {edit(open, open + 1, "f")}});
    }
    if (isDouble) {
        const auto first = open + 3;
        const auto close = line.find(')', first);
        const auto value = line.substr(first, std::min(close, line.size()) - first);
        const bool isLiteral =
            !value.empty() && value.find_first_not_of("0123456789.-") == std::string_view::npos;
        *said.explanation += " 1.0 is a double, 1.0f a float.";
        if (isLiteral && close != std::string_view::npos) {
            said.fixes.push_back(
                {.title = fmt::format("Write {}f", value), .edits = {edit(close, close, "f")}});
        }
    }
    return true;
}

void foldInto(const Diagnostic& cause, int group, std::vector<Diagnostic>& diagnostics)
{
    const int into = cause.group;
    for (auto& one : diagnostics) {
        if (one.group == group) {
            one.group = into;
            one.rootCause = false;
        }
    }
}

} // namespace

void explainCudaErrors(
    std::vector<Diagnostic>& diagnostics, std::string_view text, std::string_view displayName)
{
    const auto wants = [&](const Diagnostic& said) {
        const bool isOfTool = said.tool == "nvcc" || (said.tool == "gcc" && isOpenComment(said));
        return said.rootCause && said.severity <= Severity::Error && isOfTool && said.line
            && said.file == displayName && !said.explanation;
    };
    if (std::none_of(diagnostics.begin(), diagnostics.end(), wants)) {
        return;
    }
    const auto lexed = lexCpp(text);
    const auto lines = linesOf(lexed.code, text);
    const Diagnostic* token = nullptr; // the last that is no part of C++
    for (auto& said : diagnostics) {
        if (!wants(said) || *said.line < 1 || static_cast<std::size_t>(*said.line) >= lines.size()) {
            continue;
        }
        if (token != nullptr && said.group != token->group && followsFromToken(said, *token, lines)) {
            foldInto(*token, said.group, diagnostics);
            continue;
        }
        if (isOpenComment(said)) {
            closeComment(said, lines);
            continue;
        }
        if (explainConstraint(said, lines[static_cast<std::size_t>(*said.line)].text)) {
            continue;
        }
        token = said.message.starts_with("unrecognized token") ? &said : token;
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
