// SPDX-License-Identifier: Apache-2.0
// tcgen05 runs beside the threads: a commit tells that an mma is over, wait::ld that a load is.
#include "core/ptx/lint/function_rule.h"

#include <algorithm>

namespace ptxwb::lint {

namespace {

class Order : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        if (!isFlowKnown() || anyCall()) {
            return; // a called function may commit or wait
        }
        if (m_function.isEntry) {
            committed();
        }
        if (m_isGenerated) {
            return; // between its instructions a compiler puts uses where it likes
        }
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            if (isNamed(m_program.opcode(m_program.statements[i]), "tcgen05.ld")) {
                loaded(i);
            }
        }
    }

private:
    // Only what no commit follows on any path.
    void committed()
    {
        std::vector<bool> marked(m_flow.blocks.size());
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            for (auto i = m_flow.blocks[b].first; i < m_flow.blocks[b].end && !marked[b]; ++i) {
                marked[b] = isNamed(m_program.opcode(m_program.statements[i]), "tcgen05.commit");
            }
        }
        const auto after = reaches(m_flow, marked);
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            for (auto i = m_flow.blocks[b].end; i-- > m_flow.blocks[b].first && !after[b];) {
                const auto& one = m_program.statements[i];
                const auto opcode = m_program.opcode(one);
                if (isNamed(opcode, "tcgen05.commit")) {
                    break;
                }
                if (isNamed(opcode, "tcgen05.mma")) {
                    m_sink.add("tcgen05-commit", one.opcode, one.opcodeEnd,
                        "no tcgen05.commit follows this on any path: no mbarrier tells when its result is "
                        "there");
                    return;
                }
            }
        }
    }

    // Forward from the load on every path; where one of them waits, nothing is said.
    void loaded(Index load)
    {
        const auto& made = m_program.statements[load];
        const auto held = registersIn(made, 0, 1);
        if (made.guard != none || held.empty()) {
            return;
        }
        struct Place {
            Index block;
            Index statement;
        };
        std::vector<bool> seen(m_flow.blocks.size());
        std::vector<Place> open{{blockOf(load), load + 1}};
        Index use = none;
        int left = 4096;
        while (!open.empty()) {
            auto [block, i] = open.back();
            open.pop_back();
            const auto& here = m_flow.blocks[block];
            for (; i < here.end; ++i) {
                const auto& one = m_program.statements[i];
                const auto opcode = m_program.opcode(one);
                if (--left < 0 || isNamed(opcode, "tcgen05.wait::ld") || isNamed(opcode, "call")) {
                    return;
                }
                const auto touched = registersIn(one, 0, m_program.operandCount(one));
                const bool touches = std::any_of(touched.begin(), touched.end(),
                    [&](Index number) { return std::binary_search(held.begin(), held.end(), number); });
                if (touches && !isNamed(opcode, "tcgen05.ld")) {
                    use = std::min(use, i);
                    break;
                }
            }
            if (i < here.end) {
                continue;
            }
            for (const auto next : here.successors) {
                if (!seen[next]) {
                    seen[next] = true;
                    open.push_back({next, m_flow.blocks[next].first});
                }
            }
        }
        if (use != none) {
            say(use, load);
        }
    }

    void say(Index used, Index loading)
    {
        if (m_saidWait) {
            return; // where it waits once, the other loads are waited for as well
        }
        m_saidWait = true;
        const auto& use = m_program.statements[used];
        const auto& load = m_program.statements[loading];
        auto& made = m_sink.addBeside("tcgen05-wait", use.opcode, use.end,
            "this uses a register of the tcgen05.ld in line <line>, and no tcgen05.wait::ld stands between",
            load.opcode);
        // All threads of the warp must come by: behind a branch that is known of the load only.
        const bool together = blockOf(used) == blockOf(loading);
        made.fixTitle = together ? "put tcgen05.wait::ld before it" : "put tcgen05.wait::ld behind the load";
        const auto& at = together ? use : m_program.statements[loading + 1];
        made.edits.push_back(m_sink.insertBefore(at.first, "tcgen05.wait::ld.sync.aligned;\n    "));
    }

    bool m_saidWait = false;
};

} // namespace

void checkTcgen05Order(Function& function, const Context& context, Sink& sink)
{
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        const auto opcode = context.program.opcode(context.program.statements[i]);
        if (isNamed(opcode, "tcgen05.mma") || isNamed(opcode, "tcgen05.ld")) {
            Order(function, context, sink).check();
            return;
        }
    }
}

} // namespace ptxwb::lint
