// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/code_text.h"
#include "core/toolchain/diagnostic.h"

namespace ptxwb::detail {

/// "Unresolved extern variable" names no line: puts the warning on the declaration, with what it means and,
/// for shared memory without its brackets, the fix.
void placeExtern(Diagnostic& said, const CodeText& code);

} // namespace ptxwb::detail
