// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/asm_template.h"

#include <algorithm>
#include <charconv>

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

bool isWordByte(char c)
{
    return isDigit(c) || isLetter(c) || c == '_' || c == '$';
}

class Splitter {
public:
    explicit Splitter(const AsmStatement& statement)
        : m_statement(statement)
        , m_text(statement.text)
    {
    }

    AsmTemplate run()
    {
        const bool isPlain = m_statement.operands.empty();
        while (m_at < m_text.size()) {
            if (m_text[m_at] != '%') {
                ++m_at;
            } else if (isPlain) {
                plainPercent();
            } else {
                percent();
            }
        }
        textUpTo(m_at);
        return std::move(m_made);
    }

private:
    char peek(std::size_t ahead) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }

    void textUpTo(std::size_t end)
    {
        if (end > m_from) {
            m_made.parts.push_back(
                {.first = static_cast<std::uint32_t>(m_from), .end = static_cast<std::uint32_t>(end)});
        }
        m_from = end;
    }

    void fault(AsmFault::Kind kind, std::size_t length)
    {
        m_made.faults.push_back({.kind = kind,
            .first = static_cast<std::uint32_t>(m_at),
            .end = static_cast<std::uint32_t>(m_at + length)});
    }

    void plainPercent()
    {
        if (peek(1) == '%') {
            fault(AsmFault::Kind::DoubledWithoutOperands, 2);
            ++m_at;
        }
        ++m_at;
    }

    std::size_t wordLength(std::size_t from) const
    {
        auto end = m_at + from;
        while (end < m_text.size() && isWordByte(m_text[end])) {
            ++end;
        }
        return end - m_at;
    }

    void percent()
    {
        const char next = peek(1);
        if (next == '%') {
            textUpTo(m_at);
            m_from = m_at + 1;
            m_at += 2;
        } else if (isDigit(next)) {
            operand();
        } else if (next == '[') {
            const auto close = m_text.find(']', m_at);
            fault(AsmFault::Kind::NamedOperand,
                (close == std::string::npos ? m_text.size() : close + 1) - m_at);
            ++m_at;
        } else if (isLetter(next) && isDigit(peek(2))) {
            fault(AsmFault::Kind::Modifier, wordLength(1));
            ++m_at;
        } else {
            if (next == '\0') {
                fault(AsmFault::Kind::LonePercent, 1);
            }
            ++m_at;
        }
    }

    void operand()
    {
        auto end = m_at + 1;
        while (end < m_text.size() && isDigit(m_text[end])) {
            ++end;
        }
        int number = -1;
        std::from_chars(m_text.data() + m_at + 1, m_text.data() + end, number);
        if (number < 0 || static_cast<std::size_t>(number) >= m_statement.operands.size()) {
            fault(AsmFault::Kind::NoSuchOperand, end - m_at);
        }
        textUpTo(m_at);
        m_made.parts.push_back({.first = static_cast<std::uint32_t>(m_at),
            .end = static_cast<std::uint32_t>(end),
            .operand = std::max(number, 0)});
        m_at = end;
        m_from = end;
    }

    const AsmStatement& m_statement;
    std::string_view m_text;
    AsmTemplate m_made;
    std::size_t m_at = 0;
    std::size_t m_from = 0; ///< where the run of text begins
};

} // namespace

AsmTemplate splitTemplate(const AsmStatement& statement)
{
    return Splitter(statement).run();
}

char constraintLetter(const AsmStatement& statement, std::size_t operand)
{
    for (int depth = 0; depth < 2 && operand < statement.operands.size(); ++depth) {
        std::string_view words = statement.operands[operand].constraint;
        words.remove_prefix(std::min(words.find_first_not_of("=+&% "), words.size()));
        if (words.empty()) {
            return '\0';
        }
        if (!isDigit(words.front())) {
            return words.size() == 1 ? words.front() : '\0';
        }
        std::from_chars(words.data(), words.data() + words.size(), operand);
    }
    return '\0';
}

std::string_view typeOfConstraint(char letter)
{
    switch (letter) {
    case 'h':
        return ".b16";
    case 'r':
        return ".b32";
    case 'l':
        return ".b64";
    case 'q':
        return ".b128";
    case 'f':
        return ".f32";
    case 'd':
        return ".f64";
    default:
        return {};
    }
}

} // namespace ptxwb
