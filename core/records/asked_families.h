// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/compiler.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::records {

/// Instructions by family name ("wgmma", "tma" ...), ordinary ones left out.
using FamilyTable = std::map<std::string, int>;

/// What the text of the code asks for: the opcodes of a PTX module, or of the asm strings of a CUDA source.
/// An instruction in a macro, a loop or dead code counts once. Pure.
FamilyTable familiesAsked(std::string_view code, Language language);

/// The text of every asm statement of a CUDA source, one a line; comments and other strings are passed over.
std::string asmText(std::string_view cuda);

/// Families of SASS that the code cannot be without if it does what its text asks for: what moves data or
/// multiplies counts, fences, commits and waits do not. Pure.
std::vector<std::string> sassFamiliesNeeded(std::string_view code, Language language);

} // namespace ptxwb::records
