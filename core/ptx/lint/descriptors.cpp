// SPDX-License-Identifier: Apache-2.0
// Matrix descriptors of wgmma and tcgen05 that name a swizzle, over memory that is not aligned to its
// pattern.
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxwb::lint {

namespace {

/// What one descriptor is made of.
struct Made {
    std::string_view symbol{};
    bool isSeveral = false; ///< symbols
    std::uint64_t swizzle = 0; ///< bits 62 and 63 (wgmma)
    bool isRounded = false; ///< up or down, on the way
    bool isShifted = false; ///< right, or who knows
    std::uint64_t bits = 0; ///< of the constants that are set in it
};

class Descriptors {
public:
    Descriptors(const Function& function, const Context& context, Sink& sink)
        : m_function(function)
        , m_context(context)
        , m_program(context.program)
        , m_sink(sink)
    {
    }

    void check()
    {
        constexpr int enough = 1024; // for every swizzle
        const auto isAligned = [](const Variable& one) {
            return one.alignment != 0 && one.alignment % enough == 0;
        };
        const auto& module = m_context.facts.shared;
        m_isAligned = std::all_of(m_function.shared.begin(), m_function.shared.end(), isAligned)
            && std::all_of(module.begin(), module.end(), isAligned);
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            m_isWgmma = isNamed(opcode, "wgmma.mma_async");
            if ((m_isWgmma || isNamed(opcode, "tcgen05.mma")) && !check(one)) {
                return;
            }
        }
    }

private:
    // Definitions of every register, once the first descriptor is seen.
    void findDefinitions()
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            if (m_program.operandCount(one) < 2) {
                continue;
            }
            const auto operand = m_program.operand(one, 0);
            if (operand.end != operand.first + 1) {
                continue;
            }
            const auto found = resolve(m_function, m_program.text(operand.first), one.scope);
            if (found.declaration != nullptr) {
                const auto [entry, isNew] = m_definitions.emplace(found.number, i);
                entry->second = isNew ? i : none;
            }
        }
    }

    // False once something was said: one array is behind many.
    bool check(const Statement& one)
    {
        for (std::size_t i = 1; i < std::min<std::size_t>(m_program.operandCount(one), 3); ++i) {
            const auto operand = m_program.operand(one, i);
            if (operand.end != operand.first + 1) {
                continue;
            }
            if (m_definitions.empty()) {
                findDefinitions();
            }
            const bool isNew = m_seen.insert(m_program.text(operand.first)).second;
            if (!isNew) {
                continue;
            }
            Made made;
            follow(operand.first, one.scope, 0, made);
            if (!say(operand, made)) {
                return false;
            }
        }
        return true;
    }

    void follow(Index token, Index scope, int depth, Made& made)
    {
        constexpr int deepest = 16;
        const auto kind = m_program.tokens[token].kind;
        if (depth > deepest || (kind != TokenKind::Register && kind != TokenKind::Identifier)) {
            return;
        }
        const auto found = resolve(m_function, m_program.text(token), scope);
        if (found.declaration == nullptr) {
            if (kind == TokenKind::Identifier
                && sharedNamed(m_function, m_context.facts, m_program.text(token)) != nullptr) {
                made.isSeveral =
                    made.isSeveral || (!made.symbol.empty() && made.symbol != m_program.text(token));
                made.symbol = m_program.text(token);
            }
            return;
        }
        const auto definition = m_definitions.find(found.number);
        if (definition == m_definitions.end() || definition->second == none) {
            made.isRounded = true; // who knows
            made.isShifted = true;
            return;
        }
        const auto& one = m_program.statements[definition->second];
        const auto root = m_program.text(one.opcode);
        constexpr std::array<std::string_view, 10> steps{
            "mov", "add", "sub", "or", "shr", "shl", "cvt", "and", "cvta", "bfe"};
        if (one.guard != none || std::find(steps.begin(), steps.end(), root) == steps.end()) {
            return; // a stage's offset or the like: no base
        }
        made.isShifted = made.isShifted || root == "shr" || root == "bfe";
        for (std::size_t i = 1; i < m_program.operandCount(one); ++i) {
            const auto operand = m_program.operand(one, i);
            if (operand.end != operand.first + 1) {
                made.isShifted = true; // packed of parts
                continue;
            }
            if (m_program.tokens[operand.first].kind == TokenKind::Number) {
                number(root, literalValue(m_program.text(operand.first)), made);
            } else {
                follow(operand.first, one.scope, depth + 1, made);
            }
        }
    }

    static void number(std::string_view root, std::optional<std::int64_t> value, Made& made)
    {
        if (!value) {
            return;
        }
        const auto bits = static_cast<std::uint64_t>(*value);
        constexpr std::uint64_t pattern = 255;
        if (root == "or" || root == "add" || root == "mov") {
            made.swizzle |= bits >> 62U;
            made.bits |= bits;
            made.isRounded = made.isRounded || (root == "add" && (bits & pattern) == pattern);
        } else if (root == "and") {
            made.isRounded = made.isRounded || (bits & pattern) == 0;
        }
    }

    bool say(const Operand& operand, const Made& made)
    {
        const auto* variable =
            made.symbol.empty() ? nullptr : sharedNamed(m_function, m_context.facts, made.symbol);
        constexpr unsigned half = 32; // above it only a descriptor has bits
        if (variable != nullptr && !made.isSeveral && !made.isShifted && made.bits >> half != 0) {
            m_sink.add("descriptor-address", operand.first, operand.end,
                fmt::format("the address of '{}' goes into this descriptor as it is: shift it right by 4",
                    made.symbol));
            return false;
        }
        if (variable == nullptr || made.isSeveral || made.isRounded || made.swizzle == 0 || m_isAligned
            || !m_isWgmma) {
            return true;
        }
        const int span = made.swizzle == 1 ? 128 : (made.swizzle == 2 ? 64 : 32);
        const int declared = variable->alignment != 0 ? variable->alignment : variable->typeAlignment;
        if (declared % (8 * span) == 0) {
            return true;
        }
        m_sink.add("shared-alignment", operand.first, operand.end,
            fmt::format(
                "the descriptor's tile lies in '{}', which is {}declared .align {}; its {}-byte swizzle "
                "needs a multiple of {}",
                variable->name, variable->isExtern ? "dynamic shared memory, " : "", declared, span,
                8 * span));
        return false;
    }

    const Function& m_function;
    const Context& m_context;
    const Program& m_program;
    Sink& m_sink;
    std::unordered_map<Index, Index> m_definitions; ///< register -> statement, or `none` for several
    std::unordered_set<std::string_view> m_seen;
    bool m_isAligned = false; ///< all of shared memory, for every swizzle
    bool m_isWgmma = false; ///< the instruction that is looked at
};

} // namespace

void checkDescriptors(Function& function, const Context& context, Sink& sink)
{
    if (function.wellFormed && !context.facts.isGenerated) {
        Descriptors(function, context, sink).check();
    }
}

} // namespace ptxwb::lint
