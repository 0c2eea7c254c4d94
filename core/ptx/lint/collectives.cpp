// SPDX-License-Identifier: Apache-2.0
// Instructions of a whole warp where one thread runs, those of one thread where all run, and blocks that have
// fewer threads than an instruction needs.
#include "core/ptx/lint/function_rule.h"
#include "core/ptx/lint/values.h"

#include <fmt/format.h>

namespace ptxwb::lint {

namespace {

class Collectives : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        threads();
        const auto& limits = m_function.limits;
        if (limits.requiredThreads.value_or(limits.maxThreads.value_or(2)) == 1 || !isFlowKnown()
            || anyCall()) {
            return;
        }
        findChoices();
        alone();
        if (m_function.isEntry) {
            together();
        }
    }

private:
    // A predicate that at most one thread of a warp has true, or false.
    struct Choice {
        bool whenTrue = true;
        Index statement = none;
    };

    static bool isFull(std::optional<std::uint64_t> mask)
    {
        return mask && (*mask & 0xffffffffU) == 0xffffffffU;
    }

    // Of all threads of a warp at once.
    bool isCollective(const Statement& one, std::string_view opcode) const
    {
        if (opcode.find(".aligned") != std::string_view::npos || isNamed(opcode, "bar.sync")
            || isNamed(opcode, "bar.red")) {
            return true;
        }
        const auto count = m_program.operandCount(one);
        for (const std::string_view name : {"shfl.sync", "vote.sync", "elect.sync", "bar.warp.sync"}) {
            if (isNamed(opcode, name) && count > 0) {
                const auto mask = m_program.operand(one, count - 1);
                const auto value =
                    mask.end <= mask.first + 2 ? literalValue(m_program.text(mask.end - 1)) : std::nullopt;
                const bool isMinusOne =
                    mask.end == mask.first + 2 && m_program.is(mask.first, '-') && value && *value == 1;
                return isMinusOne || (value && (*value == -1 || isFull(static_cast<std::uint64_t>(*value))));
            }
        }
        return false;
    }

    bool isThreadNumber(Index token) const
    {
        const auto word = m_program.text(token);
        return word == "%tid.x" || word == "%laneid" || m_numbers.contains(m_function.registerOf(token));
    }

    void findChoices()
    {
        std::unordered_map<Index, int> writes;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            for (auto at = one.opcodeEnd; at < one.end; ++at) {
                if (m_program.text(at) == "%tid.y" || m_program.text(at) == "%tid.z") {
                    return; // then %tid.x does not tell one thread
                }
            }
            if (m_program.operandCount(one) == 0 || m_program.is(m_program.operand(one, 0).first, '[')) {
                continue;
            }
            for (const auto number : registersIn(one, 0, 1)) {
                ++writes[number];
            }
        }
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            const auto count = m_program.operandCount(one);
            if (one.guard != none || count < 2) {
                continue;
            }
            const auto result = m_program.operand(one, 0);
            const auto number = m_function.registerOf(result.end - 1);
            if (number == none || writes[number] != 1) {
                continue;
            }
            const auto source = m_program.operand(one, 1);
            const bool isPlain = result.end == result.first + 1;
            if (isPlain && isNamed(opcode, "mov") && source.end == source.first + 1
                && isThreadNumber(source.first)) {
                m_numbers.insert(number);
            } else if (isNamed(opcode, "elect.sync")) {
                m_choices[number] = {.whenTrue = true, .statement = i};
            } else if (isPlain && count == 3 && (isNamed(opcode, "setp.eq") || isNamed(opcode, "setp.ne"))
                && isThreadNumber(source.first) && source.end == source.first + 1
                && m_program.tokens[m_program.operand(one, 2).first].kind == TokenKind::Number) {
                m_choices[number] = {.whenTrue = isNamed(opcode, "setp.eq"), .statement = i};
            }
        }
    }

    // The choice that lets one thread only run a guarded statement; nullptr if none does.
    const Choice* choiceOf(const Statement& one, bool taken) const
    {
        const auto number = one.guard == none ? none : m_function.registerOf(one.guard);
        const auto found = number == none ? m_choices.end() : m_choices.find(number);
        if (found == m_choices.end()) {
            return nullptr;
        }
        const bool isNegated = m_program.text(one.first) == "@!";
        return (found->second.whenTrue != isNegated) == taken ? &found->second : nullptr;
    }

    void alone()
    {
        if (m_choices.empty()) {
            return;
        }
        std::vector<std::vector<Index>> before(m_flow.blocks.size());
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            for (const auto to : m_flow.blocks[b].successors) {
                before[to].push_back(b);
            }
        }
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto* choice = choiceOf(one, true);
            if (choice != nullptr && isCollective(one, m_program.opcode(one)) && say(one, *choice)) {
                return;
            }
        }
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            const auto& block = m_flow.blocks[b];
            const auto& last = m_program.statements[block.end - 1];
            if (block.successors.size() != 2 || m_program.text(last.opcode) != "bra") {
                continue;
            }
            for (const bool taken : {true, false}) {
                const auto* choice = choiceOf(last, taken);
                const auto to = block.successors[taken ? 0 : 1];
                if (choice != nullptr && before[to].size() == 1 && region(to, before, *choice)) {
                    return;
                }
            }
        }
    }

    // Blocks that only the chosen thread enters: every way to them comes from within. True if something was
    // said.
    bool region(Index start, const std::vector<std::vector<Index>>& before, const Choice& choice)
    {
        std::vector<bool> within(m_flow.blocks.size());
        within[start] = true;
        for (Index b = start + 1; b < m_flow.blocks.size(); ++b) { // what follows stands behind, as a rule
            within[b] = !before[b].empty()
                && std::all_of(before[b].begin(), before[b].end(),
                    [&](Index from) { return within[from] || from == b; });
        }
        for (Index b = start; b < m_flow.blocks.size(); ++b) {
            for (auto i = m_flow.blocks[b].first; within[b] && i < m_flow.blocks[b].end; ++i) {
                const auto& one = m_program.statements[i];
                if (isCollective(one, m_program.opcode(one))) {
                    return say(one, choice);
                }
            }
        }
        return false;
    }

    bool say(const Statement& one, const Choice& choice)
    {
        m_sink.addBeside("one-thread", one.opcode, one.opcodeEnd,
            "all threads of a warp must run this together, but the choice of line <line> leaves one",
            m_program.statements[choice.statement].opcode);
        return true;
    }

    // What one thread is to issue, in a block that every thread passes.
    void together()
    {
        bool isWarp = false;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd && !isWarp; ++i) {
            const auto opcode = m_program.opcode(m_program.statements[i]);
            isWarp = isNamed(opcode, "tcgen05.alloc") || isNamed(opcode, "tcgen05.ld");
        }
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd && isWarp; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (one.guard == none && (isNamed(opcode, "tcgen05.mma") || isNamed(opcode, "tcgen05.cp"))
                && everyoneComesBy(blockOf(i))) {
                m_sink.add("every-thread", one.opcode, one.opcodeEnd,
                    "every thread of the block comes by here and issues this anew; one thread is to issue "
                    "it");
                return;
            }
        }
    }

    bool everyoneComesBy(Index block) const
    {
        std::vector<bool> seen(m_flow.blocks.size());
        std::vector<Index> open{0};
        while (!open.empty()) {
            const auto b = open.back();
            open.pop_back();
            if (b == block || seen[b]) {
                continue;
            }
            seen[b] = true;
            const auto& one = m_flow.blocks[b];
            const auto& last = m_program.statements[one.end - 1];
            const bool ends = one.successors.empty()
                || (last.guard != none && m_program.text(last.opcode) != "bra" && one.successors.size() < 2);
            if (ends) {
                return false;
            }
            open.insert(open.end(), one.successors.begin(), one.successors.end());
        }
        return true;
    }

    void threads()
    {
        const auto& limits = m_function.limits;
        const auto most = limits.requiredThreads ? limits.requiredThreads : limits.maxThreads;
        constexpr std::uint64_t warpgroup = 128;
        for (auto i = m_function.statementsFirst; most && i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (isNamed(opcode, "wgmma.mma_async") && *most < warpgroup) {
                m_sink.add("thread-count", one.opcode, one.opcodeEnd,
                    fmt::format("wgmma is of a warpgroup, {} threads; the block has {}{}", warpgroup,
                        limits.requiredThreads ? "" : "at most ", *most));
                return;
            }
            const bool isBarrier = opcode.starts_with("bar.") || opcode.starts_with("barrier.sync")
                || opcode.starts_with("barrier.arrive") || opcode.starts_with("barrier.cta.");
            if (!isBarrier || opcode.starts_with("bar.warp") || m_program.operandCount(one) != 2
                || opcode.find(".red") != std::string_view::npos) {
                continue;
            }
            const auto operand = m_program.operand(one, 1);
            const auto count = m_values.constantOf(one, operand);
            if (count && *count > *most) {
                m_sink.addOfInstruction("thread-count", one, operand.first, operand.end,
                    fmt::format("the barrier waits for {} threads; the block has {}{}", *count,
                        limits.requiredThreads ? "" : "at most ", *most));
                return;
            }
        }
    }

    std::unordered_set<Index> m_numbers; ///< registers that hold %tid.x or %laneid
    std::unordered_map<Index, Choice> m_choices;
};

} // namespace

void checkCollectives(Function& function, const Context& context, Sink& sink)
{
    if (function.wellFormed && function.isComplete) {
        Collectives(function, context, sink).check();
    }
}

} // namespace ptxwb::lint
