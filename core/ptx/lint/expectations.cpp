// SPDX-License-Identifier: Apache-2.0
// Copies that complete on an mbarrier which nobody told to expect their bytes.
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

// What may expect or bring bytes where this function's text does not show it: other functions, the CTAs of a
// cluster, and a barrier that two CTAs share.
bool isOfOthers(std::string_view opcode)
{
    const bool isTensor = opcode.starts_with("cp.") || opcode.starts_with("tcgen05.");
    return opcode.starts_with("call") || opcode.starts_with("mapa") || opcode.starts_with("getctarank")
        || opcode.starts_with("st.async") || opcode.starts_with("red.async")
        || isNamed(opcode, "mbarrier.complete_tx") || opcode.starts_with("clusterlaunchcontrol")
        || (isTensor
            && (opcode.find("multicast") != std::string_view::npos
                || opcode.find(".cta_group::2") != std::string_view::npos));
}

class Expectations {
public:
    Expectations(const Function& function, const Context& context, Sink& sink)
        : m_function(function)
        , m_context(context)
        , m_program(context.program)
        , m_sink(sink)
        , m_isGenerated(context.facts.isGenerated)
    {
    }

    void check()
    {
        if (!m_function.wellFormed || !m_function.isComplete || !m_function.isEntry) {
            return;
        }
        bool separately = false; // expect_tx without an arrive, whatever its barrier is called
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (isOfOthers(opcode)) {
                return;
            }
            if (!opcode.starts_with("mbarrier.") && !opcode.starts_with("cp.async.bulk")) {
                continue;
            }
            const auto count = m_program.operandCount(one);
            if (opcode.find("expect_tx") != std::string_view::npos && count >= 2) {
                m_expected.push_back(baseOf(m_program.operand(one, count - 2)));
                separately = separately || !isNamed(opcode, "mbarrier.arrive.expect_tx");
            } else if (isArrive(opcode) && count >= 1) {
                m_arrives.push_back({.statement = i, .barrier = baseOf(barrierOfArrive(one))});
            } else if (const auto barrier = barrierOfCopy(one, opcode)) {
                m_copies.push_back({.statement = i, .barrier = baseOf(*barrier)});
            }
        }
        if (m_copies.empty()) {
            return;
        }
        if (m_expected.empty()) {
            say(m_copies.front(), arriveFor(m_copies.front().barrier));
        } else if (!separately && !m_isGenerated) { // compilers give one address several names
            byName();
        }
    }

private:
    struct Use {
        Index statement = 0;
        std::string barrier{};
    };

    static bool isArrive(std::string_view opcode)
    {
        return isNamed(opcode, "mbarrier.arrive") && opcode.find("expect_tx") == std::string_view::npos;
    }

    Operand barrierOfArrive(const Statement& one) const
    {
        for (std::size_t i = 0; i < m_program.operandCount(one); ++i) {
            const auto operand = m_program.operand(one, i);
            if (m_program.is(operand.first, '[')) {
                return operand;
            }
        }
        return {};
    }

    std::optional<Operand> barrierOfCopy(const Statement& one, std::string_view opcode) const
    {
        if (!opcode.starts_with("cp.async.bulk")
            || opcode.find(".mbarrier::complete_tx::bytes") == std::string_view::npos) {
            return std::nullopt;
        }
        const std::size_t place = isNamed(opcode, "cp.async.bulk.tensor") ? 2 : 3;
        return m_program.operandCount(one) > place ? std::optional(m_program.operand(one, place))
                                                   : std::nullopt;
    }

    // "%bar+8": what stands in the brackets, with the register's own spelling.
    std::string baseOf(const Operand& operand) const
    {
        std::string text;
        for (auto at = operand.first; at < operand.end; ++at) {
            if (!m_program.is(at, '[') && !m_program.is(at, ']')) {
                text += m_program.text(at);
            }
        }
        return text;
    }

    Index arriveFor(const std::string& barrier) const
    {
        const auto found = std::find_if(
            m_arrives.begin(), m_arrives.end(), [&](const Use& one) { return one.barrier == barrier; });
        return found == m_arrives.end() ? none : found->statement;
    }

    // The thread that copies arrives at the copy's barrier, and no expect_tx names it.
    void byName()
    {
        const auto isExpected = [&](const Use& copy) {
            return std::find(m_expected.begin(), m_expected.end(), copy.barrier) != m_expected.end();
        };
        if (std::all_of(m_copies.begin(), m_copies.end(), isExpected)) {
            return;
        }
        const auto& flow = *m_context.flow;
        const auto blockOf = [&](Index i) { return flow.blockOf[i - m_function.statementsFirst]; };
        for (const auto& copy : m_copies) {
            if (isExpected(copy)) {
                continue;
            }
            const auto arrive = std::find_if(m_arrives.begin(), m_arrives.end(), [&](const Use& one) {
                return one.barrier == copy.barrier && blockOf(one.statement) == blockOf(copy.statement)
                    && isSameGuard(one.statement, copy.statement)
                    && !isWrittenBetween(copy, std::min(one.statement, copy.statement),
                        std::max(one.statement, copy.statement));
            });
            if (arrive != m_arrives.end()) {
                say(copy, arrive->statement);
                return;
            }
        }
    }

    bool isSameGuard(Index a, Index b) const
    {
        const auto& one = m_program.statements[a];
        const auto& other = m_program.statements[b];
        return one.guard == none
            ? other.guard == none
            : other.guard != none && m_program.text(one.guard) == m_program.text(other.guard);
    }

    bool isWrittenBetween(const Use& copy, Index first, Index end) const
    {
        for (auto i = first; i < end; ++i) {
            const auto& one = m_program.statements[i];
            if (m_program.operandCount(one) > 0
                && copy.barrier.starts_with(m_program.text(m_program.operand(one, 0).first))) {
                return true;
            }
        }
        return false;
    }

    void say(const Use& copy, Index arrive)
    {
        const auto& brings = m_program.statements[copy.statement];
        if (arrive == none) {
            m_sink.add("tx-expect", brings.opcode, brings.opcodeEnd,
                "the bytes of this copy are counted on an mbarrier, and no expect_tx stands in the kernel");
            return;
        }
        const auto& one = m_program.statements[arrive];
        m_sink.addBeside("tx-expect", one.opcode, one.end,
            fmt::format("this arrives at [{}] and expects no bytes, but the copy in line <line> brings some: "
                        "mbarrier.arrive.expect_tx says how many",
                copy.barrier),
            brings.opcode);
    }

    const Function& m_function;
    const Context& m_context;
    const Program& m_program;
    Sink& m_sink;
    bool m_isGenerated;
    std::vector<std::string> m_expected;
    std::vector<Use> m_arrives;
    std::vector<Use> m_copies;
};

} // namespace

void checkExpectations(Function& function, const Context& context, Sink& sink)
{
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        if (context.program.text(context.program.statements[i].opcode).starts_with("cp.async.bulk")) {
            Expectations(function, context, sink).check();
            return;
        }
    }
}

} // namespace ptxwb::lint
