// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint/program.h"

#include <cstdint>

namespace ptxwb::lint {

/// A symbol's address plus a constant.
struct Place {
    std::string_view symbol{};
    std::int64_t offset = 0;
};

/// What registers hold, as far as one definition of theirs decides it.
class Values {
public:
    /// `shared`: the module's own variables.
    Values(const Program& program, const Function& function, const std::vector<Variable>& shared);

    /// Of a literal, or of a register that is written once, with a constant.
    std::optional<std::uint64_t> constantOf(const Statement& at, const Operand& operand) const;
    /// Of `[%r]`, `[%r+16]`, `[symbol]`, `%r`: by mov, cvta and add of constants.
    std::optional<Place> placeOf(const Statement& at, Operand operand) const;

private:
    const Statement* onlyDefinition(Index number) const;
    std::optional<Place> placeOfRegister(Index number, int depth) const;
    std::optional<Place> placeOfToken(Index token, Index scope, int depth) const;
    std::optional<std::int64_t> constantOfToken(Index token, Index scope, int depth) const;

    std::int64_t alignmentOf(std::string_view symbol) const; ///< as declared; 0: unknown

    const Program& m_program;
    const Function& m_function;
    const std::vector<Variable>& m_shared;
    std::vector<Index> m_definitions; ///< register -> statement; `none`: written never, or more than once
};

} // namespace ptxwb::lint
