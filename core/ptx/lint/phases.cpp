// SPDX-License-Identifier: Apache-2.0
// A wait for one parity in every round of a loop, while each round ends one phase of the barrier.
#include "core/ptx/lint/function_rule.h"
#include "core/ptx/lint/values.h"

#include <fmt/format.h>

namespace ptxwb::lint {

namespace {

class Phases : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        if (!isFlowKnown() || anyCall()) {
            return;
        }
        countWrites();
        std::vector<Use> waits;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (isNamed(opcode, "mbarrier.try_wait") || isNamed(opcode, "mbarrier.test_wait")) {
                waits.push_back({.statement = i, .barrier = barrierOf(one)});
            } else if (isNamed(opcode, "mbarrier.arrive") || isNamed(opcode, "mbarrier.arrive_drop")
                || isNamed(opcode, "tcgen05.commit")) {
                m_arrivals.push_back({.statement = i, .barrier = barrierOf(one)});
            } else if (isNamed(opcode, "mbarrier.init") || isNamed(opcode, "mbarrier.inval")
                || isNamed(opcode, "cp.async.mbarrier") || opcode.starts_with("mapa")) {
                m_resets.push_back(i);
            }
        }
        constexpr std::size_t most = 16; // each looks over the graph twice
        for (std::size_t i = 0; i < std::min(waits.size(), most); ++i) {
            wait(waits[i], waits);
        }
    }

private:
    struct Use {
        Index statement = 0;
        std::string barrier{}; ///< empty: not one barrier for certain
    };

    void countWrites()
    {
        m_writtenIn.resize(m_function.registerCount);
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            if (m_program.operandCount(one) == 0 || m_program.is(m_program.operand(one, 0).first, '[')) {
                continue;
            }
            for (const auto number : registersIn(one, 0, 1)) {
                m_writtenIn[number].push_back(i);
            }
        }
    }

    std::string barrierOf(const Statement& one) const
    {
        for (std::size_t i = 0; i < std::min<std::size_t>(m_program.operandCount(one), 2); ++i) {
            const auto operand = m_program.operand(one, i);
            if (!m_program.is(operand.first, '[')) {
                continue;
            }
            if (const auto place = m_values.placeOf(one, operand)) {
                return fmt::format("{}+{}", place->symbol, place->offset);
            }
            const auto number = m_function.registerOf(operand.first + 1);
            if (operand.end == operand.first + 3 && number != none && m_writtenIn[number].size() == 1) {
                return fmt::format("register {}", number);
            }
        }
        return {};
    }

    std::optional<std::uint64_t> parityOf(const Statement& one) const
    {
        const bool isParity = m_program.opcode(one).find(".parity") != std::string_view::npos;
        return isParity && m_program.operandCount(one) >= 3
            ? m_values.constantOf(one, m_program.operand(one, 2))
            : std::nullopt;
    }

    // Blocks on some way from the block back to itself.
    std::vector<bool> roundOf(Index block) const
    {
        std::vector<bool> here(m_flow.blocks.size());
        here[block] = true;
        auto round = reachedFrom(m_flow, here);
        const auto back = reaches(m_flow, here);
        for (Index b = 0; b < round.size(); ++b) {
            round[b] = round[b] && back[b];
        }
        return round;
    }

    // Whether a guard says which thread it is, not which round: written outside, or by elect.sync.
    bool isOfThread(Index guard, const std::vector<bool>& round) const
    {
        const auto number = m_function.registerOf(guard);
        return number != none
            && std::all_of(m_writtenIn[number].begin(), m_writtenIn[number].end(), [&](Index i) {
                   return !round[blockOf(i)]
                       || isNamed(m_program.opcode(m_program.statements[i]), "elect.sync");
               });
    }

    bool isOfWait(Index guard) const
    {
        const auto number = m_function.registerOf(guard);
        return number != none
            && std::all_of(m_writtenIn[number].begin(), m_writtenIn[number].end(), [&](Index i) {
                   return m_program.opcode(m_program.statements[i]).find("_wait") != std::string_view::npos;
               });
    }

    // No branch of the loop but its own end, waits and the choice of a thread.
    bool isStraight(const std::vector<bool>& round) const
    {
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            const auto& block = m_flow.blocks[b];
            if (!round[b] || block.successors.size() < 2) {
                continue;
            }
            const auto& last = m_program.statements[block.end - 1];
            const bool leaves = std::any_of(block.successors.begin(), block.successors.end(),
                [&](Index to) { return !round[to] || to <= b; });
            if (!leaves && !isOfThread(last.guard, round) && !isOfWait(last.guard)) {
                return false;
            }
        }
        return true;
    }

    void wait(const Use& use, const std::vector<Use>& waits)
    {
        const auto& one = m_program.statements[use.statement];
        const auto parity = parityOf(one);
        if (!parity || use.barrier.empty()) {
            return;
        }
        const auto round = roundOf(blockOf(use.statement));
        const auto isIn = [&](Index statement) { return round[blockOf(statement)]; };
        if (std::any_of(m_resets.begin(), m_resets.end(), isIn)) {
            return;
        }
        Index arrival = none;
        for (const auto& other : m_arrivals) {
            if (!isIn(other.statement) || (!other.barrier.empty() && other.barrier != use.barrier)) {
                continue;
            }
            const auto guard = m_program.statements[other.statement].guard;
            if (other.barrier.empty() || arrival != none || (guard != none && !isOfThread(guard, round))) {
                return;
            }
            arrival = other.statement;
        }
        const bool isOnly = std::all_of(waits.begin(), waits.end(), [&](const Use& other) {
            return !isIn(other.statement) || (!other.barrier.empty() && other.barrier != use.barrier)
                || (other.barrier == use.barrier
                    && parityOf(m_program.statements[other.statement]) == parity);
        });
        if (arrival == none || !isOnly || !isStraight(round) || !m_said.insert(use.barrier).second) {
            return;
        }
        const auto operand = m_program.operand(one, 2);
        m_sink.addBeside("phase-parity", operand.first, operand.end,
            fmt::format("parity {} in every round, but each round ends a phase by line <line> and changes "
                        "it: from the second on this waits for a phase that is over",
                *parity),
            m_program.statements[arrival].opcode);
    }

    std::vector<std::vector<Index>> m_writtenIn; ///< statements, by register
    std::vector<Use> m_arrivals;
    std::vector<Index> m_resets;
    std::unordered_set<std::string> m_said;
};

} // namespace

void checkPhases(Function& function, const Context& context, Sink& sink)
{
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        const auto opcode = context.program.opcode(context.program.statements[i]);
        if (isNamed(opcode, "mbarrier.try_wait") || isNamed(opcode, "mbarrier.test_wait")) {
            Phases(function, context, sink).check();
            return;
        }
    }
}

} // namespace ptxwb::lint
