// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ptxwb {

/// What PTX words mean by their spelling alone, as sorted lists (PTX ISA 9.0 and the roots announced after
/// it).

/// Length in bytes of the opcode root that `dottedOpcode` starts with: the longest known root of several
/// parts
/// ("cp.async.bulk.tensor"), else its first part. State spaces and types are never part of a root.
std::size_t opcodeRootLength(std::string_view dottedOpcode);

/// ".b32", ".bf16x2", ".pred" ... (a word with its dot).
bool isPtxTypeWord(std::string_view word);

/// "%tid", "%envreg7" ... (with the percent sign, without .x / .y / .z / .w).
bool isPtxSpecialRegister(std::string_view name);

/// The special register of that name written without its percent sign ("tid" gives "%tid"), not of the
/// numbered series; empty if there is none.
std::string_view specialRegisterNamed(std::string_view bareName);

/// Directives that end with their line instead of ';' or a block: ".version", ".target", ".loc" ...
bool isLineDirective(std::string_view word);

/// ".entry", ".func" and the linkage words before them: never part of an instruction.
bool isFunctionHeadWord(std::string_view word);

} // namespace ptxwb
