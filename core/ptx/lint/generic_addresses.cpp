// SPDX-License-Identifier: Apache-2.0
// A variable's own address where a generic one is read: mov without cvta.
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/rules.h"
#include "core/ptx/lint/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

class GenericAddresses {
public:
    GenericAddresses(const Function& function, const Context& context, Sink& sink)
        : m_function(function)
        , m_context(context)
        , m_program(context.program)
        , m_sink(sink)
    {
    }

    void check()
    {
        if (!anyMove()) {
            return;
        }
        findMoves();
        if (m_moves.empty()) {
            return;
        }
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (isNamed(opcode, "cp.async.bulk.tensor") && m_program.operandCount(one) >= 2) {
                const bool stores = opcode.find(".global.shared::cta") != std::string_view::npos;
                address(one, m_program.operand(one, stores ? 0 : 1));
            } else if (isGenericAccess(one, opcode)) {
                address(one, m_program.operand(one, m_program.text(one.opcode) == "st" ? 0 : 1));
            }
        }
    }

private:
    struct Move {
        Index statement = none; ///< none: the register has another definition, or a cvta
        std::string_view symbol{};
        std::string_view space{};
    };

    // `ld.u32`, `st.f32`: no state space among the words.
    bool isGenericAccess(const Statement& one, std::string_view opcode) const
    {
        const auto root = m_program.text(one.opcode);
        if ((root != "ld" && root != "st") || m_program.operandCount(one) < 2) {
            return false;
        }
        return std::none_of(spaces.begin(), spaces.end(),
            [&](std::string_view space) { return opcode.find(space) != std::string_view::npos; });
    }

    std::string_view spaceOf(std::string_view name) const
    {
        const auto* variable = variableNamed(m_function, m_context.facts, name);
        if (variable == nullptr || (variable->space == "param" && !m_function.isEntry)) {
            return {};
        }
        return variable->space == "param" || variable->space == "shared" ? variable->space
                                                                         : std::string_view{};
    }

    // Most kernels have none, and then there is nothing to look up.
    bool anyMove() const
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            if (m_program.text(one.opcode) == "mov" && m_program.operandCount(one) == 2
                && m_program.tokens[m_program.operand(one, 1).first].kind == TokenKind::Identifier
                && !spaceOf(m_program.text(m_program.operand(one, 1).first)).empty()) {
                return true;
            }
        }
        return false;
    }

    void findMoves()
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            if (m_program.operandCount(one) == 0 || m_program.is(m_program.operand(one, 0).first, '[')) {
                continue;
            }
            const auto result = m_program.operand(one, 0);
            for (auto at = result.first; at < result.end; ++at) {
                const auto kind = m_program.tokens[at].kind;
                if (kind != TokenKind::Register && kind != TokenKind::Identifier) {
                    continue;
                }
                const auto found = resolve(m_function, m_program.text(at), one.scope);
                if (found.declaration == nullptr) {
                    continue;
                }
                const auto [entry, isNew] = m_moves.emplace(found.number, Move{});
                entry->second = {};
                const auto source = m_program.operandCount(one) == 2 ? m_program.operand(one, 1) : Operand{};
                const auto opcode = m_program.opcode(one);
                if (isNew && (opcode == "mov.b64" || opcode == "mov.u64") && one.guard == none
                    && source.end == source.first + 1) {
                    const auto symbol = m_program.text(source.first);
                    entry->second = {.statement = i, .symbol = symbol, .space = spaceOf(symbol)};
                }
            }
        }
        std::erase_if(m_moves,
            [](const auto& one) { return one.second.statement == none || one.second.space.empty(); });
    }

    void address(const Statement& one, const Operand& operand)
    {
        if (operand.end < operand.first + 2 || !m_program.is(operand.first, '[')) {
            return;
        }
        const auto token = operand.first + 1;
        const auto found = resolve(m_function, m_program.text(token), one.scope);
        const auto move = found.declaration == nullptr ? m_moves.end() : m_moves.find(found.number);
        if (move == m_moves.end() || move->second.statement == none) {
            return;
        }
        const auto& made = m_program.statements[move->second.statement];
        const auto name = m_program.text(token);
        auto& said = m_sink.addBeside("generic-address", made.opcode, made.end,
            fmt::format("'{}' is the .{} address of '{}'; line <line> takes it for a generic one", name,
                move->second.space, move->second.symbol),
            one.opcode);
        if (m_program.is(made.end, ';')) {
            said.fixTitle = fmt::format("put cvta.{}.u64 behind it", move->second.space);
            said.edits.push_back(m_sink.insertBehind(
                made.end, fmt::format("\n    cvta.{}.u64 {}, {};", move->second.space, name, name)));
        }
        m_moves.erase(move);
    }

    static constexpr std::array<std::string_view, 6> spaces{
        ".global", ".shared", ".param", ".local", ".const", ".volatile"};

    const Function& m_function;
    const Context& m_context;
    const Program& m_program;
    Sink& m_sink;
    std::unordered_map<Index, Move> m_moves;
};

} // namespace

void checkGenericAddresses(Function& function, const Context& context, Sink& sink)
{
    GenericAddresses(function, context, sink).check();
}

} // namespace ptxwb::lint
