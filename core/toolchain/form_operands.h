// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/isa_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// The operands of a line of syntax that must stand there: "[d]", "a-desc|[a]", "b-desc", "idesc" and
/// "enable-d" of "tcgen05.mma.cta_group.kind [d],a-desc|[a],b-desc,idesc{,disable},enable-d".
std::vector<std::string> operandsOfForm(std::string_view syntax);

/// "idesc" for operand 3 of a statement that has four and lacks one; empty where no form tells.
std::string nameOfMissing(const IsaInstruction& instruction, std::size_t given, std::size_t missing);

/// "It takes d, a, b, and 2 operands stand here."; empty where a form takes so few.
std::string tooFewWords(const IsaInstruction& instruction, std::size_t given);

} // namespace ptxwb::detail
