// SPDX-License-Identifier: Apache-2.0
// Bytes that are no PTX: characters beyond ASCII, NULs, and a comment that takes in the rest of the text.
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/non_ascii.h"
#include "core/toolchain/nul_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxwb::detail {

namespace {

bool isComment(const Token& token)
{
    return token.kind == TokenKind::LineComment || token.kind == TokenKind::BlockComment;
}

std::optional<Remedy> beyondAscii(const FixContext& context)
{
    const auto source = context.code.source();
    const auto tokens = lexPtx(source);
    auto token = tokens.begin();
    auto found = replaceNonAscii(source, [&](std::size_t offset) {
        while (token != tokens.end() && token->offset + token->length <= offset) {
            ++token;
        }
        return token != tokens.end() && isComment(*token) ? TextPart::Comment : TextPart::Code;
    });
    Remedy made;
    made.explanation = source.starts_with("\uFEFF")
        ? "The file starts with a byte order mark (an editor's sign for UTF-8). ptxas reads ASCII only."
        : fmt::format(
            "ptxas reads ASCII only, in comments too. The first character beyond it is {}. Quotes, dashes, "
            "blanks and signs like these come from word processors and chat answers.",
            found.firstWords);
    if (!found.fix.edits.empty()) {
        made.fixes.push_back(std::move(found.fix));
    }
    return made;
}

std::optional<Remedy> nulBytes(const FixContext& context)
{
    const auto source = context.code.source();
    const auto first = source.find('\0');
    if (first == std::string_view::npos) {
        return std::nullopt;
    }
    const auto count = std::count(source.begin(), source.end(), '\0');
    const bool atEnd =
        source.find_first_not_of(std::string_view("\0\r\n\t ", 5), first) == std::string_view::npos;
    auto fix = nulRemoval(source);
    return Remedy{.explanation = atEnd
            ? fmt::format(
                "{} at the end of the text. NVRTC counts the terminator in the size of its PTX, so a file "
                "written with that size ends with one; a buffer written whole ends with more.",
                count == 1 ? "A NUL byte stands" : fmt::format("{} NUL bytes stand", count))
            : "ptxas ends reading at a NUL byte. One within the text comes from a buffer that was written "
              "whole.",
        .fixes = {std::move(fix)}};
}

// A line that reads like PTX, not like words of a comment.
bool readsLikeCode(std::string_view line)
{
    const auto start = line.find_first_not_of(" \t");
    const auto last = line.find_last_not_of(" \t\r");
    if (start == std::string_view::npos) {
        return false;
    }
    constexpr std::array<std::string_view, 5> starts{".", "@", "{", "}", "//"};
    const auto words = line.substr(start, last + 1 - start);
    const bool isLabel = words.ends_with(':') && words.find(' ') == std::string_view::npos;
    return isLabel || line[last] == ';' || line[last] == '{' || line[last] == '}'
        || std::any_of(starts.begin(), starts.end(),
            [&](std::string_view sign) { return line.substr(start).starts_with(sign); });
}

std::optional<Remedy> openComment(const Cause& cause, const FixContext& context)
{
    const auto source = context.code.source();
    const auto tokens = lexPtx(source);
    const auto open = std::find_if(tokens.rbegin(), tokens.rend(), [&](const Token& token) {
        const auto text = token.text(source);
        return token.kind == TokenKind::BlockComment && (text.size() < 4 || !text.ends_with("*/"));
    });
    if (open == tokens.rend()) {
        return std::nullopt;
    }
    const int line = static_cast<int>(open->line);
    const int column = static_cast<int>(open->column);
    Remedy made{
        .explanation = fmt::format("Found by the workbench: no */ follows, so everything from line {} on is "
                                   "comment, the end of the kernel too.",
            line),
        .betterRoot = Diagnostic{.severity = cause.root->severity,
            .message = "the comment that opens here is never closed",
            .file = std::string(context.displayName),
            .line = line,
            .column = column,
            .endColumn = column + 2,
            .tool = "ptxwb"}};
    // It ends, at the latest, before the first line that reads like code; which end leaves a text that
    // compiles is ptxas's to say.
    constexpr std::size_t mostEnds = 6;
    auto at = source.find('\n', open->offset);
    int endLine = line;
    auto lineStart = open->offset;
    int startColumn = column;
    while (at != std::string_view::npos) {
        const auto next = source.substr(at + 1, source.find('\n', at + 1) - (at + 1));
        const bool isLast = readsLikeCode(next);
        const auto before = source.substr(lineStart, at - lineStart);
        const auto text = before.substr(0, before.find_last_not_of(" \t\r") + 1);
        if (!text.empty()) {
            const int end = startColumn + codePointsOf(text);
            Fix fix{.title = fmt::format("Close the comment at the end of line {}", endLine),
                .edits = {{endLine, end, endLine, end, " */"}}};
            if (made.fixes.size() == mostEnds) {
                made.fixes.back() = std::move(fix);
            } else {
                made.fixes.push_back(std::move(fix));
            }
        }
        if (isLast) {
            std::reverse(made.fixes.begin(), made.fixes.end()); // words of the comment are no code
            break;
        }
        lineStart = static_cast<std::uint32_t>(at) + 1;
        startColumn = 1;
        ++endLine;
        at = source.find('\n', at + 1);
    }
    if (at == std::string_view::npos) { // nothing behind it reads like code
        made.fixes.clear();
    }
    return made;
}

// A string ends with its line.
std::optional<Remedy> openString(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const int line = cause.root->line.value_or(0);
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto text = code.text(i);
        const bool isOpen = text.starts_with('"') && (text.size() < 2 || !text.ends_with('"'));
        if (!isOpen) {
            continue;
        }
        auto last = i;
        while (last + 1 < code.size() && code.line(last + 1) == line) {
            ++last;
        }
        const auto whole =
            code.source().substr(code[i].offset, code[last].offset + code[last].length - code[i].offset);
        const bool hasEnd = whole.ends_with(';');
        const int end = code.endColumn(last) - (hasEnd ? 1 : 0);
        return Remedy{.explanation = "The string that opens here is not closed on its line.",
            .fixes = {{.title = "Close the string", .edits = {{line, end, line, end, "\""}}}}};
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfText(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (message.find("non-ASCII") != std::string_view::npos) {
        return beyondAscii(context);
    }
    if (message.starts_with("Unexpected EOF")) {
        return nulBytes(context);
    }
    if (message.find("unexpected EOF while scanning") != std::string_view::npos) {
        return openComment(cause, context);
    }
    return message.starts_with("Parsing error near '\"'") ? openString(cause, context) : std::nullopt;
}

} // namespace ptxwb::detail
