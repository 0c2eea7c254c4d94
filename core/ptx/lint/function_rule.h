// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/rules.h"

#include <algorithm>
#include <vector>

namespace ptxwb::lint {

/// What the rules over one function have in common.
class FunctionRule {
public:
    FunctionRule(const Function& function, const Context& context, Sink& sink)
        : m_function(function)
        , m_context(context)
        , m_program(context.program)
        , m_sink(sink)
        , m_flow(*context.flow)
        , m_values(*context.values)
        , m_isGenerated(context.facts.isGenerated)
    {
    }

protected:
    bool isFlowKnown() const { return m_flow.isKnown && !m_flow.blocks.empty(); }

    Index blockOf(Index statement) const { return m_flow.blockOf[statement - m_function.statementsFirst]; }

    /// A called function may do anything.
    bool anyCall() const
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            if (m_program.text(m_program.statements[i].opcode).starts_with("call")) {
                return true;
            }
        }
        return false;
    }

    /// Numbers of the registers in operands [from, to), sorted, each once.
    std::vector<Index> registersIn(const Statement& one, std::size_t from, std::size_t to) const
    {
        std::vector<Index> numbers;
        for (auto i = from; i < std::min(to, m_program.operandCount(one)); ++i) {
            const auto operand = m_program.operand(one, i);
            for (auto at = operand.first; at < operand.end; ++at) {
                if (const auto number = m_function.registerOf(at); number != none) {
                    numbers.push_back(number);
                }
            }
        }
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        return numbers;
    }

    const Function& m_function;
    const Context& m_context;
    const Program& m_program;
    Sink& m_sink;
    const Flow& m_flow;
    const Values& m_values;
    bool m_isGenerated;
};

} // namespace ptxwb::lint
