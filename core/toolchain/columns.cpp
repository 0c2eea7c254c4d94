// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/ptxas_messages.h"

#include "core/ptx/lexer.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ptxwb {

namespace {

bool startsCodePoint(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}
bool isWordByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

int codePoints(std::string_view text)
{
    return static_cast<int>(std::count_if(text.begin(), text.end(), startsCodePoint));
}

// The words in single quotes, in the order in which the message names them.
std::vector<std::string_view> quotedWords(std::string_view message)
{
    std::vector<std::string_view> words;
    for (auto open = message.find('\''); open != std::string_view::npos;
         open = message.find('\'', open + 1)) {
        const auto close = message.find('\'', open + 1);
        if (close == std::string_view::npos) {
            break;
        }
        if (close > open + 1) {
            words.push_back(message.substr(open + 1, close - open - 1));
        }
        open = close;
    }
    return words;
}

struct Span {
    int column = 0;
    int endColumn = 0;
};

// Every place on one line; the caller takes the one that no earlier message of the same words took.
using Spans = std::vector<Span>;

class Lines {
public:
    explicit Lines(std::string_view source)
        : m_source(source)
        , m_tokens(lexPtx(source))
    {
    }

    // Tokens of code on the line, without blanks and comments.
    std::vector<Token> code(int line) const
    {
        std::vector<Token> found;
        for (auto token = firstOf(line); token != m_tokens.end() && static_cast<int>(token->line) == line;
             ++token) {
            const bool blank = token->kind == TokenKind::Whitespace || token->kind == TokenKind::LineEnd;
            const bool comment =
                token->kind == TokenKind::LineComment || token->kind == TokenKind::BlockComment;
            if (!blank && !comment) {
                found.push_back(*token);
            }
        }
        return found;
    }

    // The text of the line without its end.
    std::string_view text(int line) const
    {
        if (line < 1) {
            return {};
        }
        std::size_t at = 0;
        for (int current = 1; current < line; ++current) {
            const auto end = m_source.find_first_of("\r\n", at);
            if (end == std::string_view::npos) {
                return {};
            }
            at = end + (m_source.substr(end, 2) == "\r\n" ? 2 : 1);
        }
        return m_source.substr(at, m_source.find_first_of("\r\n", at) - at);
    }

    std::string_view source() const { return m_source; }

private:
    std::vector<Token>::const_iterator firstOf(int line) const
    {
        return std::lower_bound(m_tokens.begin(), m_tokens.end(), line,
            [](const Token& token, int wanted) { return static_cast<int>(token.line) < wanted; });
    }

    std::string_view m_source;
    std::vector<Token> m_tokens;
};

Span spanOf(const Token& token, std::size_t bytes, std::string_view source)
{
    const auto column = static_cast<int>(token.column);
    return {column, column + codePoints(source.substr(token.offset, bytes))};
}

// The dotted opcode that starts at tokens[i], as far as it is written without a gap.
std::string_view dottedOpcode(const std::vector<Token>& tokens, std::size_t i, std::string_view source)
{
    std::size_t end = tokens[i].offset + tokens[i].length;
    for (std::size_t k = i + 1; k < tokens.size() && tokens[k].offset == end
         && (tokens[k].kind == TokenKind::Modifier || tokens[k].kind == TokenKind::Type);
         ++k) {
        end += tokens[k].length;
    }
    return source.substr(tokens[i].offset, end - tokens[i].offset);
}

Spans spansOfToken(const std::vector<Token>& tokens, std::string_view word, std::string_view source)
{
    Spans spans;
    for (const auto& token : tokens) {
        if (token.text(source) == word) {
            spans.push_back(spanOf(token, token.length, source));
        }
    }
    return spans;
}

// 'redux.f32' of redux.sync.min.f32: the messages leave words out.
Spans spansOfShortenedOpcode(const std::vector<Token>& tokens, std::string_view name, std::string_view source)
{
    Spans spans;
    const auto dot = name.find('.');
    for (std::size_t i = 0; i < tokens.size() && dot != std::string_view::npos; ++i) {
        const auto opcode = dottedOpcode(tokens, i, source);
        if (tokens[i].kind != TokenKind::Opcode || !opcode.starts_with(name.substr(0, dot + 1))) {
            continue;
        }
        std::size_t at = dot;
        for (auto end = dot; at < name.size(); at = end) {
            end = std::min(name.find('.', at + 1), name.size());
            const auto found = opcode.find(name.substr(at, end - at));
            if (found == std::string_view::npos) {
                break;
            }
        }
        if (at >= name.size()) {
            spans.push_back(spanOf(tokens[i], opcode.size(), source));
        }
    }
    return spans;
}

// 'wgmma.mma_async with floating point types' names an opcode in more words than the source; 'mov' may be a
// part.
Spans spansOfOpcode(const std::vector<Token>& tokens, std::string_view word, std::string_view source)
{
    Spans spans;
    const auto name = word.substr(0, word.find(' '));
    for (std::size_t i = 0; i < tokens.size() && !name.empty(); ++i) {
        const auto opcode = dottedOpcode(tokens, i, source);
        const bool wholeParts =
            opcode.starts_with(name) && (opcode.size() == name.size() || !isWordByte(opcode[name.size()]));
        if (tokens[i].kind == TokenKind::Opcode && wholeParts) {
            spans.push_back(spanOf(tokens[i], name.size(), source));
        }
    }
    return spans.empty() ? spansOfShortenedOpcode(tokens, name, source) : spans;
}

Spans spansOfFirstOpcode(const std::vector<Token>& tokens, std::string_view source)
{
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind == TokenKind::Opcode) {
            return {spanOf(tokens[i], dottedOpcode(tokens, i, source).size(), source)};
        }
    }
    return {};
}

Spans spansInText(std::string_view line, std::string_view word)
{
    Spans spans;
    for (auto at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
        const bool startsInWord = at > 0 && isWordByte(line[at - 1]) && isWordByte(word.front());
        const bool endsInWord =
            at + word.size() < line.size() && isWordByte(line[at + word.size()]) && isWordByte(word.back());
        if (!startsInWord && !endsInWord) {
            const int column = codePoints(line.substr(0, at)) + 1;
            spans.push_back({column, column + codePoints(word)});
        }
    }
    return spans;
}

Spans spansOfWord(const Lines& lines, int line, std::string_view word)
{
    const auto tokens = lines.code(line);
    if (auto spans = spansOfToken(tokens, word, lines.source()); !spans.empty()) {
        return spans;
    }
    if (auto spans = spansOfOpcode(tokens, word, lines.source()); !spans.empty()) {
        return spans;
    }
    // Words that are no token of ours (".version 9.9", "a,b"); comments count only when the code has none.
    if (!tokens.empty()) {
        const auto first = tokens.front().offset;
        const auto end = tokens.back().offset + tokens.back().length;
        auto spans = spansInText(lines.source().substr(first, end - first), word);
        for (auto& span : spans) {
            span.column += static_cast<int>(tokens.front().column) - 1;
            span.endColumn += static_cast<int>(tokens.front().column) - 1;
        }
        if (!spans.empty()) {
            return spans;
        }
    }
    return spansInText(lines.text(line), word);
}

Spans spansOfNonAscii(std::string_view line)
{
    Spans spans;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (static_cast<unsigned char>(line[at]) >= 0x80) {
            const int column = codePoints(line.substr(0, at)) + 1;
            spans.push_back({column, column + 1});
            break;
        }
    }
    return spans;
}

// Both texts end alike although nvcc prints __global__ and the like expanded before the caret.
Spans spansAtCaret(std::string_view line, std::string_view atCaret)
{
    const auto trimEnd = [](std::string_view text) {
        const auto last = text.find_last_not_of(" \t\r");
        return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
    };
    line = trimEnd(line);
    atCaret = trimEnd(atCaret);
    if (!line.ends_with(atCaret)) {
        return {};
    }
    std::size_t word = 0;
    while (word < atCaret.size() && isWordByte(atCaret[word])) {
        ++word;
    }
    const int column = codePoints(line.substr(0, line.size() - atCaret.size())) + 1;
    return {{column, column + std::max(1, codePoints(atCaret.substr(0, word)))}};
}

// gcc counts display columns: a tab goes to the next multiple of eight.
Spans spansOfDisplayColumn(std::string_view line, int displayColumn)
{
    int display = 1;
    int column = 1;
    std::size_t at = 0;
    while (at < line.size() && display < displayColumn) {
        display += line[at] == '\t' ? 8 - (display - 1) % 8 : 1;
        ++column;
        do {
            ++at;
        } while (at < line.size() && !startsCodePoint(line[at]));
    }
    std::size_t end = at;
    while (end < line.size() && isWordByte(line[end])) {
        ++end;
    }
    return {{column, column + std::max(1, codePoints(line.substr(at, end - at)))}};
}

Spans candidates(const Lines& lines, const Diagnostic& said)
{
    if (said.tool == "gcc" && said.column) {
        return spansOfDisplayColumn(lines.text(*said.line), *said.column);
    }
    if (!said.textAtCaret.empty()) {
        return spansAtCaret(lines.text(*said.line), said.textAtCaret);
    }
    if (said.message.find("non-ASCII") != std::string::npos) {
        return spansOfNonAscii(lines.text(*said.line));
    }
    for (const auto word : quotedWords(said.message)) {
        if (auto spans = spansOfWord(lines, *said.line, word); !spans.empty()) {
            return spans;
        }
    }
    // "Unsupported .version 9.9" names its directive without quotes.
    for (const std::string_view directive : {".version", ".target", ".address_size"}) {
        if (said.message.find(directive) != std::string::npos) {
            if (auto spans = spansOfToken(lines.code(*said.line), directive, lines.source());
                !spans.empty()) {
                return spans;
            }
        }
    }
    // "Feature '.op_restrict' requires ..." names what the line does not spell: its statement.
    if (said.message.starts_with("Feature ")) {
        return spansOfFirstOpcode(lines.code(*said.line), lines.source());
    }
    return {};
}

} // namespace

void locateColumns(std::vector<Diagnostic>& diagnostics, std::string_view source)
{
    if (std::none_of(diagnostics.begin(), diagnostics.end(),
            [](const Diagnostic& said) { return said.line.has_value(); })) {
        return;
    }
    const Lines lines(source);
    std::map<std::pair<int, std::string>, std::size_t> taken; // the same words again mean the next place
    for (auto& said : diagnostics) {
        if (!said.line) {
            continue;
        }
        const auto spans = candidates(lines, said);
        if (spans.empty()) {
            continue;
        }
        const auto turn = taken[{*said.line, said.message}]++;
        const auto& span = spans[std::min(turn, spans.size() - 1)];
        said.column = span.column;
        said.endColumn = span.endColumn;
    }
}

} // namespace ptxwb
