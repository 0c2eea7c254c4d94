// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lexer.h"
#include "core/support/error.h"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ptxwb::emulator {

/// Thrown within the parser only; parseModule turns it into an Error.
struct ParseFault : std::runtime_error {
    ParseFault(std::uint32_t lineOfFault, const std::string& what)
        : std::runtime_error(what)
        , line(lineOfFault)
    {
    }
    std::uint32_t line;
};

/// The significant tokens of a text (no blanks, comments, marker lines), read one after another.
class TokenCursor {
public:
    explicit TokenCursor(std::string_view source);

    bool atEnd() const { return m_at >= m_tokens.size(); }
    const Token& token(std::size_t ahead = 0) const;
    std::string_view text(std::size_t ahead = 0) const;
    TokenKind kind(std::size_t ahead = 0) const { return token(ahead).kind; }
    bool is(std::string_view what) const { return !atEnd() && text() == what; }
    std::uint32_t line() const { return token().line; }

    std::string_view take();
    bool takeIf(std::string_view what);
    void expect(std::string_view what);
    /// Skips to the end of the line that the cursor stands on.
    void skipLine();
    [[noreturn]] void fail(const std::string& what) const { throw ParseFault(line(), what); }

    /// An integer constant expression up to a token that cannot belong to it.
    std::int64_t integer();

private:
    std::int64_t integerTerm();
    std::int64_t integerFactor();

    std::string_view m_source;
    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    Token m_end{};
};

/// Value of a number token: decimal, hex, octal, binary, with an optional U.
bool parseInteger(std::string_view text, std::uint64_t& value);
/// 0f / 0d / decimal float, as a double.
bool parseFloat(std::string_view text, double& value);

} // namespace ptxwb::emulator
