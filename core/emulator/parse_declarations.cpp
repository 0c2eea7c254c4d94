// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/module_parser.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxwb::emulator {

std::optional<Space> stateSpace(std::string_view word)
{
    if (word == ".global") {
        return Space::Global;
    }
    if (word == ".shared" || word == ".shared::cta") {
        return Space::Shared;
    }
    if (word == ".const") {
        return Space::Const;
    }
    if (word == ".local") {
        return Space::Local;
    }
    if (word == ".param") {
        return Space::Param;
    }
    return std::nullopt;
}

Variable ModuleParser::variable(Space space, bool isExtern)
{
    Variable v;
    v.space = space;
    v.isExtern = isExtern;
    v.line = static_cast<int>(m_cursor.line());
    int vector = 1;
    for (;;) {
        const auto word = m_cursor.text();
        if (word == ".align") {
            m_cursor.take();
            v.alignment = static_cast<std::uint64_t>(m_cursor.integer());
            if (v.alignment == 0 || (v.alignment & (v.alignment - 1)) != 0) {
                m_cursor.fail("an alignment must be a power of two");
            }
        } else if (word == ".v2" || word == ".v4") {
            vector = word == ".v2" ? 2 : 4;
            m_cursor.take();
        } else if (word == ".ptr" || word == ".global" || word == ".shared" || word == ".const"
            || word == ".local") {
            m_cursor.take(); // attributes of a kernel parameter
        } else if (const auto type = valueTypeOf(word)) {
            v.type = *type;
            m_cursor.take();
        } else if (!word.empty() && word.front() == '.') {
            m_cursor.take(); // .attribute, .unified, .managed
            if (m_cursor.takeIf("(")) {
                skipTo(")");
            }
        } else {
            break;
        }
    }
    nameAndExtent(v, vector);
    return v;
}

void ModuleParser::nameAndExtent(Variable& v, int vector)
{
    v.name = std::string(m_cursor.take());
    const auto element = static_cast<std::uint64_t>(std::max(bitsOf(v.type) / 8, 1) * vector);
    v.alignment = std::max(v.alignment, element);
    std::uint64_t count = 1;
    while (m_cursor.takeIf("[")) {
        if (m_cursor.takeIf("]")) {
            count = 0;
            continue;
        }
        const auto extent = m_cursor.integer();
        if (extent < 0 || extent > (std::int64_t{1} << 40)) {
            m_cursor.fail("an array extent out of range");
        }
        count *= static_cast<std::uint64_t>(extent);
        m_cursor.expect("]");
    }
    v.bytes = count * element;
    if (m_cursor.takeIf("=")) {
        initialiser(v);
        v.bytes = std::max<std::uint64_t>(v.bytes, v.initial.size());
    }
}

void ModuleParser::initialiser(Variable& v)
{
    if (m_cursor.takeIf("{")) {
        while (!m_cursor.takeIf("}")) {
            initialiser(v);
            m_cursor.takeIf(",");
        }
        return;
    }
    if (m_cursor.kind() == TokenKind::Identifier || m_cursor.kind() == TokenKind::Register
        || m_cursor.is("generic")) {
        pointerIn(v);
        return;
    }
    double real = 0;
    std::uint64_t bits = 0;
    const bool minus = m_cursor.is("-") && parseFloat(m_cursor.text(1), real);
    if (minus) {
        m_cursor.take();
    }
    if (parseFloat(m_cursor.text(), real)) {
        m_cursor.take();
        real = minus ? -real : real;
        bits = v.type == ValueType::F32 ? std::bit_cast<std::uint32_t>(static_cast<float>(real))
                                        : std::bit_cast<std::uint64_t>(real);
    } else {
        bits = static_cast<std::uint64_t>(m_cursor.integer());
    }
    const auto size = static_cast<std::size_t>(std::max(bitsOf(v.type) / 8, 1));
    const auto at = v.initial.size();
    v.initial.resize(at + size);
    std::memcpy(v.initial.data() + at, &bits, std::min<std::size_t>(size, 8));
}

/// The address of a variable or function: name, name + 4, generic(name). Known when memory is laid out.
void ModuleParser::pointerIn(Variable& v)
{
    InitialPointer pointer{.at = v.initial.size()};
    pointer.name = std::string(m_cursor.take());
    if (pointer.name == "generic" && m_cursor.takeIf("(")) {
        pointer.generic = true;
        pointer.name = std::string(m_cursor.take());
        m_cursor.expect(")");
    }
    if (m_cursor.is("+") || m_cursor.is("-")) {
        const bool plus = m_cursor.take() == "+";
        pointer.offset = plus ? m_cursor.integer() : -m_cursor.integer();
    }
    v.initial.resize(v.initial.size() + static_cast<std::size_t>(std::max(bitsOf(v.type) / 8, 1)));
    v.pointers.push_back(std::move(pointer));
}

int ModuleParser::addVariable(Variable v)
{
    const int index = static_cast<int>(m_module.variables.size());
    m_scopes.back().variables[v.name] = index;
    m_module.variables.push_back(std::move(v));
    return index;
}

void ModuleParser::variables(bool isExtern)
{
    const auto space = stateSpace(m_cursor.text());
    if (!space) {
        m_cursor.fail("a state space is expected behind .extern: .shared, .global, .const");
    }
    m_cursor.take();
    Variable first = variable(*space, isExtern);
    const Variable prototype = first;
    addVariable(std::move(first));
    while (m_cursor.takeIf(",")) {
        Variable next = prototype;
        next.initial.clear();
        nameAndExtent(next, 1);
        addVariable(std::move(next));
    }
    m_cursor.expect(";");
}

void ModuleParser::registers()
{
    m_cursor.expect(".reg");
    if (m_cursor.is(".v2") || m_cursor.is(".v4")) {
        m_cursor.fail("vector registers (.reg .v2 / .v4) are not emulated");
    }
    const auto type = valueTypeOf(m_cursor.text());
    if (!type) {
        m_cursor.fail("a register type expected, found '" + std::string(m_cursor.text()) + "'");
    }
    m_cursor.take();
    do {
        const std::string name(m_cursor.take());
        if (m_cursor.takeIf("<")) {
            const auto count = m_cursor.integer();
            m_cursor.expect(">");
            m_scopes.back().ranges[name] = {
                static_cast<int>(std::clamp<std::int64_t>(count, 0, 1 << 24)), *type};
        } else {
            m_scopes.back().registers[name] = newRegister(name, *type);
        }
    } while (m_cursor.takeIf(","));
    m_cursor.expect(";");
}

int ModuleParser::newRegister(const std::string& name, ValueType type)
{
    m_function->registers.push_back({name, type});
    return static_cast<int>(m_function->registers.size()) - 1;
}

std::optional<int> ModuleParser::findRegister(std::string_view name)
{
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        if (const auto found = scope->registers.find(name); found != scope->registers.end()) {
            return found->second;
        }
        const auto digits = name.find_last_not_of("0123456789") + 1;
        std::uint64_t index = 0;
        for (auto split = digits; split < name.size() && split > 0; ++split) {
            const auto range = scope->ranges.find(name.substr(0, split));
            const auto number = name.substr(split);
            if (range == scope->ranges.end() || (number.size() > 1 && number[0] == '0')) {
                continue;
            }
            if (parseInteger(number, index) && index < static_cast<std::uint64_t>(range->second.first)) {
                const int made = newRegister(std::string(name), range->second.second);
                scope->registers[std::string(name)] = made;
                return made;
            }
        }
    }
    return std::nullopt;
}

std::optional<int> ModuleParser::findVariable(std::string_view name) const
{
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
        if (const auto found = scope->variables.find(name); found != scope->variables.end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::emulator
