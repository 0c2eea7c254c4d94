// SPDX-License-Identifier: Apache-2.0
// Registers that are read, and that nothing has written on any way to the read.
#include "core/ptx/lint/function_rule.h"

#include <fmt/format.h>

#include <array>

namespace ptxwb::lint {

namespace {

/// What is known of one register.
struct Life {
    Index firstRead = none; ///< statement
    Index readToken = none;
    Index lastRead = none; ///< up to here
    Index firstWrite = none; ///< by an instruction that does not read it as well
};

class Uninitialised : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        m_lives.resize(m_function.registerCount);
        for (const auto& one : m_function.declarations) {
            for (Index i = 0; one.isParameter && i < std::max<Index>(one.count, 1); ++i) {
                m_lives[one.firstRegister + i].firstWrite = m_function.statementsFirst;
            }
        }
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            take(i);
        }
        std::vector<Index> suspects;
        for (Index number = 0; number < m_lives.size(); ++number) {
            const auto& life = m_lives[number];
            if (life.firstRead != none && (life.firstWrite == none || life.firstWrite > life.firstRead)) {
                suspects.push_back(number);
            }
        }
        constexpr std::size_t most = 64; // each looks over the kernel
        suspects.resize(std::min(suspects.size(), most));
        std::erase_if(suspects, [&](Index number) { return isWrittenBefore(number); });
        if (!suspects.empty()) {
            say(*std::min_element(suspects.begin(), suspects.end(),
                    [&](Index a, Index b) { return m_lives[a].readToken < m_lives[b].readToken; }),
                suspects.size());
        }
    }

private:
    std::string_view rootOf(const Statement& one) const
    {
        const auto opcode = m_program.opcode(one);
        return opcode.substr(0, opcode.find('.'));
    }

    // How many operands from 0 are results; `d|p` is one.
    std::size_t results(const Statement& one, std::string_view root) const
    {
        constexpr std::array<std::string_view, 11> readers{"st", "red", "bar", "barrier", "bra", "brx",
            "nanosleep", "setmaxnreg", "stackrestore", "prefetch", "pmevent"};
        if (m_program.operandCount(one) == 0) {
            return 0;
        }
        const auto opcode = m_program.opcode(one);
        const bool isReader = std::find(readers.begin(), readers.end(), root) != readers.end()
            || isNamed(opcode, "tcgen05.dealloc");
        const bool hasResult = root.starts_with("bar") && opcode.find(".red") != std::string_view::npos;
        return (isReader && !hasResult) || m_program.is(m_program.operand(one, 0).first, '[') ? 0 : 1;
    }

    // `xor %r, %r, %r` is a way to write zero.
    bool isZero(const Statement& one, std::string_view root) const
    {
        return (root == "xor" || root == "sub") && m_program.operandCount(one) == 3
            && m_program.text(m_program.operand(one, 1).first)
            == m_program.text(m_program.operand(one, 2).first);
    }

    // Of wgmma: whether it adds to its accumulators for certain.
    bool accumulates(const Statement& one) const
    {
        for (std::size_t i = 1; i < m_program.operandCount(one); ++i) {
            const auto operand = m_program.operand(one, i);
            if (operand.end == operand.first + 1
                && m_program.tokens[operand.first].kind == TokenKind::Number) {
                return literalValue(m_program.text(operand.first)).value_or(0) == 1;
            }
            const auto number = m_function.registerOf(operand.first);
            if (operand.end == operand.first + 1 && number != none && isPredicate(operand.first, one.scope)) {
                return false; // scale-d, and who knows its value
            }
        }
        return false;
    }

    bool isPredicate(Index token, Index scope) const
    {
        const auto found = resolve(m_function, m_program.text(token), scope);
        return found.declaration != nullptr && found.declaration->type.kind == 'p';
    }

    void read(Index token, Index statement)
    {
        if (const auto number = m_function.registerOf(token); number != none) {
            auto& life = m_lives[number];
            if (life.firstRead == none) {
                life.firstRead = statement;
                life.readToken = token;
            }
            life.lastRead = statement;
        }
    }

    void write(Index token, Index statement)
    {
        if (const auto number = m_function.registerOf(token); number != none) {
            auto& life = m_lives[number];
            if (life.firstWrite == none && life.lastRead != statement) {
                life.firstWrite = statement;
            }
        }
    }

    void take(Index i)
    {
        const auto& one = m_program.statements[i];
        const auto root = rootOf(one);
        if (one.guard != none) {
            read(one.guard, i);
        }
        if (root == "call") {
            for (std::size_t k = 0; k < m_program.operandCount(one); ++k) {
                const auto operand = m_program.operand(one, k);
                for (auto at = operand.first; at < operand.end; ++at) {
                    k == 0 && m_program.is(operand.first, '(') ? write(at, i) : read(at, i);
                }
            }
            return;
        }
        const auto written = results(one, root);
        const bool zero = isZero(one, root);
        for (auto k = written; k < m_program.operandCount(one) && !zero; ++k) {
            const auto operand = m_program.operand(one, k);
            for (auto at = operand.first; at < operand.end; ++at) {
                read(at, i);
            }
        }
        const bool alsoReads = isNamed(m_program.opcode(one), "wgmma.mma_async") && accumulates(one);
        for (std::size_t k = 0; k < written; ++k) {
            const auto operand = m_program.operand(one, k);
            for (auto at = operand.first; at < operand.end; ++at) {
                alsoReads ? read(at, i) : write(at, i);
            }
        }
    }

    bool writes(const Statement& one, Index number) const
    {
        const auto root = rootOf(one);
        const auto last = root == "call" ? std::size_t{1} : results(one, root);
        const auto holds = [&](const std::vector<Index>& some) {
            return std::binary_search(some.begin(), some.end(), number);
        };
        return holds(registersIn(one, 0, last))
            && (isZero(one, root) || !holds(registersIn(one, last, m_program.operandCount(one))));
    }

    // Whether a write lies on some way from the start to the first read, or the read on none.
    bool isWrittenBefore(Index number) const
    {
        const auto& life = m_lives[number];
        if (life.firstWrite == none) {
            return false;
        }
        if (!isFlowKnown()) {
            return true;
        }
        std::vector<bool> marked(m_flow.blocks.size());
        for (auto i = life.firstWrite; i < m_function.statementsEnd; ++i) {
            marked[blockOf(i)] = marked[blockOf(i)] || writes(m_program.statements[i], number);
        }
        const auto home = blockOf(life.firstRead);
        std::vector<bool> start(m_flow.blocks.size());
        start[0] = true;
        return reachedFrom(m_flow, marked)[home] || (home != 0 && !reachedFrom(m_flow, start)[home]);
    }

    void say(Index number, std::size_t count)
    {
        const auto token = m_lives[number].readToken;
        m_sink.add("uninitialised-register", token, token + 1,
            fmt::format("nothing writes '{}' before it is read here{}", m_program.text(token),
                count == 1 ? std::string()
                           : fmt::format("; nor {} other{} of this kernel before theirs", count - 1,
                               count == 2 ? "" : "s")));
    }

    std::vector<Life> m_lives;
};

} // namespace

void checkUninitialised(Function& function, const Context& context, Sink& sink)
{
    // What a compiler leaves undefined it does not use.
    if (function.wellFormed && function.isComplete && !context.facts.isGenerated
        && !context.facts.isFragment) {
        Uninitialised(function, context, sink).check();
    }
}

} // namespace ptxwb::lint
