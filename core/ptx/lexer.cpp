// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lexer.h"

#include "core/ptx/vocabulary.h"

#include <algorithm>
#include <limits>

namespace ptxwb {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isWordStart(char c)
{
    return isLetter(c) || c == '_' || c == '$';
}
bool isWord(char c)
{
    return isWordStart(c) || isDigit(c);
}
bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}
bool isLineEnd(char c)
{
    return c == '\n' || c == '\r';
}
bool isHighByte(char c)
{
    return static_cast<unsigned char>(c) >= 0x80;
}
bool isContinuationByte(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

class Lexer {
public:
    Lexer(std::string_view source, LineState state)
        : m_source(source)
    {
        m_tokens.reserve(source.size() / 4 + 8);
        if (state == LineState::InInstruction || state == LineState::InBlockCommentOfInstruction) {
            m_mode = Mode::Instruction;
        } else if (state == LineState::InDirective) {
            m_mode = Mode::Directive;
        }
        m_inBlockComment =
            state == LineState::InBlockComment || state == LineState::InBlockCommentOfInstruction;
    }

    std::vector<Token> run()
    {
        if (m_inBlockComment && !m_source.empty()) {
            add(TokenKind::BlockComment, blockCommentEnd(0));
        }
        while (m_at < m_source.size()) {
            next();
        }
        return std::move(m_tokens);
    }

    LineState endState() const
    {
        if (m_inBlockComment) {
            return m_mode == Mode::Instruction ? LineState::InBlockCommentOfInstruction
                                               : LineState::InBlockComment;
        }
        switch (m_mode) {
        case Mode::Instruction:
            return LineState::InInstruction;
        case Mode::Directive:
        case Mode::Initializer:
            return LineState::InDirective;
        default:
            return LineState::Code;
        }
    }

private:
    // What a word means depends on where in a statement it stands.
    enum class Mode : std::uint8_t {
        StatementStart,
        AfterPredicate,
        Instruction,
        Directive,
        LineDirective,
        Initializer
    };

    char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_source.size() ? m_source[m_at + ahead] : '\0';
    }

    template <class Predicate> std::size_t scan(std::size_t from, Predicate accepts) const
    {
        while (from < m_source.size() && accepts(m_source[from])) {
            ++from;
        }
        return from;
    }

    void add(TokenKind kind, std::size_t end)
    {
        m_tokens.push_back({.kind = kind,
            .offset = static_cast<std::uint32_t>(m_at),
            .length = static_cast<std::uint32_t>(end - m_at),
            .line = m_line,
            .column = m_column});
        if (kind == TokenKind::LineEnd) {
            ++m_line;
            m_column = 1;
        } else if (kind == TokenKind::BlockComment) {
            advanceOverLines(end);
        } else {
            m_column += codePoints(m_at, end);
        }
        m_at = end;
    }

    std::uint32_t codePoints(std::size_t from, std::size_t to) const
    {
        std::uint32_t count = 0;
        for (; from < to; ++from) {
            count += isContinuationByte(m_source[from]) ? 0U : 1U;
        }
        return count;
    }

    void advanceOverLines(std::size_t end)
    {
        for (std::size_t i = m_at; i < end; ++i) {
            const char c = m_source[i];
            const bool crOfCrLf = c == '\r' && i + 1 < m_source.size() && m_source[i + 1] == '\n';
            if (c == '\n' || (c == '\r' && !crOfCrLf)) {
                ++m_line;
                m_column = 1;
            } else if (!isContinuationByte(c)) {
                ++m_column;
            }
        }
    }

    std::size_t blockCommentEnd(std::size_t from)
    {
        const auto close = m_source.find("*/", from);
        m_inBlockComment = close == std::string_view::npos;
        return m_inBlockComment ? m_source.size() : close + 2;
    }

    void next()
    {
        const char c = peek();
        if (isBlank(c)) {
            add(TokenKind::Whitespace, scan(m_at, isBlank));
        } else if (isLineEnd(c)) {
            if (m_mode == Mode::LineDirective) {
                m_mode = Mode::StatementStart;
            }
            add(TokenKind::LineEnd, m_at + (c == '\r' && peek(1) == '\n' ? 2 : 1));
        } else if (c == '/' && peek(1) == '/') {
            add(TokenKind::LineComment, scan(m_at, [](char x) { return !isLineEnd(x); }));
        } else if (c == '/' && peek(1) == '*') {
            add(TokenKind::BlockComment, blockCommentEnd(m_at + 2));
        } else if (c == '#' && atLineStart()) {
            add(TokenKind::Preprocessor, scan(m_at, [](char x) { return !isLineEnd(x); }));
        } else {
            significant(c);
            m_afterEquals = c == '=';
        }
    }

    bool atLineStart() const
    {
        for (auto token = m_tokens.rbegin(); token != m_tokens.rend(); ++token) {
            if (token->kind != TokenKind::Whitespace) {
                return token->kind == TokenKind::LineEnd;
            }
        }
        return true;
    }

    void significant(char c)
    {
        if (c == '"') {
            add(TokenKind::String, stringEnd());
        } else if (c == '%' && (isWord(peek(1)))) {
            registerName();
        } else if (c == '.' && isWord(peek(1))) {
            dottedWord();
        } else if (c == '@') {
            predicate();
        } else if (isDigit(c)) {
            add(TokenKind::Number, numberEnd());
        } else if (c == '_' && !isWord(peek(1))) {
            add(TokenKind::Punctuation, m_at + 1);
        } else if (isWordStart(c)) {
            word();
        } else if (isHighByte(c)) {
            add(TokenKind::NonAscii, scan(m_at, isHighByte));
        } else {
            punctuation(c);
        }
    }

    std::size_t stringEnd() const
    {
        std::size_t end = m_at + 1;
        while (end < m_source.size() && !isLineEnd(m_source[end])) {
            if (m_source[end] == '"') {
                return end + 1;
            }
            const bool escape =
                m_source[end] == '\\' && end + 1 < m_source.size() && !isLineEnd(m_source[end + 1]);
            end += escape ? 2 : 1;
        }
        return end;
    }

    void registerName()
    {
        std::size_t end = scan(m_at + 1, isWord);
        const bool special = isPtxSpecialRegister(m_source.substr(m_at, end - m_at));
        if (special && end + 1 < m_source.size() && m_source[end] == '.'
            && std::string_view("xyzw").find(m_source[end + 1]) != std::string_view::npos
            && (end + 2 >= m_source.size() || !isWord(m_source[end + 2]))) {
            end += 2;
        }
        add(special ? TokenKind::SpecialRegister : TokenKind::Register, end);
        wordSeen();
    }

    // `.word` with `::` parts: ".shared::cluster", ".L2::128B".
    std::size_t dottedWordEnd(std::size_t dot) const
    {
        std::size_t end = scan(dot + 1, isWord);
        while (end + 2 < m_source.size() && m_source[end] == ':' && m_source[end + 1] == ':'
            && isWord(m_source[end + 2])) {
            end = scan(end + 2, isWord);
        }
        return end;
    }

    void dottedWord()
    {
        const std::size_t end = dottedWordEnd(m_at);
        const auto text = m_source.substr(m_at, end - m_at);
        const bool type = isPtxTypeWord(text);
        // A function's head is never part of an instruction: the ';' before it is missing.
        if (m_mode == Mode::Instruction && !isFunctionHeadWord(text)) {
            add(type ? TokenKind::Type : TokenKind::Modifier, end);
            return;
        }
        if (isLineDirective(text)) {
            m_mode = Mode::LineDirective;
        } else if (m_mode != Mode::Initializer && m_mode != Mode::LineDirective) {
            m_mode = Mode::Directive;
        }
        add(type ? TokenKind::Type : TokenKind::Directive, end);
    }

    void predicate()
    {
        if (peek(1) == '@' && isWordStart(peek(2))) { // @@dwarf
            m_mode = Mode::LineDirective;
            add(TokenKind::Directive, scan(m_at + 2, isWord));
            return;
        }
        m_mode = Mode::AfterPredicate;
        add(TokenKind::Predicate, m_at + (peek(1) == '!' ? 2 : 1));
    }

    std::size_t numberEnd() const
    {
        const char base = peek() == '0' ? peek(1) : '\0';
        if (base == 'x' || base == 'X' || base == 'f' || base == 'F' || base == 'd' || base == 'D') {
            return scan(m_at + 2, isWord);
        }
        std::size_t end = scan(m_at, isDigit);
        if (end < m_source.size() && m_source[end] == '.'
            && (end + 1 >= m_source.size() || !isWordStart(m_source[end + 1]))) {
            end = scan(end + 1, isDigit);
        }
        const auto at = [&](std::size_t i) { return i < m_source.size() ? m_source[i] : '\0'; };
        if (at(end) == 'e' || at(end) == 'E') {
            const std::size_t digits = end + 1 + (at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0);
            if (isDigit(at(digits))) {
                return scan(digits, isDigit);
            }
        }
        return scan(end, isWord); // suffix U, and the rest of a malformed number
    }

    // After the predicate's register comes the opcode.
    void wordSeen()
    {
        if (m_mode == Mode::AfterPredicate) {
            m_mode = Mode::StatementStart;
        } else if (m_mode == Mode::StatementStart) {
            m_mode = Mode::Instruction; // broken text: an operand where an opcode should be
        }
    }

    void word()
    {
        const std::size_t end = scan(m_at, isWord);
        if (m_mode != Mode::StatementStart) {
            add(TokenKind::Identifier, end);
            wordSeen();
            return;
        }
        const std::size_t after = scan(end, isBlank);
        const char follows = after < m_source.size() ? m_source[after] : '\0';
        const bool scope = after + 1 < m_source.size() && m_source[after + 1] == ':';
        if (follows == ':' && !scope) {
            add(TokenKind::Identifier, end); // a label; the statement starts after its colon
            return;
        }
        // In the middle of a declaration whose start is out of sight no opcode stands before these.
        if (follows != '\0' && std::string_view(",)=]<[+").find(follows) != std::string_view::npos) {
            add(TokenKind::Identifier, end);
            return;
        }
        std::size_t dottedEnd = end;
        while (dottedEnd + 1 < m_source.size() && m_source[dottedEnd] == '.'
            && isWord(m_source[dottedEnd + 1])) {
            dottedEnd = dottedWordEnd(dottedEnd);
        }
        m_mode = Mode::Instruction;
        add(TokenKind::Opcode, m_at + opcodeRootLength(m_source.substr(m_at, dottedEnd - m_at)));
    }

    void punctuation(char c)
    {
        constexpr std::string_view known = ",;:{}[]()+-<>=|*/&^!~?%._\\";
        switch (c) {
        case ';':
            m_mode = Mode::StatementStart;
            m_braceDepth = 0;
            break;
        case '{':
            openBrace();
            break;
        case '}':
            closeBrace();
            break;
        default:
            break;
        }
        const bool isControl = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
        add(!isControl && known.find(c) != std::string_view::npos ? TokenKind::Punctuation
                                                                  : TokenKind::Unknown,
            m_at + 1);
    }

    void openBrace()
    {
        if (m_mode == Mode::Initializer || (m_mode == Mode::Directive && m_afterEquals)) {
            m_mode = Mode::Initializer;
            ++m_braceDepth;
        } else if (m_mode == Mode::Instruction) {
            ++m_braceDepth;
        } else {
            m_mode = Mode::StatementStart;
            m_braceDepth = 0;
        }
    }

    void closeBrace()
    {
        const bool inOperandOrInitializer = m_mode == Mode::Instruction || m_mode == Mode::Initializer;
        if (!inOperandOrInitializer || m_braceDepth <= 0) {
            m_mode = Mode::StatementStart; // the end of a block; an instruction before it lacks its ';'
            m_braceDepth = 0;
        } else if (--m_braceDepth == 0 && m_mode == Mode::Initializer) {
            m_mode = Mode::Directive;
        }
    }

    std::string_view m_source;
    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    std::uint32_t m_line = 1;
    std::uint32_t m_column = 1;
    int m_braceDepth = 0; ///< within a vector operand or an initialiser
    Mode m_mode = Mode::StatementStart;
    bool m_inBlockComment = false;
    bool m_afterEquals = false;
};

} // namespace

std::vector<Token> lexPtx(std::string_view source)
{
    return lexPtx(source, LineState::Code, nullptr);
}

std::vector<Token> lexPtx(std::string_view source, LineState state, LineState* endState)
{
    // Token offsets have 32 bits.
    Lexer lexer(source.substr(0, std::numeric_limits<std::uint32_t>::max()), state);
    auto tokens = lexer.run();
    if (endState != nullptr) {
        *endState = lexer.endState();
    }
    return tokens;
}

} // namespace ptxwb
