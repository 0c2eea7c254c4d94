// SPDX-License-Identifier: Apache-2.0
// Copies into shared memory whose mbarrier nothing waits for, in a kernel that reads shared memory.
#include "core/ptx/lint/function_rule.h"
#include "core/ptx/lint/reaching.h"

#include <fmt/format.h>

namespace ptxwb::lint {

namespace {

// Another CTA, another function or the barrier's own words may tell what this text does not show.
bool tellsOtherwise(std::string_view opcode)
{
    return opcode.starts_with("call") || opcode.starts_with("mapa") || opcode.starts_with("getctarank")
        || opcode.starts_with("mbarrier.pending_count") || opcode.starts_with("clusterlaunchcontrol")
        || opcode.starts_with("ld.acquire") || opcode.starts_with("ld.volatile")
        || opcode.starts_with("atom");
}

bool readsShared(std::string_view opcode)
{
    return isNamed(opcode, "wgmma.mma_async") || isNamed(opcode, "tcgen05.mma") || isNamed(opcode, "ldmatrix")
        || opcode.starts_with("ld.shared") || opcode.starts_with("wmma.load");
}

class MissingWaits : private FunctionRule {
public:
    MissingWaits(const Function& function, const Context& context, Sink& sink, Reaching& reaching)
        : FunctionRule(function, context, sink)
        , m_reaching(reaching)
    {
    }

    void check()
    {
        std::vector<Index> copies;
        std::vector<Span> waits;
        Index reader = none;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (tellsOtherwise(opcode)) {
                return;
            }
            if (isNamed(opcode, "mbarrier.try_wait") || isNamed(opcode, "mbarrier.test_wait")) {
                const auto span = m_program.operandCount(one) > 1
                    ? m_reaching.spanOf(i, m_program.operand(one, 1))
                    : std::nullopt;
                if (!span) {
                    return;
                }
                waits.push_back(*span);
            } else if (opcode.starts_with("cp.async.bulk")
                && opcode.find(".mbarrier::complete_tx::bytes") != std::string_view::npos) {
                copies.push_back(i);
            } else if (reader == none && readsShared(opcode)) {
                reader = i;
            }
        }
        if (reader == none) {
            return;
        }
        std::vector<Span> said;
        for (const auto i : copies) {
            const auto& one = m_program.statements[i];
            const std::size_t place = isNamed(m_program.opcode(one), "cp.async.bulk.tensor") ? 2 : 3;
            const auto span = m_program.operandCount(one) > place
                ? m_reaching.spanOf(i, m_program.operand(one, place))
                : std::nullopt;
            const auto meets = [&](const Span& other) { return mayMeet(*span, other); };
            if (span && std::none_of(waits.begin(), waits.end(), meets)
                && std::none_of(said.begin(), said.end(), meets)) {
                said.push_back(*span);
                const auto barrier = m_program.operand(one, place);
                m_sink.addBeside("wait-missing", barrier.first, barrier.end,
                    "nothing in the kernel waits for this barrier: who reads shared memory, as line <line> "
                    "does, may come before the bytes of this copy",
                    m_program.statements[reader].opcode);
            }
        }
    }

private:
    Reaching& m_reaching;
};

} // namespace

void checkMissingWaits(const Function& function, const Context& context, Sink& sink, Reaching& reaching)
{
    MissingWaits(function, context, sink, reaching).check();
}

} // namespace ptxwb::lint
