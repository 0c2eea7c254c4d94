// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/forms_table.h"
#include "core/ptx/isa_table.h"
#include "core/toolchain/code_text.h"
#include "core/toolchain/diagnostic.h"
#include "core/toolchain/register_declarations.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// An instruction as text in its parts.
struct WrittenStatement {
    std::string guard{}; ///< "@!%p1", or empty
    std::string opcode{}; ///< dotted
    std::vector<std::string> operands{};

    std::string text() const; ///< with the ';'
};
WrittenStatement writtenStatement(const CodeText& code, const PtxStatement& statement);

/// Another way to write a statement, which ptxas is asked about. Of several that it takes those of the lowest
/// rank are meant most probably.
struct Rewriting {
    WrittenStatement made{};
    std::string title{}; ///< of the fix
    std::string explanation{};
    int rank = 0;
    std::optional<std::size_t> blamed{}; ///< operand, of a probe
    std::optional<std::size_t> missing{}; ///< the place of an operand that a probe puts there
};

/// Dotted parts: "ld.param.u64" is "ld", ".param", ".u64".
std::vector<std::string> opcodeParts(std::string_view opcode);

/// The opcode in another notation, with a word more or less, with another word of the same kind.
std::vector<Rewriting> opcodeRewritings(const WrittenStatement& statement, const FormsTable& forms,
    const IsaTable* isa, const std::vector<std::string_view>& registerTypes);

/// The operands in other brackets, in another order, one more or one less. `predicates` are those that are
/// read soon behind the statement, the nearest first.
std::vector<Rewriting> operandRewritings(
    const WrittenStatement& statement, const FormsTable& forms, const std::vector<std::string>& predicates);

/// The same with registers that nobody declared but `probeDeclarations`, so that what ptxas takes tells which
/// operand is wrong. Their titles are empty, their explanations say what it would mean.
std::vector<Rewriting> operandProbes(const WrittenStatement& statement, const CodeText& code,
    const PtxStatement& tokens, const RegisterDeclarations& registers);
std::string_view probeDeclarations(); ///< one line

/// What turns the statement into the rewriting.
std::vector<TextEdit> editsOf(
    const CodeText& code, const PtxStatement& statement, const WrittenStatement& from, const Rewriting& to);

} // namespace ptxwb::detail
