// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/isa_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

enum class CompletionKind { Instruction, Modifier, Register, SpecialRegister, Label, Symbol, Directive };

/// One way to go on.
struct Completion {
    std::string text{}; ///< what replaces the word begun
    std::string detail{}; ///< what it is: a summary, a type, the targets that take it; may be empty
    CompletionKind kind = CompletionKind::Instruction;
};

struct Completions {
    std::uint32_t from = 0; ///< byte where the word begun starts; the caret's own place when there is none
    std::vector<Completion> items{}; ///< best first; each starts with the word begun, none equals it
};

/// What may stand at the byte `caret` of PTX text: instructions and the next part of an opcode (in the order
/// that forms which ptxas took have them), registers, symbols and labels that the function around declares,
/// directives, types, targets. Nothing within comments and strings. Works on unfinished text.
Completions completePtx(std::string_view source, std::uint32_t caret, const IsaTable& isa);

/// The same within an asm string of CUDA C++, where no register is known and `%%` is written for `%`; nothing
/// outside of one.
Completions completeCuda(std::string_view source, std::uint32_t caret, const IsaTable& isa);

} // namespace ptxwb
