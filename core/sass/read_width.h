// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ptxwb {

/// Where an operand stands among those of its row that are registers and nothing else, predicates aside.
struct OperandPlace {
    int fromFront = 0; ///< 0 is the first, the destination included
    bool last = false;
    bool uniform = false;
};

/// Registers that a row reads from such an operand's register on, by its opcode and modifiers: 4 for the data
/// of STG.128, 2 for a double. 1 where nothing says more.
int operandWidth(std::string_view opcode, OperandPlace place);

/// Of a register inside brackets, by what stands before them ("desc", "gdesc", "tmem", nothing).
/// `matrixPair`: both matrices of the row come from shared memory, by one descriptor of each.
int bracketWidth(std::string_view before, bool matrixPair);

} // namespace ptxwb
