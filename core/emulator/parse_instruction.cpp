// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/module_parser.h"

#include <bit>

namespace ptxwb::emulator {

void ModuleParser::statement(Function& f)
{
    Statement s;
    s.line = static_cast<int>(m_cursor.line());
    if (m_cursor.is("@") || m_cursor.is("@!")) {
        s.guardNegated = m_cursor.take() == "@!";
        s.guardNegated = m_cursor.takeIf("!") || s.guardNegated;
        const auto guard = findRegister(m_cursor.text());
        if (!guard) {
            m_cursor.fail("the predicate '" + std::string(m_cursor.text()) + "' is not declared");
        }
        m_cursor.take();
        s.guard = *guard;
    }
    const auto start = m_cursor.token().offset;
    const char* textStart = m_cursor.text().data();
    auto end = start + m_cursor.token().length;
    m_cursor.take();
    while (!m_cursor.atEnd() && m_cursor.token().offset == end && m_cursor.text().front() == '.') {
        end = m_cursor.token().offset + m_cursor.token().length;
        m_cursor.take();
    }
    s.text = std::string_view(textStart, end - start);
    splitOpcode(s);
    while (!m_cursor.is(";")) {
        if (m_cursor.atEnd() || m_cursor.is("}")) {
            throw ParseFault(static_cast<std::uint32_t>(s.line), "the instruction is not ended by ';'");
        }
        s.operands.push_back(operand());
        if (m_cursor.takeIf("|")) {
            Operand pair;
            pair.kind = Operand::Kind::Pair;
            pair.parts.push_back(std::move(s.operands.back()));
            pair.parts.push_back(operand());
            s.operands.back() = std::move(pair);
        }
        if (!m_cursor.takeIf(",") && !m_cursor.is(";")) {
            if (m_cursor.is("}")) {
                throw ParseFault(static_cast<std::uint32_t>(s.line), "the instruction is not ended by ';'");
            }
            m_cursor.fail("',' or ';' expected, found '" + std::string(m_cursor.text()) + "'");
        }
    }
    m_cursor.take();
    f.statements.push_back(std::move(s));
}

void ModuleParser::splitOpcode(Statement& s)
{
    std::size_t dot = s.text.find('.');
    s.opcode = s.text.substr(0, dot);
    while (dot != std::string_view::npos) {
        const std::size_t next = s.text.find('.', dot + 1);
        s.modifiers.push_back(s.text.substr(dot, next == std::string_view::npos ? next : next - dot));
        dot = next;
    }
}

Operand ModuleParser::list(Operand::Kind kind, std::string_view close)
{
    Operand o;
    o.kind = kind;
    while (!m_cursor.takeIf(close)) {
        o.parts.push_back(operand());
        if (!m_cursor.takeIf(",") && !m_cursor.is(close)) {
            m_cursor.fail(
                "',' or '" + std::string(close) + "' expected, found '" + std::string(m_cursor.text()) + "'");
        }
    }
    return o;
}

Operand ModuleParser::operand()
{
    if (++m_depth > 16) {
        m_cursor.fail("operands are nested too deeply");
    }
    Operand o = operandWithin();
    --m_depth;
    return o;
}

Operand ModuleParser::operandWithin()
{
    if (m_cursor.takeIf("{")) {
        return list(Operand::Kind::Vector, "}");
    }
    if (m_cursor.takeIf("(")) {
        return list(Operand::Kind::Vector, ")"); // arguments of a call
    }
    if (m_cursor.takeIf("[")) {
        Operand o = list(Operand::Kind::Address, "]");
        if (o.parts.empty()) {
            m_cursor.fail("an address expected");
        }
        o.offset = o.parts[0].kind == Operand::Kind::Register ? o.parts[0].offset : 0;
        o.parts[0].offset = o.parts[0].kind == Operand::Kind::Register ? 0 : o.parts[0].offset;
        return o;
    }
    if (m_cursor.takeIf("!")) {
        Operand o = operand();
        o.negated = true;
        return o;
    }
    if (m_cursor.takeIf("_")) {
        return {};
    }
    return name();
}

Operand ModuleParser::name()
{
    Operand o;
    double real = 0;
    const bool minus = m_cursor.is("-") && parseFloat(m_cursor.text(1), real);
    if (minus) {
        m_cursor.take();
    }
    if (parseFloat(m_cursor.text(), real)) {
        o.kind = Operand::Kind::Float;
        o.bits = std::bit_cast<std::uint64_t>(minus ? -real : real);
        m_cursor.take();
        return o;
    }
    if (m_cursor.kind() == TokenKind::Number || m_cursor.is("-")) {
        o.kind = Operand::Kind::Integer;
        o.bits = static_cast<std::uint64_t>(m_cursor.integer());
        return o;
    }
    const auto word = m_cursor.take();
    if (const auto reg = findRegister(word)) {
        o.kind = Operand::Kind::Register;
        o.index = *reg;
    } else if (const auto var = findVariable(word)) {
        o.kind = Operand::Kind::Variable;
        o.index = *var;
    } else if (!word.empty() && word.front() == '%') {
        o.kind = Operand::Kind::Special;
    } else {
        o.kind = Operand::Kind::Label;
    }
    o.name = word;
    if (m_cursor.is("+") || m_cursor.is("-")) {
        const bool plus = m_cursor.take() == "+";
        const auto offset = m_cursor.integer();
        o.offset = plus ? offset : -offset;
    }
    return o;
}

} // namespace ptxwb::emulator
