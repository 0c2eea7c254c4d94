// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/code_text.h"

#include <algorithm>

namespace ptxwb::detail {

std::vector<int> statementLines(const CodeText& code)
{
    std::vector<int> lines;
    int begun = 0; // line of the statement's first token, 0 between statements
    for (std::size_t i = 0; i < code.size(); ++i) {
        const int line = code.line(i);
        while (static_cast<int>(lines.size()) <= line) {
            lines.push_back(static_cast<int>(lines.size()));
        }
        const bool isFirstOfLine = i == 0 || code.line(i - 1) < line;
        if (isFirstOfLine && begun > 0) {
            lines[static_cast<std::size_t>(line)] = begun;
        }
        const auto word = code.text(i);
        const bool ends =
            word == ";" || word == ":" || ((word == "{" || word == "}") && !code.isOperandBrace(i));
        begun = ends ? 0 : begun > 0 ? begun : line;
    }
    return lines;
}

int codePointsOf(std::string_view text)
{
    return static_cast<int>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

CodeText::CodeText(std::string_view source)
    : m_source(source)
    , m_tokens(lexPtx(source))
{
    std::erase_if(m_tokens, [](const Token& token) {
        return token.kind == TokenKind::Whitespace || token.kind == TokenKind::LineEnd
            || token.kind == TokenKind::LineComment || token.kind == TokenKind::BlockComment
            || token.kind == TokenKind::Preprocessor;
    });
    findOperandBraces();
}

std::string_view CodeText::text(std::size_t i) const
{
    return i < m_tokens.size() ? m_tokens[i].text(m_source) : std::string_view{};
}

int CodeText::endColumn(std::size_t i) const
{
    return column(i) + codePointsOf(text(i));
}

std::size_t CodeText::firstOnLine(int line) const
{
    const auto found = std::lower_bound(m_tokens.begin(), m_tokens.end(), line,
        [](const Token& token, int wanted) { return static_cast<int>(token.line) < wanted; });
    return static_cast<std::size_t>(found - m_tokens.begin());
}

std::optional<std::size_t> CodeText::tokenAt(int line, int column) const
{
    for (auto i = firstOnLine(line); i < size() && this->line(i) == line; ++i) {
        if (this->column(i) == column) {
            return i;
        }
    }
    return std::nullopt;
}

bool CodeText::opensOperand(std::size_t i) const
{
    if (i == 0) {
        return false;
    }
    const auto before = text(i - 1);
    const auto kind = m_tokens[i - 1].kind;
    const bool behindOpcode =
        kind == TokenKind::Opcode || kind == TokenKind::Modifier || kind == TokenKind::Type;
    return before == "," || before == "[" || before == "=" || behindOpcode;
}

void CodeText::findOperandBraces()
{
    struct Open {
        bool isOperand = false;
        bool holdsStatement = false; ///< a ';' stands in it, so it is a block after all
    };
    std::vector<Open> open;
    m_isOperandBrace.assign(size(), false);
    for (std::size_t i = 0; i < size(); ++i) {
        const auto word = text(i);
        if (word == "{") {
            m_isOperandBrace[i] = opensOperand(i);
            open.push_back({.isOperand = m_isOperandBrace[i]});
        } else if (word == ";" && !open.empty()) {
            open.back().holdsStatement = true;
        } else if (word == "}" && !open.empty()) {
            m_isOperandBrace[i] = open.back().isOperand && !open.back().holdsStatement;
            open.pop_back();
        }
    }
}

bool CodeText::isOperandBrace(std::size_t i) const
{
    return m_isOperandBrace[i];
}

std::optional<PtxStatement> CodeText::statementAt(std::size_t i) const
{
    if (i >= size()) {
        return std::nullopt;
    }
    const auto isBorder = [&](std::size_t k) {
        const auto word = text(k);
        return word == ";" || word == ":" || ((word == "{" || word == "}") && !isOperandBrace(k));
    };
    PtxStatement made{.first = i, .end = i};
    while (made.first > 0 && !isBorder(made.first - 1)) {
        --made.first;
    }
    while (made.end < size() && !isBorder(made.end)) {
        ++made.end;
    }
    made.opcodeFirst = made.first;
    while (made.opcodeFirst < made.end && m_tokens[made.opcodeFirst].kind != TokenKind::Opcode) {
        ++made.opcodeFirst;
    }
    if (made.opcodeFirst == made.end) {
        return std::nullopt;
    }
    auto at = made.opcodeFirst;
    auto offset = m_tokens[at].offset;
    while (at < made.end && m_tokens[at].offset == offset
        && (at == made.opcodeFirst || m_tokens[at].kind == TokenKind::Modifier
            || m_tokens[at].kind == TokenKind::Type)) {
        offset += m_tokens[at].length;
        ++at;
    }
    const auto start = m_tokens[made.opcodeFirst].offset;
    made.opcode = m_source.substr(start, offset - start);
    int depth = 0;
    auto operand = at;
    for (; at < made.end; ++at) {
        const auto word = text(at);
        depth += word == "{" || word == "[" || word == "(" ? 1 : 0;
        depth -= word == "}" || word == "]" || word == ")" ? 1 : 0;
        if (word == "," && depth == 0) {
            made.operands.emplace_back(operand, at);
            operand = at + 1;
        }
    }
    if (operand < made.end) {
        made.operands.emplace_back(operand, made.end);
    }
    return made;
}

TextEdit CodeText::replaceTokens(std::size_t first, std::size_t end, std::string text) const
{
    return {.line = line(first),
        .startColumn = column(first),
        .endLine = line(end - 1),
        .endColumn = endColumn(end - 1),
        .text = std::move(text)};
}

TextEdit CodeText::insertBehind(std::size_t i, std::string text) const
{
    return {.line = line(i),
        .startColumn = endColumn(i),
        .endLine = line(i),
        .endColumn = endColumn(i),
        .text = std::move(text)};
}

} // namespace ptxwb::detail
