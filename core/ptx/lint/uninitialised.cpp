// SPDX-License-Identifier: Apache-2.0
// Registers that are read, and that nothing has written on any way to the read.
#include "core/ptx/lint/function_rule.h"

#include <fmt/format.h>

#include <array>

namespace ptxwb::lint {

namespace {

/// What is known of one register.
struct Life {
    Index exposed = none; ///< place in the exposed registers
    Index lastRead = none; ///< statement
    Index exposedIn = none; ///< block that reads it before it writes it, up to here
    Index writtenIn = none; ///< block that writes it, up to here
    bool isWritten = false; ///< anywhere, by an instruction that does not read it as well
};

/// A read that nothing before it in its block decides, the first of its register there.
struct Exposure {
    Index number = 0;
    Index token = 0;
    Index block = 0;
};

class Uninitialised : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        m_lives.resize(m_function.registerCount);
        for (const auto& one : m_function.declarations) {
            for (Index i = 0; one.isParameter && i < std::max<Index>(one.count, 1); ++i) {
                m_lives[one.firstRegister + i].isWritten = true;
                m_parameters.push_back(one.firstRegister + i);
            }
        }
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            m_block = isFlowKnown() ? blockOf(i) : 0;
            take(i);
        }
        const auto found = isFlowKnown() ? unreached() : neverWritten();
        if (!found.empty()) {
            say(*std::min_element(found.begin(), found.end(),
                    [](const Exposure& a, const Exposure& b) { return a.token < b.token; }),
                found.size());
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
        const auto number = m_function.registerOf(token);
        if (number == none) {
            return;
        }
        auto& life = m_lives[number];
        life.lastRead = statement;
        if (life.writtenIn != m_block && life.exposedIn != m_block) {
            life.exposedIn = m_block;
            life.exposed = life.exposed == none ? m_exposed++ : life.exposed;
            m_exposures.push_back({.number = number, .token = token, .block = m_block});
        }
    }

    void write(Index token, Index statement)
    {
        const auto number = m_function.registerOf(token);
        if (number == none || m_lives[number].lastRead == statement) {
            return;
        }
        auto& life = m_lives[number];
        life.isWritten = true;
        if (life.writtenIn != m_block) {
            life.writtenIn = m_block;
            m_writes.push_back({.number = number, .token = token, .block = m_block});
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

    // One for each register.
    std::vector<Exposure> firstOfEach(std::vector<Exposure> some) const
    {
        std::stable_sort(some.begin(), some.end(),
            [](const Exposure& a, const Exposure& b) { return a.number < b.number; });
        some.erase(std::unique(some.begin(), some.end(),
                       [](const Exposure& a, const Exposure& b) { return a.number == b.number; }),
            some.end());
        return some;
    }

    std::vector<Exposure> neverWritten() const
    {
        auto found = m_exposures;
        std::erase_if(found, [&](const Exposure& one) { return m_lives[one.number].isWritten; });
        return firstOfEach(std::move(found));
    }

    // Reads that no way from a write leads to, and some way from the start.
    std::vector<Exposure> unreached() const
    {
        using Word = std::uint64_t;
        constexpr std::size_t bits = 64;
        const std::size_t words = (m_exposed + bits - 1) / bits;
        const auto count = m_flow.blocks.size();
        std::vector<Word> written(count * words); // at a block's start, on some way
        std::vector<Word> own(count * words);
        const auto mark = [&](std::vector<Word>& where, Index block, Index number) {
            if (const auto place = m_lives[number].exposed; place != none) {
                where[block * words + place / bits] |= Word{1} << (place % bits);
            }
        };
        for (const auto& one : m_writes) {
            mark(own, one.block, one.number);
        }
        for (const auto number : m_parameters) {
            mark(written, 0, number);
        }
        std::vector<bool> isReached(count);
        isReached[0] = true;
        constexpr int most = 32; // as often as loops lie in each other, and once more
        bool isNew = true;
        for (int sweep = 0; isNew; ++sweep) {
            if (sweep == most) {
                return {};
            }
            isNew = false;
            for (Index from = 0; from < count; ++from) {
                for (const auto to :
                    isReached[from] ? m_flow.blocks[from].successors : std::vector<Index>()) {
                    isNew = isNew || !isReached[to];
                    isReached[to] = true;
                    for (std::size_t i = 0; i < words; ++i) {
                        auto& at = written[to * words + i];
                        const auto met = at | written[from * words + i] | own[from * words + i];
                        isNew = isNew || met != at;
                        at = met;
                    }
                }
            }
        }
        auto found = m_exposures;
        std::erase_if(found, [&](const Exposure& one) {
            const auto place = m_lives[one.number].exposed;
            return !isReached[one.block]
                || (written[one.block * words + place / bits] >> (place % bits) & 1U) != 0;
        });
        return firstOfEach(std::move(found));
    }

    void say(const Exposure& first, std::size_t count)
    {
        const auto token = first.token;
        m_sink.add("uninitialised-register", token, token + 1,
            fmt::format("nothing writes '{}' before it is read here{}", m_program.text(token),
                count == 1 ? std::string()
                           : fmt::format("; nor {} other{} of this kernel before theirs", count - 1,
                               count == 2 ? "" : "s")));
    }

    std::vector<Life> m_lives;
    std::vector<Exposure> m_exposures;
    std::vector<Exposure> m_writes; ///< the first of each register in each block
    std::vector<Index> m_parameters;
    Index m_exposed = 0; ///< how many registers have an exposed read
    Index m_block = 0; ///< of the statement that is looked at
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
