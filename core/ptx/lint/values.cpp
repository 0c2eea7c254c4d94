// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint/values.h"

namespace ptxwb::lint {

namespace {

constexpr int deepest = 16;

} // namespace

Values::Values(const Program& program, const Function& function, const std::vector<Variable>& shared)
    : m_program(program)
    , m_function(function)
    , m_shared(shared)
    , m_definitions(function.registerCount, none)
{
    std::vector<bool> written(function.registerCount);
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        const auto& one = program.statements[i];
        if (program.operandCount(one) == 0) {
            continue;
        }
        const auto operand = program.operand(one, 0);
        const bool inPlace = program.text(one.opcode) == "cvta" && program.operandCount(one) == 2
            && program.text(operand.first) == program.text(program.operand(one, 1).first);
        if (inPlace) {
            continue; // another name for the same place
        }
        for (auto at = operand.first; at < operand.end && !program.is(operand.first, '['); ++at) {
            if (const auto number = function.registerOf(at); number != none) {
                m_definitions[number] = written[number] ? none : i;
                written[number] = true;
            }
        }
    }
}

const Statement* Values::onlyDefinition(Index number) const
{
    if (number >= m_definitions.size() || m_definitions[number] == none) {
        return nullptr;
    }
    const auto& one = m_program.statements[m_definitions[number]];
    return one.guard == none && one.wellFormed ? &one : nullptr;
}

std::optional<std::int64_t> Values::constantOfToken(Index token, Index scope, int depth) const
{
    const auto kind = m_program.tokens[token].kind;
    if (kind == TokenKind::Number) {
        return literalValue(m_program.text(token));
    }
    if (depth > deepest || (kind != TokenKind::Register && kind != TokenKind::Identifier)) {
        return std::nullopt;
    }
    const auto found = resolve(m_function, m_program.text(token), scope);
    const auto* one = found.declaration == nullptr ? nullptr : onlyDefinition(found.number);
    if (one == nullptr || m_program.text(one->opcode) != "mov" || m_program.operandCount(*one) != 2) {
        return std::nullopt;
    }
    const auto source = m_program.operand(*one, 1);
    return source.end == source.first + 1 ? constantOfToken(source.first, one->scope, depth + 1)
                                          : std::nullopt;
}

std::optional<std::uint64_t> Values::constantOf(const Statement& at, const Operand& operand) const
{
    if (operand.end != operand.first + 1) {
        return std::nullopt;
    }
    const auto value = constantOfToken(operand.first, at.scope, 0);
    return value && *value >= 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<Place> Values::placeOfToken(Index token, Index scope, int depth) const
{
    const auto kind = m_program.tokens[token].kind;
    if (depth > deepest || (kind != TokenKind::Register && kind != TokenKind::Identifier)) {
        return std::nullopt;
    }
    const auto found = resolve(m_function, m_program.text(token), scope);
    if (found.declaration != nullptr) {
        return placeOfRegister(found.number, depth + 1);
    }
    return kind == TokenKind::Identifier ? std::optional(Place{.symbol = m_program.text(token)})
                                         : std::nullopt;
}

std::optional<Place> Values::placeOfRegister(Index number, int depth) const
{
    const auto* one = onlyDefinition(number);
    if (one == nullptr) {
        return std::nullopt;
    }
    const auto root = m_program.text(one->opcode);
    const auto count = m_program.operandCount(*one);
    const auto single = [&](std::size_t i) {
        const auto operand = m_program.operand(*one, i);
        return operand.end == operand.first + 1 ? operand.first : none;
    };
    if ((root == "mov" || root == "cvta" || root == "cvt") && count == 2) {
        return single(1) != none ? placeOfToken(single(1), one->scope, depth)
                                 : placeOf(*one, m_program.operand(*one, 1)); // symbol+16
    }
    if (root == "add" && count == 3 && single(1) != none && single(2) != none) {
        auto base = placeOfToken(single(1), one->scope, depth);
        const auto offset = constantOfToken(single(2), one->scope, 0);
        if (base && offset) {
            base->offset += *offset;
            return base;
        }
    }
    // Rounding down within what the variable itself is aligned to.
    if (root == "and" && count == 3 && single(1) != none && single(2) != none) {
        auto base = placeOfToken(single(1), one->scope, depth);
        const auto mask = constantOfToken(single(2), one->scope, 0);
        if (base && mask) {
            const auto step = -static_cast<std::int64_t>(static_cast<std::int32_t>(*mask));
            const bool isPower = step > 0 && (step & (step - 1)) == 0;
            if (isPower && step <= alignmentOf(base->symbol) && base->offset >= 0) {
                base->offset -= base->offset % step;
                return base;
            }
        }
    }
    return std::nullopt;
}

std::int64_t Values::alignmentOf(std::string_view symbol) const
{
    for (const auto* list : {&m_function.shared, &m_shared}) {
        for (const auto& one : *list) {
            if (one.name == symbol) {
                return one.alignment != 0 ? one.alignment : one.typeAlignment;
            }
        }
    }
    return 0;
}

std::optional<Place> Values::placeOf(const Statement& at, Operand operand) const
{
    if (m_program.is(operand.first, '[') && operand.end > operand.first + 2) {
        ++operand.first;
        --operand.end;
    }
    if (operand.end == operand.first + 1) {
        return placeOfToken(operand.first, at.scope, 0);
    }
    if (operand.end == operand.first + 3
        && (m_program.is(operand.first + 1, '+') || m_program.is(operand.first + 1, '-'))) {
        auto base = placeOfToken(operand.first, at.scope, 0);
        const auto offset = literalValue(m_program.text(operand.first + 2));
        if (base && offset) {
            base->offset += m_program.is(operand.first + 1, '-') ? -*offset : *offset;
            return base;
        }
    }
    // "%r+-16" is how compilers write it.
    if (operand.end == operand.first + 4 && m_program.is(operand.first + 1, '+')
        && m_program.is(operand.first + 2, '-')) {
        auto base = placeOfToken(operand.first, at.scope, 0);
        const auto offset = literalValue(m_program.text(operand.first + 3));
        if (base && offset) {
            base->offset -= *offset;
            return base;
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::lint
