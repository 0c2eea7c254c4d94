// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/asm_statements.h"

#include <set>

namespace ptxwb {

/// Names that any asm text of the file declares: another statement may use them.
std::set<std::string> declaredInAsm(const std::vector<AsmStatement>& statements);

/// The words of C++ text without its comments and strings.
std::set<std::string, std::less<>> cppWords(std::string_view code);

} // namespace ptxwb
