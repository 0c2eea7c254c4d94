// SPDX-License-Identifier: Apache-2.0
// A wait for one parity in every round of a loop, while each round of this loop, or of another role's, ends
// one phase of the barrier.
#include "core/ptx/lint/function_rule.h"
#include "core/ptx/lint/reaching.h"

#include <fmt/format.h>

namespace ptxwb::lint {

namespace {

bool isWait(std::string_view opcode)
{
    return isNamed(opcode, "mbarrier.try_wait") || isNamed(opcode, "mbarrier.test_wait");
}

class Phases : private FunctionRule {
public:
    Phases(const Function& function, const Context& context, Sink& sink, Reaching& reaching)
        : FunctionRule(function, context, sink)
        , m_reaching(reaching)
    {
    }

    void check()
    {
        std::vector<Use> waits;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto opcode = m_program.opcode(m_program.statements[i]);
            if (isWait(opcode)) {
                waits.push_back({.statement = i, .barrier = barrierOf(i)});
            } else if (isNamed(opcode, "mbarrier.arrive") || isNamed(opcode, "mbarrier.arrive_drop")
                || isNamed(opcode, "tcgen05.commit")) {
                m_arrivals.push_back({.statement = i, .barrier = barrierOf(i)});
            } else if (isNamed(opcode, "mbarrier.init") || isNamed(opcode, "mbarrier.inval")
                || isNamed(opcode, "cp.async.mbarrier") || opcode.starts_with("mapa")) {
                m_resets.push_back(i);
            } else if (opcode.starts_with("call")) {
                return;
            }
        }
        constexpr std::size_t most = 16; // each looks over the graph several times
        for (std::size_t i = 0; i < std::min(waits.size(), most); ++i) {
            wait(waits[i], waits);
        }
    }

private:
    using Blocks = std::vector<bool>;

    struct Use {
        Index statement = 0;
        std::optional<Span> barrier{};
    };

    std::optional<Span> barrierOf(Index statement)
    {
        const auto& one = m_program.statements[statement];
        for (std::size_t i = 0; i < std::min<std::size_t>(m_program.operandCount(one), 2); ++i) {
            if (m_program.is(m_program.operand(one, i).first, '[')) {
                return m_reaching.spanOf(statement, m_program.operand(one, i));
            }
        }
        return std::nullopt;
    }

    // Blocks on some way from `from` back to `to`.
    Blocks round(Index from, Index to) const
    {
        Blocks start(m_flow.blocks.size());
        Blocks end(m_flow.blocks.size());
        start[from] = true;
        end[to] = true;
        auto made = reachedFrom(m_flow, start);
        const auto back = reaches(m_flow, end);
        for (Index b = 0; b < made.size(); ++b) {
            made[b] = (made[b] || b == from) && (back[b] || b == to);
        }
        return made;
    }

    // Where a wait goes on when the phase is over; `none` if the text does not show it.
    Index behind(Index wait) const
    {
        const auto& one = m_program.statements[wait];
        const auto home = blockOf(wait);
        const auto& block = m_flow.blocks[home];
        const auto& last = m_program.statements[block.end - 1];
        const auto done =
            m_program.operandCount(one) > 0 ? m_function.registerOf(m_program.operand(one, 0).first) : none;
        if (last.guard == none || done == none || m_function.registerOf(last.guard) != done
            || m_program.text(last.opcode) != "bra" || block.successors.size() != 2) {
            return none;
        }
        return block.successors[m_program.text(last.first) == "@!" ? 1 : 0];
    }

    // Whether a guard says which thread it is, not which round: written outside, or by elect.sync.
    bool isOfThread(Index guard, const Blocks& round) const
    {
        const auto number = m_function.registerOf(guard);
        return number != none
            && std::all_of(
                m_reaching.writesOf(number).begin(), m_reaching.writesOf(number).end(), [&](Index i) {
                    return !round[blockOf(i)]
                        || isNamed(m_program.opcode(m_program.statements[i]), "elect.sync");
                });
    }

    // Of the answer of a wait, as it is read by the last statement of a block.
    bool isOfWait(Index statement) const
    {
        const auto number = m_function.registerOf(m_program.statements[statement].guard);
        const auto writes =
            number == none ? std::vector<Index>() : m_reaching.definitionsOf(number, statement);
        return !writes.empty() && std::all_of(writes.begin(), writes.end(), [&](Index i) {
            return i != none && isWait(m_program.opcode(m_program.statements[i]));
        });
    }

    // No branch of the loop but its own end, waits and the choice of a thread.
    bool isStraight(const Blocks& round) const
    {
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            const auto& block = m_flow.blocks[b];
            if (!round[b] || block.successors.size() < 2) {
                continue;
            }
            const auto last = block.end - 1;
            const bool leaves = std::any_of(block.successors.begin(), block.successors.end(),
                [&](Index to) { return !round[to] || to <= b; });
            if (!leaves && !isOfThread(m_program.statements[last].guard, round) && !isOfWait(last)) {
                return false;
            }
        }
        return true;
    }

    // Whether no way round the loop comes by a step of the ring, and not by the block.
    bool isInEveryStep(Index block, Index ring, const Blocks& round) const
    {
        for (const auto i : m_reaching.writesOf(ring)) {
            const auto step = blockOf(i);
            if (!round[step] || step == block) {
                continue;
            }
            Blocks seen(m_flow.blocks.size());
            seen[block] = true;
            auto open = m_flow.blocks[step].successors;
            while (!open.empty()) {
                const auto b = open.back();
                open.pop_back();
                if (b == step) {
                    return false;
                }
                if (!seen[b]) {
                    seen[b] = true;
                    open.insert(
                        open.end(), m_flow.blocks[b].successors.begin(), m_flow.blocks[b].successors.end());
                }
            }
        }
        return true;
    }

    bool isInEveryRound(Index statement, const Span& barrier, const Blocks& round) const
    {
        return barrier.ring == none ? isStraight(round)
                                    : isInEveryStep(blockOf(statement), barrier.ring, round);
    }

    // One barrier in every round, or those of a ring that goes round within it.
    bool returns(const Span& barrier, const Blocks& round)
    {
        if (barrier.ring == none) {
            return barrier.low == barrier.high;
        }
        const auto& resets = m_reaching.resetsOf(barrier.ring);
        return std::any_of(resets.begin(), resets.end(), [&](Index i) { return round[blockOf(i)]; });
    }

    // What a wait names as its parity: a number, or the statements that make it.
    std::optional<std::vector<Index>> parityMadeBy(Index wait) const
    {
        const auto& one = m_program.statements[wait];
        if (m_program.opcode(one).find(".parity") == std::string_view::npos
            || m_program.operandCount(one) < 3) {
            return std::nullopt;
        }
        const auto operand = m_program.operand(one, 2);
        const auto number = m_function.registerOf(operand.first);
        if (operand.end != operand.first + 1) {
            return std::nullopt;
        }
        return number == none ? std::vector<Index>() : m_reaching.definitionsOf(number, wait);
    }

    bool isSameParity(Index a, Index b) const
    {
        const auto& one = m_program.operand(m_program.statements[a], 2);
        const auto& other = m_program.operand(m_program.statements[b], 2);
        return parityMadeBy(a) && parityMadeBy(a) == parityMadeBy(b)
            && m_program.text(one.first) == m_program.text(other.first);
    }

    // The only arrival that may be at the barrier, in a loop that comes to it in every round.
    Index arrivalAt(const Span& barrier)
    {
        Index found = none;
        for (const auto& one : m_arrivals) {
            if (one.barrier && !mayMeet(*one.barrier, barrier)) {
                continue;
            }
            if (!one.barrier || found != none) {
                return none;
            }
            const auto block = blockOf(one.statement);
            const auto loop = round(block, block);
            const auto guard = m_program.statements[one.statement].guard;
            if (!reachesItself(block) || (guard != none && !isOfThread(guard, loop))
                || !isInEveryRound(one.statement, *one.barrier, loop) || !returns(*one.barrier, loop)
                || anyIn(m_resets, loop)) {
                return none;
            }
            found = one.statement;
        }
        return found;
    }

    bool reachesItself(Index block) const
    {
        Blocks here(m_flow.blocks.size());
        here[block] = true;
        return reachedFrom(m_flow, here)[block];
    }

    bool anyIn(const std::vector<Index>& statements, const Blocks& round) const
    {
        return std::any_of(statements.begin(), statements.end(), [&](Index i) { return round[blockOf(i)]; });
    }

    void wait(const Use& use, const std::vector<Use>& waits)
    {
        const auto made = parityMadeBy(use.statement);
        const auto next = behind(use.statement);
        if (!made || next == none || !use.barrier) {
            return;
        }
        const auto home = blockOf(use.statement);
        const auto loop = round(next, home);
        if (!loop[next] || !loop[home] || !returns(*use.barrier, loop) || anyIn(m_resets, loop)
            || std::any_of(
                made->begin(), made->end(), [&](Index i) { return i == none || loop[blockOf(i)]; })) {
            return;
        }
        const bool isOnly = std::all_of(waits.begin(), waits.end(), [&](const Use& other) {
            return !loop[blockOf(other.statement)]
                || (other.barrier
                    && (!mayMeet(*other.barrier, *use.barrier)
                        || isSameParity(use.statement, other.statement)));
        });
        const auto arrival =
            isOnly && isInEveryRound(use.statement, *use.barrier, loop) ? arrivalAt(*use.barrier) : none;
        const bool isKnown = std::any_of(
            m_said.begin(), m_said.end(), [&](const Span& one) { return mayMeet(one, *use.barrier); });
        if (arrival == none || isKnown) {
            return;
        }
        m_said.push_back(*use.barrier);
        const auto operand = m_program.operand(m_program.statements[use.statement], 2);
        m_sink.addBeside("phase-parity", operand.first, operand.end,
            fmt::format("parity {} is the same in every round, but line <line> ends a phase in each of its "
                        "rounds and "
                        "changes it: from the second on this waits for a phase that is over",
                m_program.text(operand.first)),
            m_program.statements[arrival].opcode);
    }

    Reaching& m_reaching;
    std::vector<Use> m_arrivals;
    std::vector<Index> m_resets;
    std::vector<Span> m_said;
};

} // namespace

void checkPhases(Function& function, const Context& context, Sink& sink)
{
    bool isConcerned = false;
    for (auto i = function.statementsFirst; i < function.statementsEnd && !isConcerned; ++i) {
        const auto opcode = context.program.opcode(context.program.statements[i]);
        isConcerned = isWait(opcode) || opcode.starts_with("cp.async.bulk");
    }
    if (!isConcerned || !context.flow->isKnown || context.flow->blocks.empty()) {
        return;
    }
    Reaching reaching(context.program, function, context.facts, *context.flow);
    Phases(function, context, sink, reaching).check();
    if (function.isEntry) {
        checkMissingWaits(function, context, sink, reaching);
    }
}

} // namespace ptxwb::lint
