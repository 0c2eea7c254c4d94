// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/isa_table.h"
#include "core/ptx/outline.h"
#include "core/ptx/spelling.h"
#include "core/toolchain/code_text.h"
#include "core/toolchain/diagnostic.h"
#include "core/toolchain/register_declarations.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// One group of messages.
struct Cause {
    const Diagnostic* root = nullptr;
    std::vector<const Diagnostic*> members{}; ///< the root among them, in the order said
};

struct FixContext {
    const CodeText& code;
    const PtxOutline& outline;
    const IsaTable* isa = nullptr; ///< null: the table is not here
    std::string_view displayName{};
    std::string_view target{};
    const std::vector<Diagnostic>& all;
    std::map<const PtxFunction*, std::vector<std::string>>& declared; ///< names, found when first asked for
    std::optional<RegisterDeclarations>& registers; ///< read when first asked for

    const RegisterDeclarations& declarations() const
    {
        return registers ? *registers : registers.emplace(code);
    }
};

/// What a maker knows of a cause that is its own.
struct Remedy {
    std::string explanation{};
    std::vector<Fix> fixes{};
    std::optional<Diagnostic> betterRoot{}; ///< ours, on the line that the tool should have named
    const Diagnostic* otherRoot = nullptr; ///< a member that is nearer to the cause than the root
    std::vector<std::string>
        symbols{}; ///< that are unknown because of it: what is said of them follows from it
    std::string taken{}; ///< words of messages, warnings among them, that follow from it too
    bool takesUses = false; ///< what is said of operands that use the symbols follows from it too
    bool takesStatement = false; ///< what is said of the line of the root follows from it too
};

// Each gives nothing for a cause that it does not know.
std::optional<Remedy> remedyOfText(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfHeader(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfHeadValue(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfAddressWidth(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfGuard(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfList(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfOldForm(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfOpcodeSign(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfType(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfDirective(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfLabel(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfNumber(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfShape(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfWidth(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfC(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfForeign(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfSign(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfOpcode(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfName(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfDuplicate(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfSyntax(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfTarget(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfRegister(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfSpelling(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfAddress(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfShared(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfWords(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfOperands(const Cause& cause, const FixContext& context);
std::optional<Remedy> remedyOfRounding(const Cause& cause, const FixContext& context);

/// How our error about a 32-bit register as an address begins.
inline constexpr std::string_view narrowAddressWords = "the 32-bit register";

/// An error of ours on the i-th token.
Diagnostic ownError(const FixContext& context, std::string message, std::size_t i);

/// Plain words for a warning of ptxas, empty if there are none.
std::string warningExplanation(std::string_view message);

/// Plain words for a message, by its shape; empty for a shape that is not known.
std::string explanationOf(const Diagnostic& said, const FixContext& context);

/// The i-th text in single quotes (from 0), or nothing.
std::string_view quotedText(std::string_view message, int i = 0);

/// The function whose text holds the line, or null.
const PtxFunction* functionAt(const PtxOutline& outline, int line);

/// "8.10" is later than "8.9".
bool isLaterVersion(std::string_view a, std::string_view b);

} // namespace ptxwb::detail
