// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/cpp_lexer.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

using Kind = CppToken::Kind;

bool isWordByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
        || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// C++ text as words, strings and single characters.
class CppLexer {
public:
    CppLexer(std::string_view source, CppText& found)
        : m_source(source)
        , m_found(found)
    {
        m_found.code = std::string(source);
    }

    void run()
    {
        while (m_at < m_source.size()) {
            next();
        }
    }

private:
    char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0';
    }

    void blank(std::size_t first, std::size_t end)
    {
        for (auto i = first; i < end; ++i) {
            m_found.code[i] = m_source[i] == '\n' ? '\n' : ' ';
        }
    }

    // The end of the logical line: a backslash before the line's end goes on with the next.
    std::size_t lineEnd(std::size_t from) const
    {
        for (auto at = m_source.find('\n', from); at != std::string_view::npos;
             at = m_source.find('\n', at + 1)) {
            const auto before = at > 0 && m_source[at - 1] == '\r' ? at - 1 : at;
            if (before == 0 || m_source[before - 1] != '\\') {
                return at;
            }
        }
        return m_source.size();
    }

    void comment(std::size_t end)
    {
        m_found.comments.push_back(
            {.text = m_source.substr(m_at, end - m_at), .offset = static_cast<std::uint32_t>(m_at)});
        blank(m_at, end);
        m_at = end;
    }

    void next()
    {
        const char c = peek();
        if (c == '\n') {
            m_startsLine = true;
            ++m_at;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++m_at;
        } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
            m_at += peek(1) == '\n' ? 2 : 3;
        } else if (c == '/' && peek(1) == '/') {
            comment(lineEnd(m_at));
        } else if (c == '/' && peek(1) == '*') {
            const auto close = m_source.find("*/", m_at + 2);
            comment(close == std::string_view::npos ? m_source.size() : close + 2);
        } else if (c == '#' && m_startsLine) {
            directive();
        } else {
            m_startsLine = false;
            code(c);
        }
    }

    void code(char c)
    {
        if (c == '"') {
            string(m_at, false);
        } else if (c == '\'') {
            character();
        } else if (isWordByte(c)) {
            word();
        } else {
            add(Kind::Punctuation, m_at + 1);
        }
    }

    void add(Kind kind, std::size_t end, bool isRaw = false)
    {
        m_found.tokens.push_back({.kind = kind,
            .first = static_cast<std::uint32_t>(m_at),
            .end = static_cast<std::uint32_t>(end),
            .isRaw = isRaw});
        m_at = end;
    }

    void word()
    {
        auto end = m_at;
        const bool isNumber = isDigit(m_source[m_at]);
        while (end < m_source.size()
            && (isWordByte(m_source[end])
                || (isNumber && m_source[end] == '\'' && end + 1 < m_source.size()
                    && isWordByte(m_source[end + 1])))) {
            ++end;
        }
        const auto text = m_source.substr(m_at, end - m_at);
        const bool isPrefix = end < m_source.size() && m_source[end] == '"'
            && (text == "R" || text == "u8R" || text == "uR" || text == "UR" || text == "LR" || text == "u8"
                || text == "u" || text == "U" || text == "L");
        if (isPrefix) {
            string(end, text.back() == 'R');
            return;
        }
        add(Kind::Word, end);
    }

    // From m_at (a prefix, perhaps) with its quote at `quote`.
    void string(std::size_t quote, bool isRaw)
    {
        std::size_t end = m_source.size();
        if (isRaw) {
            const auto open = m_source.find('(', quote);
            if (open != std::string_view::npos && open - quote <= 17) {
                const auto close = fmt::format("){}\"", m_source.substr(quote + 1, open - quote - 1));
                const auto at = m_source.find(close, open);
                end = at == std::string_view::npos ? m_source.size() : at + close.size();
            }
        } else {
            end = quote + 1;
            while (end < m_source.size() && m_source[end] != '"' && m_source[end] != '\n') {
                const bool escape = m_source[end] == '\\' && end + 1 < m_source.size();
                end += escape && m_source[end + 1] == '\r' ? 3 : (escape ? 2 : 1);
            }
            end = std::min(m_source.size(),
                end < m_source.size() && m_source[end] == '"' ? end + 1 : std::max(end, quote + 1));
        }
        blank(m_at, end);
        add(Kind::String, end, isRaw);
    }

    void character()
    {
        auto end = m_at + 1;
        while (end < m_source.size() && m_source[end] != '\'' && m_source[end] != '\n') {
            end += m_source[end] == '\\' && end + 1 < m_source.size() ? 2 : 1;
        }
        blank(m_at, std::min(end + 1, m_source.size()));
        m_at = std::min(end + 1, m_source.size());
    }

    // A macro's body is code; of the other directives only `#if 0` matters.
    void directive()
    {
        const auto end = lineEnd(m_at);
        auto at = m_source.find_first_not_of(" \t", m_at + 1);
        at = std::min(at, end);
        auto wordEnd = at;
        while (wordEnd < end && isWordByte(m_source[wordEnd])) {
            ++wordEnd;
        }
        const auto name = m_source.substr(at, wordEnd - at);
        if (name == "define") {
            m_at = wordEnd;
            m_startsLine = false;
            return;
        }
        const auto rest = m_source.substr(wordEnd, end - wordEnd);
        const auto said = rest.find_first_not_of(" \t");
        const bool isZero = name == "if" && said != std::string_view::npos && rest[said] == '0'
            && (said + 1 == rest.size()
                || std::string_view(" \t\r/").find(rest[said + 1]) != std::string_view::npos);
        m_at = isZero ? dead(end) : end;
    }

    // From below `#if 0` to its #else, #elif or #endif.
    std::size_t dead(std::size_t from)
    {
        int depth = 0;
        auto at = from;
        while (at < m_source.size()) {
            const auto line = at + 1;
            const auto end = lineEnd(line);
            const auto hash = m_source.find_first_not_of(" \t", line);
            if (hash < end && m_source[hash] == '#') {
                const auto name = m_source.substr(std::min(m_source.find_first_not_of(" \t", hash + 1), end));
                if (name.starts_with("if")) {
                    ++depth;
                } else if (depth == 0
                    && (name.starts_with("endif") || name.starts_with("else") || name.starts_with("elif"))) {
                    blank(from, line);
                    return end;
                } else if (name.starts_with("endif")) {
                    --depth;
                }
            }
            at = end;
        }
        blank(from, m_source.size());
        return m_source.size();
    }

    std::string_view m_source;
    CppText& m_found;
    std::size_t m_at = 0;
    bool m_startsLine = true;
};

} // namespace

CppText lexCpp(std::string_view source)
{
    CppText found;
    CppLexer(source, found).run();
    return found;
}

} // namespace ptxwb
