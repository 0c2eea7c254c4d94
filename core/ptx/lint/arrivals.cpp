// SPDX-License-Identifier: Apache-2.0
// An mbarrier that is made and waited for, and at which nothing of the kernel arrives: no thread, no copy, no
// tcgen05.commit. Told by the register's name, so only where the text shows that it has no other.
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

struct Candidate {
    std::string_view name{};
    Index wait = none;
    Index definition = none;
    bool isMade = false;
    bool isUsedOtherwise = false;
};

class Arrivals {
public:
    Arrivals(const Function& function, const Context& context, Sink& sink)
        : m_function(function)
        , m_program(context.program)
        , m_sink(sink)
    {
    }

    void check()
    {
        std::unordered_set<std::string_view> made;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (opcode.starts_with("call")) {
                return;
            }
            if (isWait(opcode)) {
                take(i);
            } else if (isNamed(opcode, "mbarrier.init") && m_program.operandCount(one) > 0) {
                made.insert(bracketed(m_program.operand(one, 0)));
            }
        }
        std::erase_if(m_candidates, [&](const Candidate& one) { return !made.contains(one.name); });
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd && !m_candidates.empty();
             ++i) {
            lookAt(i);
        }
        for (const auto& one : m_candidates) {
            if (one.isMade && !one.isUsedOtherwise && one.definition != none && hasNoOtherName(one)) {
                const auto& wait = m_program.statements[one.wait];
                m_sink.add("wait-forever", wait.opcode, wait.end,
                    fmt::format("nothing in the kernel arrives at [{}]: no mbarrier.arrive, no copy and no "
                                "tcgen05.commit names it",
                        one.name));
            }
        }
    }

private:
    static bool isWait(std::string_view opcode)
    {
        return isNamed(opcode, "mbarrier.try_wait") || isNamed(opcode, "mbarrier.test_wait");
    }

    // The name in "[%name]"; empty for anything else.
    std::string_view bracketed(const Operand& operand) const
    {
        const bool isPlain = operand.end == operand.first + 3 && m_program.is(operand.first, '[')
            && m_program.tokens[operand.first + 1].kind == TokenKind::Register;
        return isPlain ? m_program.text(operand.first + 1) : std::string_view{};
    }

    void take(Index wait)
    {
        const auto& one = m_program.statements[wait];
        const auto name =
            m_program.operandCount(one) > 1 ? bracketed(m_program.operand(one, 1)) : std::string_view{};
        const bool isKnown = std::any_of(m_candidates.begin(), m_candidates.end(),
            [&](const Candidate& known) { return known.name == name; });
        constexpr std::size_t most = 16;
        if (!name.empty() && !isKnown && m_candidates.size() < most) {
            m_candidates.push_back({.name = name, .wait = wait});
        }
    }

    void lookAt(Index i)
    {
        const auto& one = m_program.statements[i];
        if (m_program.operandCount(one) == 0) {
            return;
        }
        const auto opcode = m_program.opcode(one);
        const auto first = m_program.operand(one, 0);
        for (auto at = first.first; at < one.end; ++at) {
            if (m_program.tokens[at].kind != TokenKind::Register) {
                continue;
            }
            for (auto& candidate : m_candidates) {
                if (m_program.text(at) != candidate.name) {
                    continue;
                }
                if (isNamed(opcode, "mbarrier.init") && bracketed(first) == candidate.name) {
                    candidate.isMade = true;
                } else if (isWait(opcode)) {
                    candidate.isUsedOtherwise = candidate.isUsedOtherwise
                        || bracketed(m_program.operand(
                               one, std::min<std::size_t>(1, m_program.operandCount(one) - 1)))
                            != candidate.name;
                } else if (at == first.first && candidate.definition == none && one.guard == none) {
                    candidate.definition = i;
                } else {
                    candidate.isUsedOtherwise = true;
                }
            }
        }
    }

    // The symbol or number that the address is made of makes no other one.
    bool hasNoOtherName(const Candidate& candidate) const
    {
        const auto& made = m_program.statements[candidate.definition];
        const auto last = made.end - 1;
        const auto kind = m_program.tokens[last].kind;
        if (kind != TokenKind::Number && kind != TokenKind::Identifier) {
            return false;
        }
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            for (auto at = one.opcodeEnd; i != candidate.definition && at < one.end; ++at) {
                if (m_program.tokens[at].kind == kind && m_program.text(at) == m_program.text(last)) {
                    return false;
                }
            }
        }
        return true;
    }

    const Function& m_function;
    const Program& m_program;
    Sink& m_sink;
    std::vector<Candidate> m_candidates;
};

} // namespace

void checkArrivals(Function& function, const Context& context, Sink& sink)
{
    if (function.isEntry && function.wellFormed && function.isComplete && !context.facts.isGenerated) {
        Arrivals(function, context, sink).check();
    }
}

} // namespace ptxwb::lint
