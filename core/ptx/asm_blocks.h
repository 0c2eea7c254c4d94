// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/asm_statements.h"

#include <optional>

namespace ptxwb {

/// A `{` of an asm text that no `}` closes.
struct OpenAsmBlock {
    const AsmStatement* statement = nullptr;
    std::uint32_t brace = 0; ///< in the statement's text
};

/// The block that one asm opens and none closes. A block may be opened by one statement and closed by
/// another, so nothing where more than one has braces that do not match, or a text that is not known. Pure.
std::optional<OpenAsmBlock> blockNeverClosed(const std::vector<AsmStatement>& statements);

} // namespace ptxwb
