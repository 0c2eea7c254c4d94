// SPDX-License-Identifier: Apache-2.0
// Faults of the text as a whole: characters, fences, what stands before the module.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace ptxwb::detail {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 24> plainCharacters{{
    {"\u201C", "\""},
    {"\u201D", "\""},
    {"\u201E", "\""},
    {"\u2018", "'"},
    {"\u2019", "'"},
    {"\u2013", "-"},
    {"\u2014", "-"},
    {"\u2212", "-"},
    {"\u00D7", "x"},
    {"\u2264", "<="},
    {"\u2265", ">="},
    {"\u2260", "!="},
    {"\u2192", "->"},
    {"\u2190", "<-"},
    {"\u2026", "..."},
    {"\u00A0", " "},
    {"\u202F", " "},
    {"\u2009", " "},
    {"\u200B", ""},
    {"\uFEFF", ""},
    {"\u00B7", "*"},
    {"\u2248", "~"},
    {"\u2011", "-"},
    {"\u00B5", "u"},
}};

bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string plainFor(std::string_view character, bool inComment)
{
    if (character == "\u00D7" && !inComment) {
        return "*";
    }
    for (const auto& [fancy, plain] : plainCharacters) {
        if (fancy == character) {
            return std::string(plain);
        }
    }
    return inComment ? "?" : "_";
}

// Edits that replace every character beyond ASCII; neighbours share an edit.
Fix replaceNonAscii(std::string_view source)
{
    Fix fix;
    int replaced = 0;
    for (const auto& token : lexPtx(source)) {
        const auto text = token.text(source);
        const bool inComment = token.kind == TokenKind::LineComment || token.kind == TokenKind::BlockComment;
        int line = static_cast<int>(token.line);
        int column = static_cast<int>(token.column);
        for (std::size_t i = 0; i < text.size();) {
            auto end = i + 1;
            while (end < text.size() && isContinuation(text[end])) {
                ++end;
            }
            const bool isAscii = static_cast<unsigned char>(text[i]) < 0x80;
            if (!isAscii || end > i + 1) { // stray bytes behind an ASCII character count to it
                auto plain =
                    isAscii ? text[i] + std::string("?") : plainFor(text.substr(i, end - i), inComment);
                auto* last = fix.edits.empty() ? nullptr : &fix.edits.back();
                if (last != nullptr && last->line == line && last->endColumn == column) {
                    ++last->endColumn;
                    last->text += plain;
                } else {
                    fix.edits.push_back({line, column, line, column + 1, std::move(plain)});
                }
                ++replaced;
            }
            const bool lineEnd =
                text[i] == '\n' || (text[i] == '\r' && !text.substr(i + 1).starts_with('\n'));
            line += lineEnd ? 1 : 0;
            column = lineEnd ? 1 : column + 1;
            i = end;
        }
    }
    fix.title = fmt::format("Replace {} character{} beyond ASCII", replaced, replaced == 1 ? "" : "s");
    return fix;
}

bool isFence(std::string_view line)
{
    const auto first = line.find_first_not_of(' ');
    return first != std::string_view::npos && first < 4
        && (line.substr(first).starts_with("```") || line.substr(first).starts_with("~~~"));
}

std::vector<std::string_view> linesOf(std::string_view source)
{
    std::vector<std::string_view> lines;
    while (true) {
        const auto end = source.find('\n');
        lines.push_back(source.substr(0, end));
        if (end == std::string_view::npos) {
            return lines;
        }
        source.remove_prefix(end + 1);
    }
}

// Removes the fence lines and what a chat answer says before and behind them.
std::optional<Fix> stripFence(std::string_view source)
{
    const auto lines = linesOf(source);
    std::size_t open = 0;
    while (open < lines.size() && !isFence(lines[open])) {
        ++open;
    }
    if (open == lines.size()) {
        return std::nullopt;
    }
    Fix fix{.title = "Remove the Markdown fence"};
    fix.edits.push_back({1, 1, static_cast<int>(open) + 2, 1, ""});
    for (auto close = open + 1; close < lines.size(); ++close) {
        if (isFence(lines[close])) {
            fix.edits.push_back({static_cast<int>(close) + 1, 1, static_cast<int>(lines.size()),
                codePointsOf(lines.back()) + 1, ""});
            break;
        }
    }
    return fix;
}

std::optional<Remedy> missingVersion(const FixContext& context)
{
    if (auto fence = stripFence(context.code.source())) {
        return Remedy{.explanation =
                          "The text is Markdown: the kernel stands between fence lines (```), which are no "
                          "PTX. A module starts with .version.",
            .fixes = {std::move(*fence)}};
    }
    if (context.outline.version) {
        return Remedy{.explanation = "Something stands before .version, which must be the first statement."};
    }
    const std::string target = context.outline.target.value_or(std::string(context.target));
    const auto floor = context.isa != nullptr ? context.isa->minPtxOfTarget(target) : std::string_view{};
    Remedy made{
        .explanation = "A module starts with .version, .target and .address_size; this one has no .version."};
    if (!floor.empty()) {
        const auto version = isLaterVersion(floor, "8.0") ? floor : std::string_view("8.0");
        std::string head = fmt::format(".version {}\n", version);
        if (!context.outline.target) {
            head += fmt::format(".target {}\n.address_size 64\n", target);
        }
        made.fixes.push_back({.title = fmt::format("Insert .version {} at the start", version),
            .edits = {{1, 1, 1, 1, head}}});
    }
    return made;
}

std::optional<Remedy> endOfFile(const FixContext& context)
{
    const auto source = context.code.source();
    if (!source.ends_with('\0')) {
        return std::nullopt;
    }
    const auto lines = linesOf(source);
    const auto last = lines.back();
    const auto text = last.substr(0, last.find_last_not_of('\0') + 1);
    const int line = static_cast<int>(lines.size());
    return Remedy{
        .explanation =
            "A NUL byte stands at the end of the text. NVRTC counts the terminator in the size of its PTX, "
            "so a file written with that size ends with one.",
        .fixes = {{.title = "Remove the NUL byte at the end",
            .edits = {{line, codePointsOf(text) + 1, line, codePointsOf(last) + 1, ""}}}}};
}

} // namespace

std::optional<Remedy> remedyOfText(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (message.find("non-ASCII") != std::string_view::npos) {
        const bool mark = context.code.source().starts_with("\uFEFF");
        return Remedy{.explanation = mark ? "The file starts with a byte order mark (an editor's sign for "
                                            "UTF-8). ptxas reads ASCII only."
                                          : "ptxas reads ASCII only, in comments too. Quotes, dashes and "
                                            "signs like these come from word "
                                            "processors and chat answers.",
            .fixes = {replaceNonAscii(context.code.source())}};
    }
    if (message.starts_with("Missing .version directive")) {
        return missingVersion(context);
    }
    if (message.starts_with("Unexpected EOF")) {
        return endOfFile(context);
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
