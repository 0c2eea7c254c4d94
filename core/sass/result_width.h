// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ptxwb {

struct ResultWidth {
    int exact = 1; ///< registers written for certain, from the destination on
    int doubtful = 0; ///< registers behind them that may be written too
};

/// Registers that an instruction writes from its destination on, by its opcode and modifiers.
ResultWidth resultWidth(std::string_view opcode);

/// Registers that LDTM fills and STTM reads ("LDTM.16dp256bit.x4"): bits of a row times repetitions.
int tensorMemoryWidth(std::string_view opcode);

} // namespace ptxwb
