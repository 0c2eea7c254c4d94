// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/outline.h"

#include "core/ptx/constant_expression.h"
#include "core/ptx/lexer.h"

#include <algorithm>
#include <charconv>

namespace ptxwb {

namespace {

// The tokens that carry meaning; a sentinel of kind Unknown and length 0 stands behind the last.
std::vector<Token> significantTokens(std::string_view source)
{
    auto tokens = lexPtx(source);
    std::erase_if(tokens, [](const Token& token) {
        switch (token.kind) {
        case TokenKind::Whitespace:
        case TokenKind::LineEnd:
        case TokenKind::LineComment:
        case TokenKind::BlockComment:
        case TokenKind::Preprocessor:
            return true;
        default:
            return false;
        }
    });
    return tokens;
}

int asInt(std::string_view text)
{
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// Bytes of a fundamental type word (".b32" -> 4); 0 for what has no size of its own.
std::uint64_t sizeOfType(std::string_view word)
{
    const auto digits = word.find_first_of("0123456789");
    if (digits == std::string_view::npos) {
        return 0;
    }
    std::uint64_t bits = 0;
    const auto parsed = std::from_chars(word.data() + digits, word.data() + word.size(), bits);
    std::uint64_t lanes = 1;
    if (parsed.ptr != word.data() + word.size() && *parsed.ptr == 'x') {
        std::from_chars(parsed.ptr + 1, word.data() + word.size(), lanes);
    }
    return bits * lanes / 8;
}

class Outliner {
public:
    explicit Outliner(std::string_view source)
        : m_source(source)
        , m_tokens(significantTokens(source))
    {
    }

    PtxOutline run()
    {
        while (!atEnd()) {
            moduleStatement();
        }
        m_outline.hasNonAscii = std::any_of(
            m_source.begin(), m_source.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
        return std::move(m_outline);
    }

private:
    // What a declaration of variables says before its names.
    struct Declarators {
        std::string type;
        int alignment = 0;
        bool pointerSeen = false;
    };

    bool atEnd() const { return m_at >= m_tokens.size(); }
    const Token& token() const { return m_tokens[m_at]; }
    std::string_view text() const { return atEnd() ? std::string_view{} : token().text(m_source); }
    bool is(char punctuation) const
    {
        return !atEnd() && token().length == 1 && m_source[token().offset] == punctuation;
    }
    bool isWord() const
    {
        return !atEnd()
            && (token().kind == TokenKind::Identifier || token().kind == TokenKind::Opcode
                || token().kind == TokenKind::Register);
    }

    int endColumn(const Token& t) const
    {
        const auto bytes = t.text(m_source);
        return static_cast<int>(t.column)
            + static_cast<int>(std::count_if(bytes.begin(), bytes.end(),
                [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    }

    TextRange rangeOf(std::size_t first, std::size_t last) const
    {
        return {static_cast<int>(m_tokens[first].line), static_cast<int>(m_tokens[first].column),
            static_cast<int>(m_tokens[last].line), endColumn(m_tokens[last])};
    }

    void moduleStatement()
    {
        const auto word = text();
        if (word == ".version") {
            headerValue(m_outline.version, m_outline.versionRange);
        } else if (word == ".target") {
            headerValue(m_outline.target, m_outline.targetRange);
        } else if (word == ".address_size") {
            std::optional<std::string> value;
            TextRange ignored;
            headerValue(value, ignored);
            if (value) {
                m_outline.addressSize = asInt(*value);
            }
        } else if (isFunctionWord()) {
            function();
        } else if (isShared()) {
            sharedDeclaration(m_outline.sharedArrays);
        } else {
            ++m_at;
        }
    }

    // The word behind a module directive; only the first occurrence counts.
    void headerValue(std::optional<std::string>& value, TextRange& range)
    {
        const auto line = token().line;
        ++m_at;
        if (!atEnd() && token().line == line && (token().kind == TokenKind::Number || isWord())) {
            if (!value) {
                value = std::string(text());
                range = rangeOf(m_at, m_at);
            }
            ++m_at;
        }
    }

    bool isFunctionWord() const
    {
        return !atEnd() && token().kind == TokenKind::Directive && (text() == ".entry" || text() == ".func");
    }
    bool isShared() const
    {
        return !atEnd() && token().kind == TokenKind::Directive
            && (text() == ".shared" || text() == ".shared::cta");
    }

    void function()
    {
        PtxFunction made;
        const std::size_t first = m_at;
        made.isEntry = text() == ".entry";
        ++m_at;
        if (is('(')) { // what a .func returns
            std::vector<PtxParameter> returned;
            parameterList(returned);
        }
        if (isWord()) {
            made.name = std::string(text());
            made.nameRange = rangeOf(m_at, m_at);
            ++m_at;
        }
        if (is('(')) {
            parameterList(made.parameters);
        }
        while (!atEnd() && !is('{') && !is(';') && !is('}') && !isFunctionWord()) {
            ++m_at; // .maxntid 128 and other performance directives
        }
        if (is(';')) {
            ++m_at;
            return; // a prototype declares nothing of its own
        }
        if (is('{')) {
            body(made);
        }
        made.range = rangeOf(first, std::max(first, m_at == 0 ? m_at : m_at - 1));
        m_outline.functions.push_back(std::move(made));
    }

    void parameterList(std::vector<PtxParameter>& parameters)
    {
        ++m_at;
        while (!atEnd() && !is(')') && !is('{') && !is(';') && !isFunctionWord()) {
            parameter(parameters);
            if (is(',')) {
                ++m_at;
            }
        }
        if (is(')')) {
            ++m_at;
        }
    }

    void parameter(std::vector<PtxParameter>& parameters)
    {
        const std::size_t first = m_at;
        Declarators declared;
        PtxParameter made;
        while (!atEnd() && !is(',') && !is(')') && !is('{') && !is(';') && !isFunctionWord()) {
            if (isWord() && made.name.empty()) {
                made.name = std::string(text());
                ++m_at;
            } else if (is('[')) {
                declared.type += dimensionText();
            } else {
                declaratorWord(declared);
            }
        }
        if (m_at == first) {
            ++m_at;
            return;
        }
        made.type = declared.alignment > 0
            ? ".align " + std::to_string(declared.alignment) + ' ' + declared.type
            : declared.type;
        made.range = rangeOf(first, m_at - 1);
        if (!made.name.empty()) {
            parameters.push_back(std::move(made));
        }
    }

    void declaratorWord(Declarators& declared)
    {
        if (token().kind == TokenKind::Type) {
            declared.type = std::string(text());
        } else if (text() == ".ptr") {
            declared.pointerSeen = true; // an .align behind it speaks of the memory pointed to
        } else if (text() == ".align") {
            ++m_at;
            if (!atEnd() && token().kind == TokenKind::Number && !declared.pointerSeen) {
                declared.alignment = asInt(text());
            }
            if (atEnd() || token().kind != TokenKind::Number) {
                return;
            }
        }
        ++m_at;
    }

    // "[128]" without blanks; stands behind the closing bracket afterwards.
    std::string dimensionText()
    {
        std::string dimension;
        while (!atEnd() && !is(']') && !is(';') && !is('{')) {
            dimension += text();
            ++m_at;
        }
        if (is(']')) {
            dimension += ']';
            ++m_at;
        }
        return dimension;
    }

    void sharedDeclaration(std::vector<PtxSharedArray>& arrays)
    {
        const bool isExtern = m_at > 0 && m_tokens[m_at - 1].text(m_source) == ".extern";
        const std::size_t first = isExtern ? m_at - 1 : m_at;
        Declarators declared;
        while (!atEnd() && !isWord() && !is(';') && !is('}') && !is('{') && !isFunctionWord()) {
            declaratorWord(declared);
        }
        while (isWord()) {
            PtxSharedArray made{
                .name = std::string(text()), .alignment = declared.alignment, .isExtern = isExtern};
            made.bytes = sizeOfType(declared.type);
            ++m_at;
            while (is('[')) {
                const auto dimension = dimensionText();
                made.bytes *= dimension.size() > 2
                    ? evaluateConstant(std::string_view(dimension).substr(1, dimension.size() - 2))
                          .value_or(0)
                    : 0;
            }
            made.range = rangeOf(first, m_at - 1);
            arrays.push_back(std::move(made));
            if (!is(',')) {
                break;
            }
            ++m_at;
        }
    }

    // From the '{' to behind its '}', or to the place where the next function shows that it is missing.
    void body(PtxFunction& made)
    {
        int depth = 0;
        bool statementStart = true;
        while (!atEnd() && !isFunctionWord()) {
            if (is('{')) {
                ++depth;
                statementStart = true;
                ++m_at;
            } else if (is('}')) {
                --depth;
                statementStart = true;
                ++m_at;
                if (depth <= 0) {
                    return;
                }
            } else if (token().kind == TokenKind::Opcode) {
                instruction(made);
                statementStart = true;
            } else if (isShared()) {
                sharedDeclaration(made.sharedArrays);
            } else {
                if (statementStart && isWord() && m_at + 1 < m_tokens.size()
                    && m_tokens[m_at + 1].text(m_source) == ":") {
                    made.labels.emplace_back(text());
                }
                statementStart = is(';') || is(':');
                ++m_at;
            }
        }
    }

    void instruction(PtxFunction& made)
    {
        const std::size_t first = m_at;
        std::uint32_t end = token().offset + token().length;
        ++m_at;
        while (!atEnd() && token().offset == end
            && (token().kind == TokenKind::Modifier || token().kind == TokenKind::Type)) {
            end += token().length;
            ++m_at;
        }
        int depth = 0;
        while (!atEnd() && !is(';') && !isFunctionWord() && (depth > 0 || !is('}'))) {
            depth += is('{') ? 1 : (is('}') ? -1 : 0);
            ++m_at;
        }
        if (is(';')) {
            ++m_at;
        }
        made.instructions.push_back(
            {.opcode = m_source.substr(m_tokens[first].offset, end - m_tokens[first].offset),
                .range = rangeOf(first, m_at - 1)});
    }

    std::string_view m_source;
    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    PtxOutline m_outline;
};

} // namespace

PtxOutline outlinePtx(std::string_view source)
{
    return Outliner(source).run();
}

} // namespace ptxwb
