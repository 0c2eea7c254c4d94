// SPDX-License-Identifier: Apache-2.0
// Registers: declared, used, and as wide as the instruction reads or writes them.
#include "core/ptx/lint/rules.h"
#include "core/ptx/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

// What an operand must be. Wider: a wider register will do as well (ld, st, cvt).
struct Wanted {
    RegisterType type{};
    bool orWider = false;
};

// The types of an opcode in the order written, and whether it has a word.
struct OpcodeFacts {
    std::string_view root{};
    std::vector<std::string_view> types{};
    std::string_view opcode{};

    bool has(std::string_view word) const
    {
        for (auto at = opcode.find(word); at != std::string_view::npos; at = opcode.find(word, at + 1)) {
            const auto end = at + word.size();
            if (end == opcode.size() || opcode[end] == '.') {
                return true;
            }
        }
        return false;
    }
};

constexpr RegisterType predicate{.kind = 'p', .bits = 1};

// What operand i of the instruction must be; kind '?' where lint does not judge.
Wanted wantedOf(const OpcodeFacts& facts, std::size_t i, std::size_t count)
{
    const auto root = facts.root;
    if (facts.types.empty()) {
        return {};
    }
    const auto first = registerTypeOf(facts.types.front());
    const auto last = registerTypeOf(facts.types.back());
    const bool oneType = facts.types.size() == 1;
    if (isOneOf(root,
            {"add", "sub", "min", "max", "and", "or", "xor", "not", "neg", "abs", "rem", "sad", "fma", "div",
                "copysign"})) {
        return oneType ? Wanted{.type = first} : Wanted{};
    }
    if ((root == "mul" || root == "mad") && oneType) {
        if (facts.has(".wide") && (i == 0 || i == 3)) {
            return {.type = {.kind = first.kind, .bits = 2 * first.bits}};
        }
        return {.type = first};
    }
    if ((root == "shl" || root == "shr") && oneType) {
        return i == 2 ? Wanted{.type = {.kind = 'b', .bits = 32}} : Wanted{.type = first};
    }
    if (root == "setp" && oneType) {
        return i == 0 || i == 3 ? Wanted{.type = predicate} : Wanted{.type = first};
    }
    if (root == "selp" && oneType) {
        return i == 3 ? Wanted{.type = predicate} : Wanted{.type = first};
    }
    if (root == "mov" && oneType && count == 2) {
        return {.type = first};
    }
    if ((root == "ld" && i == 0) || (root == "st" && i == 1)) {
        return oneType ? Wanted{.type = first, .orWider = true} : Wanted{};
    }
    if (root == "cvt" && facts.types.size() == 2 && count == 2) {
        return {.type = i == 0 ? first : last, .orWider = true};
    }
    return {};
}

bool fits(const Wanted& wanted, RegisterType declared)
{
    if (wanted.type.kind == '?' || declared.kind == '?') {
        return true;
    }
    if (wanted.type.kind == 'p' || declared.kind == 'p') {
        return wanted.type.kind == declared.kind;
    }
    if (wanted.orWider ? declared.bits < wanted.type.bits : declared.bits != wanted.type.bits) {
        return false;
    }
    // Half floats live in .b16 registers and ptxas is lenient about them.
    if (wanted.type.bits < 32 || wanted.orWider) {
        return true;
    }
    const auto isInteger = [](char kind) { return kind == 'u' || kind == 's'; };
    return !(isInteger(wanted.type.kind) && declared.kind == 'f')
        && !(wanted.type.kind == 'f' && isInteger(declared.kind));
}

std::string typeText(RegisterType type)
{
    return type.kind == 'p' ? std::string(".pred") : fmt::format(".{}{}", type.kind, type.bits);
}

class Registers {
public:
    Registers(Function& function, const Context& context, Sink& sink)
        : m_function(function)
        , m_context(context)
        , m_program(context.program)
        , m_sink(sink)
    {
        m_function.registerAt.assign(m_function.end - m_function.first, none);
    }

    void check(const Statement& one)
    {
        if (one.guard != none) {
            use(one, one.guard, Wanted{.type = predicate});
        }
        OpcodeFacts facts;
        if (one.wellFormed) {
            facts = factsOf(one);
        }
        const auto count = m_program.operandCount(one);
        for (std::size_t i = 0; i < count; ++i) {
            operand(one, m_program.operand(one, i), wantedOf(facts, i, count));
        }
    }

    void unused()
    {
        // What a compiler leaves over nobody wants to read of.
        if (!m_function.wellFormed || !m_function.isComplete || m_context.facts.isGenerated) {
            return;
        }
        for (const auto& one : m_function.declarations) {
            if (one.isUsed || one.isParameter) {
                continue;
            }
            m_sink.add("unused-register", one.token, one.token + 1,
                fmt::format("'{}' is declared and never used", one.name));
        }
    }

private:
    OpcodeFacts factsOf(const Statement& one) const
    {
        OpcodeFacts facts{.root = m_program.text(one.opcode), .opcode = m_program.opcode(one)};
        for (auto token = one.opcode + 1; token < one.opcodeEnd; ++token) {
            if (m_program.tokens[token].kind == TokenKind::Type) {
                facts.types.push_back(m_program.text(token));
            }
        }
        return facts;
    }

    void operand(const Statement& one, const Operand& tokens, const Wanted& wanted)
    {
        int brackets = 0;
        const bool plain = tokens.end == tokens.first + 1;
        const bool isVector = m_program.is(tokens.first, '{');
        for (auto at = tokens.first; at < tokens.end; ++at) {
            brackets += m_program.is(at, '[') ? 1 : (m_program.is(at, ']') ? -1 : 0);
            const auto kind = m_program.tokens[at].kind;
            if (kind != TokenKind::Register && kind != TokenKind::Identifier) {
                continue;
            }
            const bool negated = tokens.end == tokens.first + 2 && m_program.is(tokens.first, '!');
            const bool pair = m_program.is(at + 1, '|') || (at > tokens.first && m_program.is(at - 1, '|'));
            const bool element = isVector && m_program.text(one.opcode) != "mov" && brackets == 0;
            const bool judged =
                one.wellFormed && (plain || negated || element || (pair && wanted.type.kind == 'p'));
            use(one, at, judged ? wanted : Wanted{});
        }
    }

    void use(const Statement& one, Index token, const Wanted& wanted)
    {
        const auto name = m_program.text(token);
        const auto found = resolve(m_function, name, one.scope);
        if (found.declaration == nullptr) {
            undeclared(one, token, name, wanted);
            return;
        }
        const auto index = static_cast<std::size_t>(found.declaration - m_function.declarations.data());
        m_function.declarations[index].isUsed = true;
        m_function.registerAt[token - m_function.first] = found.number;
        if (fits(wanted, found.declaration->type)) {
            return;
        }
        const auto declared = typeText(found.declaration->type);
        m_sink.addOfInstruction("operand-type", one, token, token + 1,
            token == one.guard
                ? fmt::format("'{}' is declared {}, a guard must be .pred", name, declared)
                : fmt::format("'{}' is declared {}, but '{}' needs {}{}", name, declared,
                    m_program.opcode(one), typeText(wanted.type), wanted.orWider ? " or wider" : ""));
    }

    void undeclared(const Statement& one, Index token, std::string_view name, const Wanted& wanted)
    {
        const auto& names = m_context.facts.names;
        const bool isRegister = m_program.tokens[token].kind == TokenKind::Register || token == one.guard;
        if (!one.wellFormed || !m_function.isComplete || m_function.names.contains(name)
            || names.contains(std::string(name)) || m_context.facts.version > 90) {
            return;
        }
        // A bare word may be a symbol of a module that cannot be read as a whole.
        if (!isRegister
            && (!m_context.facts.wellFormed || !m_function.wellFormed || name == "WARP_SZ"
                || m_program.text(one.opcode) == "call")) {
            return;
        }
        if (!m_said.insert(name).second) {
            return;
        }
        auto& made =
            m_sink.add("undeclared-register", token, token + 1, fmt::format("'{}' is not declared", name));
        if (wanted.type.kind != '?' && (isRegister || m_context.facts.isFragment)
            && m_function.bodyOpen + 1 < m_program.tokens.size()) {
            const auto declaration = fmt::format(".reg {} {};", typeText(wanted.type), name);
            made.fixTitle = fmt::format("declare {}", declaration);
            made.edits.push_back(m_sink.insertBefore(m_function.bodyOpen + 1, declaration + "\n    "));
        }
    }

    Function& m_function;
    const Context& m_context;
    const Program& m_program;
    Sink& m_sink;
    std::unordered_set<std::string_view> m_said;
};

} // namespace

void checkRegisters(Function& function, const Context& context, Sink& sink)
{
    Registers registers(function, context, sink);
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        registers.check(context.program.statements[i]);
    }
    registers.unused();
}

} // namespace ptxwb::lint
