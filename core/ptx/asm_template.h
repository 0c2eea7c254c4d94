// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/asm_statements.h"

#include <cstdint>

namespace ptxwb {

/// A run of an asm template: text as ptxas gets it (byte i is byte `first + i` of the statement's text), or
/// `%n`.
struct AsmPart {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    int operand = -1; ///< its number; -1: text
};

/// What is wrong with a `%` of a template.
struct AsmFault {
    enum class Kind { NoSuchOperand, NamedOperand, Modifier, DoubledWithoutOperands, LonePercent };
    Kind kind = Kind::NoSuchOperand;
    std::uint32_t first = 0; ///< in the statement's text
    std::uint32_t end = 0;
};

struct AsmTemplate {
    std::vector<AsmPart> parts{};
    std::vector<AsmFault> faults{};
};

/// Splits a template as nvcc does: `%%` is a percent sign, `%n` an operand; in a statement without operands
/// every byte stands for itself.
AsmTemplate splitTemplate(const AsmStatement& statement);

/// The letter of "=r", "+f", "n"; a number stands for the operand that it names. '\0' for anything else.
char constraintLetter(const AsmStatement& statement, std::size_t operand);

/// The type of the register that a constraint's letter stands for, ".b32" of 'r'; empty for any other letter.
std::string_view typeOfConstraint(char letter);

} // namespace ptxwb
