// SPDX-License-Identifier: Apache-2.0
// The order that wgmma asks for: fence, multiplications, commit, wait. Only what holds on every path is said.
#include "core/ptx/lint/function_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ptxwb::lint {

namespace {

enum class Role { Other, Fence, Mma, Commit, Wait, Call };

class Wgmma : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        if (!m_flow.isKnown) {
            return;
        }
        const auto count = m_function.statementsEnd - m_function.statementsFirst;
        m_roles.resize(count);
        for (Index i = 0; i < count; ++i) {
            m_roles[i] = roleOf(statement(i));
            m_calls = m_calls || m_roles[i] == Role::Call;
        }
        // A called function may fence, commit or wait; a .func is part of somebody else's order.
        if (!m_calls && m_function.isEntry) {
            missingFence();
            missingBehind(Role::Commit, "wgmma-commit",
                "no wgmma.commit_group follows this wgmma on any path: no wait can wait for it");
            if (!checkAccumulatorReads(m_function, m_context, m_sink)) { // which names the first use instead
                missingBehind(
                    Role::Wait, "wgmma-wait", "the kernel ends without a wgmma.wait_group behind this wgmma");
            }
        } else {
            checkAccumulatorReads(m_function, m_context, m_sink);
        }
        for (const auto& block : m_flow.blocks) {
            writesBefore(block);
        }
    }

private:
    const Statement& statement(Index i) const { return m_program.statements[m_function.statementsFirst + i]; }
    Index indexOf(Index statement) const { return statement - m_function.statementsFirst; }

    Role roleOf(const Statement& one) const
    {
        const auto opcode = m_program.opcode(one);
        if (opcode.starts_with("wgmma.")) {
            return isNamed(opcode, "wgmma.fence")       ? Role::Fence
                : isNamed(opcode, "wgmma.mma_async")    ? Role::Mma
                : isNamed(opcode, "wgmma.commit_group") ? Role::Commit
                : isNamed(opcode, "wgmma.wait_group")   ? Role::Wait
                                                        : Role::Other;
        }
        return opcode.starts_with("call") ? Role::Call : Role::Other;
    }

    std::vector<bool> blocksWith(Role role) const
    {
        std::vector<bool> marked(m_flow.blocks.size());
        for (Index i = 0; i < m_roles.size(); ++i) {
            if (m_roles[i] == role) {
                marked[m_flow.blockOf[i]] = true;
            }
        }
        return marked;
    }

    void missingFence()
    {
        const auto before = reachedFrom(m_flow, blocksWith(Role::Fence));
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            for (auto i = m_flow.blocks[b].first; i < m_flow.blocks[b].end && !before[b]; ++i) {
                const auto role = m_roles[indexOf(i)];
                if (role == Role::Fence) {
                    break;
                }
                if (role == Role::Mma) {
                    const auto& one = m_program.statements[i];
                    auto& made = m_sink.add("wgmma-fence", one.opcode, one.opcodeEnd,
                        "no wgmma.fence stands before this wgmma on any path");
                    made.fixTitle = "put wgmma.fence before it";
                    made.edits.push_back(m_sink.insertBefore(one.first, "wgmma.fence.sync.aligned;\n    "));
                    return; // the first is enough: a fence before it serves the others
                }
            }
        }
    }

    void missingBehind(Role role, std::string_view rule, const char* message)
    {
        const auto after = reaches(m_flow, blocksWith(role));
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            if (after[b]) {
                continue;
            }
            for (auto i = m_flow.blocks[b].end; i-- > m_flow.blocks[b].first;) {
                const auto found = m_roles[indexOf(i)];
                if (found == role) {
                    break;
                }
                if (found == Role::Mma) {
                    const auto& one = m_program.statements[i];
                    auto& made = m_sink.add(rule, one.opcode, one.opcodeEnd, message);
                    if (role == Role::Commit && m_program.is(one.end, ';')) {
                        made.fixTitle = "put wgmma.commit_group behind it";
                        made.edits.push_back(
                            m_sink.insertBehind(one.end, "\n    wgmma.commit_group.sync.aligned;"));
                    }
                    return;
                }
            }
        }
    }

    // Registers of the first operand: numbers within the function.
    void registersOf(const Statement& one, std::set<Index>& numbers) const
    {
        if (m_program.operandCount(one) == 0) {
            return;
        }
        const auto found = registersIn(one, 0, 1);
        numbers.insert(found.begin(), found.end());
    }

    // Within one block nothing can come between: what is written here is written before the wgmma.
    void writesBefore(const Block& block)
    {
        std::set<Index> written; ///< by other instructions since the last fence
        for (auto i = block.first; i < block.end; ++i) {
            const auto& one = m_program.statements[i];
            switch (m_roles[indexOf(i)]) {
            case Role::Fence:
            case Role::Call:
                written.clear();
                break;
            case Role::Mma: {
                std::set<Index> accumulators;
                registersOf(one, accumulators);
                if (intersects(accumulators, written)) {
                    m_sink.add("accumulator-write", one.opcode, one.opcodeEnd,
                        "an accumulator of this wgmma is written since the last wgmma.fence");
                    return;
                }
                break;
            }
            case Role::Other:
                noteWritten(one, written);
                break;
            case Role::Commit:
            case Role::Wait:
                break;
            }
        }
    }

    static bool intersects(const std::set<Index>& a, const std::set<Index>& b)
    {
        return std::any_of(a.begin(), a.end(), [&](Index number) { return b.contains(number); });
    }

    // A move only renames, and compilers put moves anywhere around a wgmma: they prove nothing.
    void noteWritten(const Statement& one, std::set<Index>& written) const
    {
        const auto root = m_program.text(one.opcode);
        if (root == "mov" || m_program.operandCount(one) == 0 || one.guard != none || root == "st"
            || root == "red" || m_program.is(m_program.operand(one, 0).first, '[')) {
            return;
        }
        registersOf(one, written);
    }

    std::vector<Role> m_roles;
    bool m_calls = false;
};

} // namespace

void checkWgmma(Function& function, const Context& context, Sink& sink)
{
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        if (context.program.text(context.program.statements[i].opcode) == "wgmma.mma_async") {
            Wgmma(function, context, sink).check();
            return;
        }
    }
}

} // namespace ptxwb::lint
