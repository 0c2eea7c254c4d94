// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/program.h"

#include <cstdint>
#include <unordered_map>

namespace ptxwb::lint {

/// A number, or an address within a variable or from one value that the kernel computes once: from `low` to
/// `high` behind it.
struct Span {
    std::int64_t origin = 0; ///< 0: a number; above: a variable; below: the value that a statement makes
    std::int64_t low = 0;
    std::int64_t high = 0;
    Index ring = none; ///< the register that goes round and round within it, if one does

    friend bool operator==(const Span&, const Span&) = default;
};

/// Whether mbarriers at two addresses may be one.
bool mayMeet(const Span& a, const Span& b);

/// What registers hold where they are read, by the definitions that reach there. For functions whose flow is
/// known.
class Reaching {
public:
    Reaching(const Program& program, const Function& function, const ModuleFacts& facts, const Flow& flow);

    /// Statements that may have written what a register holds before a statement; `none` among them: there is
    /// a way that none of them lies on, or it takes too long to tell.
    std::vector<Index> definitionsOf(Index number, Index before);
    /// Of `%r`, `[%r+16]`, `[symbol]` as a statement reads it. Nothing: it may be anything.
    std::optional<Span> spanOf(Index statement, Operand operand);
    /// Statements that write a register.
    const std::vector<Index>& writesOf(Index number) const { return m_writtenIn[number]; }
    /// Statements that lead the register of Span::ring back to its start.
    const std::vector<Index>& resetsOf(Index ring) { return ringOf(ring).resets; }

private:
    struct Ring {
        bool isRing = false;
        std::int64_t low = 0;
        std::int64_t high = 0;
        std::vector<Index> resets{};
    };

    Index blockOf(Index statement) const { return m_flow.blockOf[statement - m_function.statementsFirst]; }
    std::optional<std::int64_t> literalAt(const Operand& operand) const;
    bool isRegister(const Operand& operand, Index number) const;
    bool isInLoop(Index block);
    void findLoops();
    std::optional<Span> spanOfToken(Index statement, Index token);
    std::optional<Span> spanOfRegister(Index number, Index before);
    std::optional<Span> spanMadeBy(Index statement);
    std::optional<Span> computed(Index statement);
    std::int64_t variable(std::string_view name);
    const Ring& ringOf(Index number);
    Ring readRing(Index number) const;
    std::optional<std::int64_t> boundOf(Index number, Index step) const;

    const Program& m_program;
    const Function& m_function;
    const ModuleFacts& m_facts;
    const Flow& m_flow;
    std::vector<std::vector<Index>> m_writtenIn; ///< by register, in order
    std::vector<std::vector<Index>> m_before; ///< blocks before each block
    std::unordered_map<Index, std::optional<Span>> m_made; ///< by statement
    std::unordered_map<Index, Ring> m_rings;
    std::vector<bool> m_loops; ///< by block, whether it comes back to itself; empty: not looked at yet
    std::vector<std::string_view> m_variables;
    int m_budget = 2000; ///< statements looked at; beyond it nothing is known
    int m_steps = 400000; ///< blocks looked at
};

} // namespace ptxwb::lint
