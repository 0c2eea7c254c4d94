// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/asm_statements.h"

#include "core/ptx/text_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace ptxwb {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

int hexDigit(char c)
{
    if (isDigit(c)) {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

using Kind = CppToken::Kind;

/// Appends what a string literal says, byte by byte with its origin.
class Literal {
public:
    Literal(std::string_view source, AsmStatement& into)
        : m_source(source)
        , m_into(into)
    {
    }

    void take(const CppToken& token)
    {
        const auto quote = static_cast<std::uint32_t>(m_source.find('"', token.first));
        if (token.isRaw) {
            const auto open = static_cast<std::uint32_t>(m_source.find('(', quote));
            const auto delimiter = open - quote - 1;
            if (token.end < open + delimiter + 3) {
                return; // never closed
            }
            const auto close = token.end - delimiter - 2;
            for (auto at = open + 1; at < close; ++at) {
                put(m_source[at], at);
            }
            m_close = close;
            return;
        }
        m_close = token.end - 1;
        for (auto at = quote + 1; at < m_close; ++at) {
            if (m_source[at] == '\\') {
                at = escape(at);
            } else {
                put(m_source[at], at);
            }
        }
    }

    std::uint32_t close() const { return m_close; }

private:
    void put(char c, std::uint32_t origin)
    {
        m_into.text += c;
        m_into.origins.push_back(origin);
    }

    // The last byte of the escape that starts at `at`.
    std::uint32_t escape(std::uint32_t at)
    {
        const auto next = at + 1;
        const char c = m_source[next];
        constexpr std::string_view names = "ntrvfab\\\"'?";
        constexpr std::string_view values = "\n\t\r\v\f\a\b\\\"'?";
        if (const auto i = names.find(c); i != std::string_view::npos) {
            put(values[i], at);
            return next;
        }
        if (c == '\n') {
            return next; // a spliced line
        }
        if (c == '\r') {
            return next + 1;
        }
        unsigned value = 0;
        auto end = next;
        if (c == 'x') {
            for (++end; end < m_close && hexDigit(m_source[end]) >= 0; ++end) {
                value = value * 16 + static_cast<unsigned>(hexDigit(m_source[end]));
            }
        } else if (c >= '0' && c <= '7') {
            for (; end < m_close && end < next + 3 && m_source[end] >= '0' && m_source[end] <= '7'; ++end) {
                value = value * 8 + static_cast<unsigned>(m_source[end] - '0');
            }
        } else {
            put(c, at);
            return next;
        }
        put(static_cast<char>(value & 0xFFU), at);
        return end - 1;
    }

    std::string_view m_source;
    AsmStatement& m_into;
    std::uint32_t m_close = 0;
};

class Finder {
public:
    Finder(std::string_view source, std::vector<CppToken> tokens, const TextPlaces& places)
        : m_source(source)
        , m_tokens(std::move(tokens))
        , m_places(places)
    {
    }

    std::vector<AsmStatement> run()
    {
        std::vector<AsmStatement> found;
        for (std::size_t i = 0; i < m_tokens.size(); ++i) {
            const auto word = text(i);
            if (m_tokens[i].kind == Kind::Word && (word == "asm" || word == "__asm__" || word == "__asm")) {
                if (auto made = statement(i)) {
                    found.push_back(std::move(*made));
                }
            }
        }
        return found;
    }

private:
    std::string_view text(std::size_t i) const
    {
        return i < m_tokens.size() ? m_source.substr(m_tokens[i].first, m_tokens[i].end - m_tokens[i].first)
                                   : std::string_view{};
    }
    bool isString(std::size_t i) const { return i < m_tokens.size() && m_tokens[i].kind == Kind::String; }

    std::optional<AsmStatement> statement(std::size_t& i) const
    {
        auto at = i + 1;
        while (text(at) == "volatile" || text(at) == "__volatile__" || text(at) == "__volatile"
            || text(at) == "inline" || text(at) == "goto") {
            ++at;
        }
        if (text(at) != "(") {
            return std::nullopt; // a name, or `asm` as a word of something else
        }
        AsmStatement made{.offset = m_tokens[i].first};
        made.line = m_places.lineOf(made.offset);
        ++at;
        readTemplate(made, at);
        for (int section = 0; text(at) == ":" && made.notRead.empty(); ++section) {
            readOperands(made, at, section);
        }
        at = closing(at);
        made.end = at < m_tokens.size() ? m_tokens[at].end : static_cast<std::uint32_t>(m_source.size());
        made.endLine = m_places.lineOf(made.end > 0 ? made.end - 1 : 0);
        i = std::min(at, m_tokens.size());
        if (isOneWord(made)) {
            return std::nullopt;
        }
        return made;
    }

    // `int f() asm("name");` gives a symbol its name, and `asm("pause")` is of the host.
    static bool isOneWord(const AsmStatement& made)
    {
        return made.notRead.empty() && made.operands.empty() && !made.text.empty()
            && made.text.find_first_of(" \t\n;{}:/.%") == std::string::npos;
    }

    void readTemplate(AsmStatement& made, std::size_t& at) const
    {
        Literal literal(m_source, made);
        for (bool isFirst = true; at < m_tokens.size() && text(at) != ":" && text(at) != ")"; ++at) {
            if (!isString(at)) {
                made.notRead = m_tokens[at].kind == Kind::Word
                    ? fmt::format("'{}' stands in its text, a macro or another name", text(at))
                    : fmt::format("'{}' stands in its text", text(at));
                return;
            }
            if (!isFirst) {
                made.pieces.push_back(static_cast<std::uint32_t>(made.text.size()));
            }
            isFirst = false;
            made.isRaw = made.isRaw || m_tokens[at].isRaw;
            literal.take(m_tokens[at]);
        }
        made.origins.push_back(literal.close());
    }

    // `: "=r"(a), [name] "r"(b)`; the third section holds clobbers.
    void readOperands(AsmStatement& made, std::size_t& at, int section) const
    {
        ++at;
        const bool isClobber = section > 1;
        while (at < m_tokens.size() && text(at) != ":" && text(at) != ")") {
            if (text(at) == ",") {
                ++at;
            } else if (isClobber) {
                ++at;
            } else if (text(at) == "[") {
                at += 3; // its name
            } else if (isString(at)) {
                AsmOperand operand{.offset = m_tokens[at].first};
                AsmStatement words;
                for (; isString(at); ++at) {
                    Literal(m_source, words).take(m_tokens[at]);
                }
                operand.constraint = std::move(words.text);
                if (text(at) != "(") {
                    made.notRead = fmt::format("its operand {} is written by a macro", made.operands.size());
                    return;
                }
                const auto close = closing(at + 1);
                const auto from = m_tokens[at].end;
                const auto to = close < m_tokens.size() ? m_tokens[close].first : from;
                operand.expression = m_source.substr(from, to - from);
                made.operands.push_back(std::move(operand));
                at = close + 1;
            } else {
                made.notRead =
                    fmt::format("'{}' stands among its operands, a macro or another name", text(at));
                return;
            }
        }
    }

    // The ')' that closes what is open at token `at`.
    std::size_t closing(std::size_t at) const
    {
        int depth = 0;
        for (; at < m_tokens.size(); ++at) {
            if (m_tokens[at].kind != Kind::Punctuation) {
                continue;
            }
            const char c = m_source[m_tokens[at].first];
            if (c == '(' || c == '{' || c == '[') {
                ++depth;
            } else if ((c == ')' || c == '}' || c == ']') && depth-- == 0) {
                return at;
            } else if (c == ';' && depth == 0) {
                return at;
            }
        }
        return at;
    }

    std::string_view m_source;
    std::vector<CppToken> m_tokens;
    const TextPlaces& m_places;
};

} // namespace

CudaAsm findAsm(std::string_view source)
{
    source = source.substr(0, std::numeric_limits<std::uint32_t>::max() / 2);
    auto text = lexCpp(source);
    const TextPlaces places(source);
    return {.statements = Finder(source, std::move(text.tokens), places).run(),
        .comments = std::move(text.comments),
        .code = std::move(text.code)};
}

} // namespace ptxwb
