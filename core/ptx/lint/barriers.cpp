// SPDX-License-Identifier: Apache-2.0
// mbarriers: what stands between their making and their use, and whether anybody reads the answer of a wait.
#include "core/ptx/lint/function_rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

enum class Role { Other, Init, Fence, Barrier, Wait, Copy, Call };

Role roleOf(std::string_view opcode)
{
    if (opcode.starts_with("mbarrier.")) {
        return isNamed(opcode, "mbarrier.init")                                             ? Role::Init
            : isNamed(opcode, "mbarrier.try_wait") || isNamed(opcode, "mbarrier.test_wait") ? Role::Wait
                                                                                            : Role::Other;
    }
    if (opcode.starts_with("cp.async.bulk")) {
        return opcode.find(".mbarrier::complete_tx") != std::string_view::npos ? Role::Copy : Role::Other;
    }
    if (opcode.starts_with("fence.") || opcode.starts_with("membar")) {
        return Role::Fence;
    }
    if (opcode.starts_with("bar.") || opcode.starts_with("barrier.")
        || opcode.starts_with("griddepcontrol")) {
        return Role::Barrier;
    }
    return opcode.starts_with("call") ? Role::Call : Role::Other;
}

// What may have happened on some path so far.
struct Past {
    bool isReached = false;
    bool withoutInit = false; ///< on a path that made no barrier
    bool afterInit = false;
    bool afterBarrier = false; ///< of threads
    bool afterFence = false; ///< behind an init

    friend bool operator==(const Past&, const Past&) = default;
};

Past either(const Past& a, const Past& b)
{
    return {.isReached = a.isReached || b.isReached,
        .withoutInit = a.withoutInit || b.withoutInit,
        .afterInit = a.afterInit || b.afterInit,
        .afterBarrier = a.afterBarrier || b.afterBarrier,
        .afterFence = a.afterFence || b.afterFence};
}

class Barriers : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        if (!isFlowKnown()) {
            return;
        }
        const auto count = m_function.statementsEnd - m_function.statementsFirst;
        m_roles.resize(count);
        bool calls = false;
        Index lastInit = none;
        for (Index i = 0; i < count; ++i) {
            m_roles[i] = roleOf(m_program.opcode(statement(i)));
            calls = calls || m_roles[i] == Role::Call;
            lastInit = m_roles[i] == Role::Init ? i : lastInit;
        }
        if (m_function.isEntry && !calls && lastInit != none) {
            madeVisible(lastInit);
        }
        for (Index i = 0; i < count; ++i) {
            if (m_roles[i] == Role::Wait) {
                answerRead(i);
                retry(i);
            }
        }
    }

private:
    const Statement& statement(Index i) const { return m_program.statements[m_function.statementsFirst + i]; }
    Index indexOf(Index absolute) const { return absolute - m_function.statementsFirst; }

    void step(Index i, Past& past) const
    {
        switch (m_roles[i]) {
        case Role::Init:
            past.afterInit = true;
            past.withoutInit = past.withoutInit && statement(i).guard != none;
            break;
        case Role::Fence:
            past.afterFence = past.afterFence || past.afterInit;
            break;
        case Role::Barrier:
            past.afterBarrier = true;
            break;
        default:
            break;
        }
    }

    // Silent as soon as any path holds what may serve.
    void madeVisible(Index lastInit)
    {
        std::vector<Past> atStart(m_flow.blocks.size());
        atStart[0] = {.isReached = true, .withoutInit = true};
        std::vector<Index> open{0};
        while (!open.empty()) {
            const auto b = open.back();
            open.pop_back();
            auto past = atStart[b];
            for (auto i = m_flow.blocks[b].first; i < m_flow.blocks[b].end; ++i) {
                step(indexOf(i), past);
            }
            for (const auto to : m_flow.blocks[b].successors) {
                const auto met = either(atStart[to], past);
                if (!(met == atStart[to])) {
                    atStart[to] = met;
                    open.push_back(to);
                }
            }
        }
        bool saidFence = false;
        bool saidBarrier = false;
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            auto past = atStart[b];
            for (auto i = m_flow.blocks[b].first; past.isReached && i < m_flow.blocks[b].end; ++i) {
                const auto role = m_roles[indexOf(i)];
                // libcu++ leaves the fence out where __syncthreads follows: compilers' output is taken so.
                const bool isFenced = past.afterFence || (m_isGenerated && past.afterBarrier);
                if (role == Role::Copy && past.afterInit && !isFenced && !saidFence) {
                    saidFence = true;
                    sayFence(lastInit, indexOf(i));
                }
                const bool uses = role == Role::Copy || role == Role::Wait;
                if (uses && past.withoutInit && past.afterInit && !past.afterBarrier && !saidBarrier
                    && (role == Role::Wait || everyWayUses(lastInit))) {
                    saidBarrier = true;
                    sayBarrier(lastInit, indexOf(i));
                }
                step(indexOf(i), past);
            }
        }
    }

    // Whether all threads that come by the init use an mbarrier before a barrier of threads: what only some
    // do may be left to the one that ran the init (elect.sync chooses the same one each time).
    bool everyWayUses(Index init) const
    {
        const auto first = m_flow.blockOf[init];
        std::vector<bool> seen(m_flow.blocks.size());
        std::vector<Index> open{first};
        while (!open.empty()) {
            const auto b = open.back();
            open.pop_back();
            const auto& block = m_flow.blocks[b];
            bool isUsed = false;
            for (auto i = block.first; i < block.end && !isUsed; ++i) {
                const auto role = m_roles[indexOf(i)];
                if (role == Role::Barrier) {
                    return false;
                }
                isUsed = (role == Role::Copy || role == Role::Wait) && statement(indexOf(i)).guard == none;
            }
            if (isUsed) {
                continue;
            }
            if (block.successors.empty()) {
                return false;
            }
            for (const auto next : block.successors) {
                if (!seen[next]) {
                    seen[next] = true;
                    open.push_back(next);
                }
            }
        }
        return true;
    }

    void sayFence(Index init, Index use)
    {
        const auto& one = statement(init);
        auto& made = m_sink.addBeside("mbarrier-init", one.opcode, one.end,
            "no fence makes this visible to the TMA unit before the copy in line <line> signals it",
            statement(use).opcode);
        if (one.guard == none && m_program.is(one.end, ';')) {
            made.fixTitle = "put fence.mbarrier_init and fence.proxy.async behind it";
            made.edits.push_back(m_sink.insertBehind(
                one.end, "\n    fence.mbarrier_init.release.cluster;\n    fence.proxy.async.shared::cta;"));
        }
    }

    void sayBarrier(Index init, Index use)
    {
        const auto& one = statement(init);
        m_sink.addBeside("mbarrier-init", one.opcode, one.end,
            "threads that did not run this reach line <line>, which uses an mbarrier, with no bar.sync or "
            "barrier.cluster between",
            statement(use).opcode);
    }

    bool reads(const Statement& one, Index number) const
    {
        if (one.guard != none && m_function.registerOf(one.guard) == number) {
            return true;
        }
        for (std::size_t i = writesFirst(one) ? 1 : 0; i < m_program.operandCount(one); ++i) {
            const auto operand = m_program.operand(one, i);
            for (auto at = operand.first; at < operand.end; ++at) {
                if (m_function.registerOf(at) == number) {
                    return true;
                }
            }
        }
        return false;
    }

    // Whether the first operand is a result.
    bool writesFirst(const Statement& one) const
    {
        const auto root = m_program.text(one.opcode);
        return root != "st" && root != "red" && m_program.operandCount(one) > 0
            && !m_program.is(m_program.operand(one, 0).first, '[');
    }

    bool writes(const Statement& one, Index number) const
    {
        if (one.guard != none || !writesFirst(one)) {
            return false;
        }
        const auto operand = m_program.operand(one, 0);
        for (auto at = operand.first; at < operand.end; ++at) {
            if (m_function.registerOf(at) == number) {
                return true;
            }
        }
        return false;
    }

    // Back to the wait and nothing else between: right only while the phase is not over.
    void retry(Index wait)
    {
        const auto& one = statement(wait);
        const auto& block = m_flow.blocks[m_flow.blockOf[wait]];
        const auto absolute = m_function.statementsFirst + wait;
        const auto& last = m_program.statements[block.end - 1];
        if (m_program.operandCount(one) < 2 || block.first != absolute || block.end != absolute + 2
            || one.guard != none || last.guard == none || m_program.text(last.opcode) != "bra"
            || m_program.text(last.first) != "@" || block.successors.empty()
            || block.successors.front() != m_flow.blockOf[wait]) {
            return;
        }
        const auto operand = m_program.operand(one, 0);
        const auto number = m_function.registerOf(last.guard);
        if (operand.end == operand.first + 1 && number != none
            && m_function.registerOf(operand.first) == number) {
            auto& made = m_sink.add("wait-result", last.first, last.end,
                fmt::format("this waits again when the phase is over, and goes on when it is not: '{}' is "
                            "true when it is over",
                    m_program.text(last.guard)));
            made.fixTitle = fmt::format("go back while it is not: @!{}", m_program.text(last.guard));
            made.edits.push_back(m_sink.replace(last.first, last.first + 1, "@!"));
        }
    }

    // From the wait on, whether any path reads its predicate before it is written anew.
    void answerRead(Index wait)
    {
        const auto& one = statement(wait);
        if (m_program.operandCount(one) < 2) {
            return;
        }
        const auto operand = m_program.operand(one, 0);
        const auto found = operand.end == operand.first + 1
            ? resolve(m_function, m_program.text(operand.first), one.scope)
            : Resolved{};
        if (found.declaration == nullptr) {
            return;
        }
        std::vector<bool> seen(m_flow.blocks.size());
        const auto runs = [&](Index from, Index end, bool& isOver) {
            for (auto i = from; i < end && !isOver; ++i) {
                if (--m_budget < 0 || reads(m_program.statements[i], found.number)) {
                    return true;
                }
                isOver = writes(m_program.statements[i], found.number);
            }
            return false;
        };
        const auto home = m_flow.blockOf[wait];
        std::vector<Index> open;
        bool isOver = false;
        if (runs(m_function.statementsFirst + wait + 1, m_flow.blocks[home].end, isOver)) {
            return;
        }
        if (!isOver) {
            open = m_flow.blocks[home].successors;
        }
        while (!open.empty()) {
            const auto b = open.back();
            open.pop_back();
            if (seen[b]) {
                continue;
            }
            seen[b] = true;
            isOver = false;
            if (runs(m_flow.blocks[b].first, m_flow.blocks[b].end, isOver)) {
                return;
            }
            if (!isOver) {
                const auto& next = m_flow.blocks[b].successors;
                open.insert(open.end(), next.begin(), next.end());
            }
        }
        const auto name = m_program.text(operand.first);
        auto& made = m_sink.add("wait-result", one.opcode, one.end,
            fmt::format("nothing reads '{}': the program goes on whether the phase is over or not", name));
        const auto absolute = m_function.statementsFirst + wait;
        const auto label = std::find_if(m_function.labels.begin(), m_function.labels.end(),
            [&](const Label& known) { return known.statement == absolute; });
        if (label != m_function.labels.end() && one.guard == none && m_program.is(one.end, ';')) {
            made.fixTitle = fmt::format("go back to {} until it is over", label->name);
            made.edits.push_back(
                m_sink.insertBehind(one.end, fmt::format("\n    @!{} bra {};", name, label->name)));
        }
    }

    std::vector<Role> m_roles;
    int m_budget = 100000; ///< statements looked at for readers; beyond it nothing is said
};

} // namespace

void checkBarriers(Function& function, const Context& context, Sink& sink)
{
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        const auto opcode = context.program.opcode(context.program.statements[i]);
        if (isNamed(opcode, "mbarrier.init") || isNamed(opcode, "mbarrier.try_wait")
            || isNamed(opcode, "mbarrier.test_wait")) {
            Barriers(function, context, sink).check();
            return;
        }
    }
}

} // namespace ptxwb::lint
