// SPDX-License-Identifier: Apache-2.0
// mbarriers that nothing waits for: of copies into shared memory, in a kernel that reads it, and of arrivals.
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
        std::vector<Index> arrivals;
        Index reader = none;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto opcode = m_program.opcode(m_program.statements[i]);
            if (tellsOtherwise(opcode)) {
                return;
            }
            if (isNamed(opcode, "mbarrier.try_wait") || isNamed(opcode, "mbarrier.test_wait")) {
                const auto span = spanOf(i, barrierOf(i));
                if (!span) {
                    return;
                }
                m_waits.push_back(*span);
            } else if (opcode.starts_with("cp.async.bulk")
                && opcode.find(".mbarrier::complete_tx::bytes") != std::string_view::npos) {
                copies.push_back(i);
            } else if (isNamed(opcode, "mbarrier.arrive") || isNamed(opcode, "tcgen05.commit")) {
                arrivals.push_back(i);
            } else if (reader == none && readsShared(opcode)) {
                reader = i;
            }
        }
        for (const auto i : reader == none ? std::vector<Index>() : copies) {
            const bool isTensor = isNamed(m_program.opcode(m_program.statements[i]), "cp.async.bulk.tensor");
            const auto barrier = operandAt(i, isTensor ? 2 : 3);
            if (isMissed(i, barrier)) {
                m_sink.addBeside("wait-missing", barrier->first, barrier->end,
                    "nothing in the kernel waits for this barrier: who reads shared memory, as line <line> "
                    "does, may come before the bytes of this copy",
                    m_program.statements[reader].opcode);
            }
        }
        for (const auto i : m_isGenerated || m_waits.empty() ? std::vector<Index>() : arrivals) {
            if (const auto barrier = barrierOf(i); isMissed(i, barrier)) {
                m_sink.add("wait-missing", barrier->first, barrier->end,
                    "nothing in the kernel waits for this barrier: whoever should go on behind this arrival "
                    "goes on without it");
            }
        }
    }

private:
    std::optional<Operand> operandAt(Index statement, std::size_t place) const
    {
        const auto& one = m_program.statements[statement];
        return m_program.operandCount(one) > place ? std::optional(m_program.operand(one, place))
                                                   : std::nullopt;
    }

    // Of a wait or an arrival: what stands in brackets.
    std::optional<Operand> barrierOf(Index statement) const
    {
        for (std::size_t i = 0; i < 2; ++i) {
            const auto operand = operandAt(statement, i);
            if (operand && m_program.is(operand->first, '[')) {
                return operand;
            }
        }
        return std::nullopt;
    }

    std::optional<Span> spanOf(Index statement, const std::optional<Operand>& operand)
    {
        return operand ? m_reaching.spanOf(statement, *operand) : std::nullopt;
    }

    // Once for each barrier.
    bool isMissed(Index statement, const std::optional<Operand>& barrier)
    {
        const auto span = spanOf(statement, barrier);
        const auto meets = [&](const Span& other) { return mayMeet(*span, other); };
        if (!span || std::any_of(m_waits.begin(), m_waits.end(), meets)
            || std::any_of(m_said.begin(), m_said.end(), meets)) {
            return false;
        }
        m_said.push_back(*span);
        return true;
    }

    std::vector<Span> m_waits;
    std::vector<Span> m_said;
    Reaching& m_reaching;
};

} // namespace

void checkMissingWaits(const Function& function, const Context& context, Sink& sink, Reaching& reaching)
{
    MissingWaits(function, context, sink, reaching).check();
}

} // namespace ptxwb::lint
