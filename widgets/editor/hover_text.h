// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/isa_table.h"
#include "core/ptx/symbols.h"
#include "core/toolchain/diagnostic.h"

#include <QString>

#include <string_view>
#include <vector>

namespace ptxwb {

/// The dotted word of a line around a byte offset ("wgmma.mma_async.sync.aligned..."), empty when there is
/// none.
std::string_view dottedWordAround(std::string_view lineUtf8, int byteOffset);

/// Rich text of the hover card: what the messages on this place say, then what the instruction is, its
/// syntax, the .version and target that it needs and a link to its page of the manual. Empty when there is
/// nothing to say.
QString hoverText(const std::vector<const Diagnostic*>& diagnostics, const IsaInstruction* instruction);

/// Rich text about a declared name: its declaration, the line of it, how often it is used.
QString symbolText(const PtxSymbol& symbol);

/// Rich text about a directive or special register.
QString nameText(const IsaName& name);

} // namespace ptxwb
