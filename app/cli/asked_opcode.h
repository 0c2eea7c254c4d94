// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/isa_table.h"

#include <string>
#include <vector>

namespace ptxwb::cli {

/// What a whole opcode needs, all its words counted.
struct AskedOpcode {
    const IsaInstruction* row = nullptr; ///< that it belongs to; null: no words behind the mnemonic
    const IsaExample* example = nullptr; ///< with all its words; null: none is known
    std::string minPtx{};
    std::string minTarget{};
    std::vector<std::string> unknownWords{}; ///< that no form of the instruction is known to take
    std::string needs{}; ///< "needs .version 8.0 and sm_90"; empty without words
};

/// By the example that ptxas took with the fewest needs; without one by the strictest of the row, of the
/// forms that name a word of it, and of the words that ptxas was asked about.
AskedOpcode readOpcode(const IsaTable& table, const std::string& asked);

/// "needs .version 8.0 and sm_90", without what the table does not know.
std::string needsText(const std::string& minPtx, const std::string& minTarget);

} // namespace ptxwb::cli
