// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/token_cursor.h"

#include <bit>
#include <charconv>
#include <cstdlib>

namespace ptxwb::emulator {

TokenCursor::TokenCursor(std::string_view source)
    : m_source(source)
{
    for (const auto& token : lexPtx(source)) {
        m_end.line = token.line;
        switch (token.kind) {
        case TokenKind::Whitespace:
        case TokenKind::LineEnd:
        case TokenKind::LineComment:
        case TokenKind::BlockComment:
        case TokenKind::Preprocessor:
            break;
        default:
            m_tokens.push_back(token);
        }
    }
    m_end.kind = TokenKind::Unknown;
    m_end.offset = static_cast<std::uint32_t>(source.size());
}

const Token& TokenCursor::token(std::size_t ahead) const
{
    return m_at + ahead < m_tokens.size() ? m_tokens[m_at + ahead] : m_end;
}

std::string_view TokenCursor::text(std::size_t ahead) const
{
    return token(ahead).text(m_source);
}

std::string_view TokenCursor::take()
{
    if (atEnd()) {
        fail("the text ends within a statement");
    }
    const auto taken = text();
    ++m_at;
    return taken;
}

bool TokenCursor::takeIf(std::string_view what)
{
    if (!is(what)) {
        return false;
    }
    ++m_at;
    return true;
}

void TokenCursor::expect(std::string_view what)
{
    if (!takeIf(what)) {
        fail("'" + std::string(what) + "' expected, found '" + std::string(text()) + "'");
    }
}

void TokenCursor::skipLine()
{
    const auto start = line();
    while (!atEnd() && line() == start) {
        ++m_at;
    }
}

std::int64_t TokenCursor::integer()
{
    std::int64_t value = integerTerm();
    while (is("+") || is("-")) {
        const bool plus = take() == "+";
        const auto other = static_cast<std::uint64_t>(integerTerm());
        const auto mine = static_cast<std::uint64_t>(value);
        value = static_cast<std::int64_t>(plus ? mine + other : mine - other);
    }
    return value;
}

std::int64_t TokenCursor::integerTerm()
{
    std::int64_t value = integerFactor();
    while (is("*") || is("/")) {
        const bool times = take() == "*";
        const std::int64_t other = integerFactor();
        if (!times && (other == 0 || other == -1)) {
            fail("division by zero in a constant expression");
        }
        value = times
            ? static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * static_cast<std::uint64_t>(other))
            : value / other;
    }
    return value;
}

std::int64_t TokenCursor::integerFactor()
{
    if (takeIf("(")) {
        const std::int64_t value = integer();
        expect(")");
        return value;
    }
    if (takeIf("-")) {
        return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(integerFactor()));
    }
    std::uint64_t value = 0;
    if (!parseInteger(text(), value)) {
        fail("an integer expected, found '" + std::string(text()) + "'");
    }
    take();
    return static_cast<std::int64_t>(value);
}

bool parseInteger(std::string_view text, std::uint64_t& value)
{
    if (!text.empty() && (text.back() == 'U' || text.back() == 'u')) {
        text.remove_suffix(1);
    }
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
        base = 2;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text[0] == '0') {
        base = 8;
        text.remove_prefix(1);
    }
    const auto* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, value, base);
    return parsed.ec == std::errc() && parsed.ptr == end && !text.empty();
}

bool parseFloat(std::string_view text, double& value)
{
    if (text.size() == 10 && text[0] == '0' && (text[1] == 'f' || text[1] == 'F')) {
        std::uint32_t bits = 0;
        const auto parsed = std::from_chars(text.data() + 2, text.data() + 10, bits, 16);
        value = static_cast<double>(std::bit_cast<float>(bits));
        return parsed.ec == std::errc() && parsed.ptr == text.data() + 10;
    }
    if (text.size() == 18 && text[0] == '0' && (text[1] == 'd' || text[1] == 'D')) {
        std::uint64_t bits = 0;
        const auto parsed = std::from_chars(text.data() + 2, text.data() + 18, bits, 16);
        value = std::bit_cast<double>(bits);
        return parsed.ec == std::errc() && parsed.ptr == text.data() + 18;
    }
    const bool isHex = text.size() > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (isHex || text.find_first_of(".eE") == std::string_view::npos) {
        return false;
    }
    const std::string copy(text);
    char* end = nullptr;
    value = std::strtod(copy.c_str(), &end);
    return end == copy.c_str() + copy.size();
}

} // namespace ptxwb::emulator
