// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lexer.h"
#include "core/toolchain/diagnostic.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxwb::detail {

/// One instruction as tokens of a CodeText; ends are exclusive.
struct PtxStatement {
    std::size_t first = 0; ///< the predicate's '@' or the opcode
    std::size_t end = 0; ///< the ';', or where it should stand
    std::size_t opcodeFirst = 0;
    std::string_view opcode{}; ///< dotted, as written
    std::vector<std::pair<std::size_t, std::size_t>> operands{};
};

/// PTX text as tokens of code (no blanks, no comments), to look around a message's place.
class CodeText {
public:
    explicit CodeText(std::string_view source);

    std::string_view source() const { return m_source; }
    std::size_t size() const { return m_tokens.size(); }
    const Token& operator[](std::size_t i) const { return m_tokens[i]; }
    std::string_view text(std::size_t i) const; ///< empty behind the last token
    int line(std::size_t i) const { return static_cast<int>(m_tokens[i].line); }
    int column(std::size_t i) const { return static_cast<int>(m_tokens[i].column); }
    int endColumn(std::size_t i) const;

    /// The first token on the line or below it; size() if there is none.
    std::size_t firstOnLine(int line) const;
    /// The token that starts at the place.
    std::optional<std::size_t> tokenAt(int line, int column) const;
    /// Whether token i is a brace of an operand (`{%f1, %f2}`), not of a block.
    bool isOperandBrace(std::size_t i) const;
    /// The instruction that token i belongs to.
    std::optional<PtxStatement> statementAt(std::size_t i) const;

    TextEdit replaceTokens(std::size_t first, std::size_t end, std::string text) const;
    TextEdit insertBehind(std::size_t i, std::string text) const;

private:
    bool opensOperand(std::size_t i) const;
    void findOperandBraces();

    std::string_view m_source;
    std::vector<Token> m_tokens;
    std::vector<bool> m_isOperandBrace; ///< per token
};

/// Per line (index 0 is unused) the line where the statement begins that the line's first token belongs to;
/// the line itself where a statement begins on it or it is blank.
std::vector<int> statementLines(const CodeText& code);

/// Code points of UTF-8 text; a stray continuation byte belongs to what stands before it.
int codePointsOf(std::string_view text);

} // namespace ptxwb::detail
