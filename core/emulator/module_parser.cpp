// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/module.h"
#include "core/emulator/token_cursor.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <unordered_map>

namespace ptxwb::emulator {

namespace {

struct Scope {
    std::map<std::string, int, std::less<>> registers{};
    std::map<std::string, std::pair<int, ValueType>, std::less<>> ranges{}; ///< prefix -> count, type
    std::map<std::string, int, std::less<>> variables{};
};

std::optional<Space> spaceOf(std::string_view word)
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

class Parser {
public:
    explicit Parser(std::string_view text)
        : m_cursor(text)
    {
    }

    Module run()
    {
        m_scopes.emplace_back();
        while (!m_cursor.atEnd()) {
            topLevel();
        }
        return std::move(m_module);
    }

private:
    void topLevel()
    {
        const auto word = m_cursor.text();
        if (word == ".version" || word == ".address_size" || word == ".file" || word == ".loc"
            || word == ".alias") {
            m_cursor.skipLine();
        } else if (word == ".target") {
            m_cursor.take();
            m_module.target = std::string(m_cursor.take());
            while (m_cursor.takeIf(",")) {
                m_cursor.take();
            }
        } else if (word == ".section") {
            skipSection();
        } else if (word == ".pragma") {
            skipTo(";");
        } else if (word == ";") {
            m_cursor.take();
        } else {
            declarationOrFunction();
        }
    }

    void skipTo(std::string_view what)
    {
        while (!m_cursor.atEnd() && m_cursor.take() != what) { }
    }

    void skipSection()
    {
        while (!m_cursor.atEnd() && !m_cursor.is("{")) {
            m_cursor.take();
        }
        skipTo("}");
    }

    void declarationOrFunction()
    {
        bool isExtern = false;
        for (;;) {
            const auto word = m_cursor.text();
            if (word == ".visible" || word == ".weak" || word == ".common") {
                m_cursor.take();
            } else if (word == ".extern") {
                isExtern = true;
                m_cursor.take();
            } else {
                break;
            }
        }
        if (m_cursor.is(".entry") || m_cursor.is(".func")) {
            function();
        } else if (spaceOf(m_cursor.text())) {
            variables(isExtern);
        } else {
            m_cursor.fail("'" + std::string(m_cursor.text()) + "' is not expected here");
        }
    }

    // ---------------------------------------------------------------- declarations

    Variable variable(Space space, bool isExtern)
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

    void nameAndExtent(Variable& v, int vector)
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

    void initialiser(Variable& v)
    {
        if (m_cursor.takeIf("{")) {
            while (!m_cursor.takeIf("}")) {
                initialiser(v);
                m_cursor.takeIf(",");
            }
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

    int addVariable(Variable v)
    {
        const int index = static_cast<int>(m_module.variables.size());
        m_scopes.back().variables[v.name] = index;
        m_module.variables.push_back(std::move(v));
        return index;
    }

    void variables(bool isExtern)
    {
        const Space space = *spaceOf(m_cursor.take());
        Variable first = variable(space, isExtern);
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

    void registers()
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

    int newRegister(const std::string& name, ValueType type)
    {
        m_function->registers.push_back({name, type});
        return static_cast<int>(m_function->registers.size()) - 1;
    }

    // ---------------------------------------------------------------- names

    std::optional<int> findRegister(std::string_view name)
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

    std::optional<int> findVariable(std::string_view name) const
    {
        for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
            if (const auto found = scope->variables.find(name); found != scope->variables.end()) {
                return found->second;
            }
        }
        return std::nullopt;
    }

    // ---------------------------------------------------------------- functions

    void parameterList(std::vector<int>& into)
    {
        m_cursor.expect("(");
        while (!m_cursor.takeIf(")")) {
            if (m_cursor.takeIf(".reg")) {
                const auto type = valueTypeOf(m_cursor.take());
                const std::string name(m_cursor.take());
                const int index = newRegister(name, type.value_or(ValueType::B32));
                m_scopes.back().registers[name] = index;
                into.push_back(-1 - index);
            } else {
                m_cursor.expect(".param");
                into.push_back(addVariable(variable(Space::Param, false)));
            }
            m_cursor.takeIf(",");
        }
    }

    void function()
    {
        Function f;
        m_function = &f;
        f.line = static_cast<int>(m_cursor.line());
        f.isEntry = m_cursor.take() == ".entry";
        m_scopes.emplace_back();
        if (!f.isEntry && m_cursor.is("(")) {
            parameterList(f.results);
        }
        f.name = std::string(m_cursor.take());
        if (m_cursor.is("(")) {
            parameterList(f.parameters);
        }
        while (!m_cursor.atEnd() && !m_cursor.is("{") && !m_cursor.is(";")) {
            functionDirective(f);
        }
        if (m_cursor.takeIf(";")) {
            f.hasBody = false;
        } else {
            f.hasBody = true;
            m_cursor.expect("{");
            block(f);
        }
        m_scopes.pop_back();
        m_function = nullptr;
        const auto earlier = std::find_if(m_module.functions.begin(), m_module.functions.end(),
            [&](const Function& other) { return other.name == f.name; });
        if (earlier == m_module.functions.end()) {
            m_module.functions.push_back(std::move(f));
        } else if (f.hasBody) {
            *earlier = std::move(f);
        }
    }

    std::uint32_t product()
    {
        std::uint64_t value = 1;
        do {
            value *= static_cast<std::uint64_t>(m_cursor.integer());
        } while (m_cursor.takeIf(","));
        return static_cast<std::uint32_t>(value);
    }

    void functionDirective(Function& f)
    {
        const auto word = m_cursor.take();
        if (word == ".maxntid" || word == ".reqntid") {
            f.maxThreads = product();
        } else if (word == ".minnctapersm") {
            f.minCtas = product();
        } else if (word == ".maxnreg") {
            f.maxRegisters = product();
        } else if (word == ".reqnctapercluster") {
            f.requiredCluster = {1, 1, 1};
            for (auto& extent : f.requiredCluster) {
                extent = static_cast<std::uint32_t>(m_cursor.integer());
                if (!m_cursor.takeIf(",")) {
                    break;
                }
            }
        } else if (word == ".pragma") {
            skipTo(";");
        }
        // .noreturn, .explicitcluster, .maxclusterrank N ... change nothing here
    }

    void block(Function& f)
    {
        m_scopes.emplace_back();
        while (!m_cursor.takeIf("}")) {
            if (m_cursor.atEnd()) {
                m_cursor.fail("the body of '" + f.name + "' is not closed");
            }
            blockItem(f);
        }
        m_scopes.pop_back();
    }

    void blockItem(Function& f)
    {
        const auto word = m_cursor.text();
        if (word == ";") {
            m_cursor.take();
        } else if (word == "{") {
            m_cursor.take();
            block(f);
        } else if (word == ".reg") {
            registers();
        } else if (word == ".loc" || word == ".file") {
            m_cursor.skipLine();
        } else if (word == ".pragma") {
            skipTo(";");
        } else if (word == ".extern" || spaceOf(word)) {
            const bool isExtern = m_cursor.takeIf(".extern");
            variables(isExtern);
        } else if (word == ".callprototype" || word == ".calltargets") {
            skipTo(";");
        } else if (m_cursor.text(1) == ":") {
            label(f);
        } else {
            statement(f);
        }
    }

    void label(Function& f)
    {
        const std::string name(m_cursor.take());
        m_cursor.expect(":");
        if (m_cursor.takeIf(".branchtargets")) {
            std::vector<std::string> targets;
            do {
                targets.emplace_back(m_cursor.take());
            } while (m_cursor.takeIf(","));
            m_cursor.expect(";");
            f.branchTargets.emplace_back(name, std::move(targets));
            return;
        }
        if (m_cursor.is(".callprototype") || m_cursor.is(".calltargets")) {
            skipTo(";");
            return;
        }
        f.labels.emplace_back(name, f.statements.size());
    }

    // ---------------------------------------------------------------- instructions

    void statement(Function& f)
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
                    throw ParseFault(
                        static_cast<std::uint32_t>(s.line), "the instruction is not ended by ';'");
                }
                m_cursor.fail("',' or ';' expected, found '" + std::string(m_cursor.text()) + "'");
            }
        }
        m_cursor.take();
        f.statements.push_back(std::move(s));
    }

    static void splitOpcode(Statement& s)
    {
        std::size_t dot = s.text.find('.');
        s.opcode = s.text.substr(0, dot);
        while (dot != std::string_view::npos) {
            const std::size_t next = s.text.find('.', dot + 1);
            s.modifiers.push_back(s.text.substr(dot, next == std::string_view::npos ? next : next - dot));
            dot = next;
        }
    }

    Operand list(Operand::Kind kind, std::string_view close)
    {
        Operand o;
        o.kind = kind;
        while (!m_cursor.takeIf(close)) {
            o.parts.push_back(operand());
            if (!m_cursor.takeIf(",") && !m_cursor.is(close)) {
                m_cursor.fail("',' or '" + std::string(close) + "' expected, found '"
                    + std::string(m_cursor.text()) + "'");
            }
        }
        return o;
    }

    Operand operand()
    {
        if (++m_depth > 16) {
            m_cursor.fail("operands are nested too deeply");
        }
        Operand o = operandWithin();
        --m_depth;
        return o;
    }

    Operand operandWithin()
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

    Operand name()
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

    TokenCursor m_cursor;
    Module m_module{};
    Function* m_function = nullptr;
    std::vector<Scope> m_scopes{};
    int m_depth = 0;
};

} // namespace

bool Statement::has(std::string_view modifier) const
{
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

const Function* Module::find(std::string_view name) const
{
    const auto found =
        std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
    return found == functions.end() ? nullptr : &*found;
}

Result<Module> parseModule(std::string_view text)
{
    try {
        return Parser(text).run();
    } catch (const ParseFault& fault) {
        Error error{.code = ErrorCode::BadFormat, .message = fault.what()};
        error.line = static_cast<int>(fault.line);
        return error;
    }
}

} // namespace ptxwb::emulator
