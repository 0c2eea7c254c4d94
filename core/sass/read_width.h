// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ptxwb {

/// Where an operand stands among those of its row that are registers and nothing else, predicates aside.
struct OperandPlace {
    int fromFront = 0; ///< 0 is the first, the destination included
    bool last = false; ///< the last of these
    bool final = false; ///< nothing but predicates stands behind it
    bool uniform = false;
};

/// Registers that a row reads from such an operand's register on, by its opcode and modifiers: 4 for the data
/// of STG.128, 2 for a double. 1 where nothing says more.
int operandWidth(std::string_view opcode, OperandPlace place);

/// A register inside brackets.
struct BracketPlace {
    std::string_view before{}; ///< what stands in front of them: "desc", "gdesc", "tmem", nothing
    std::string_view behind{}; ///< modifiers behind them: ".tnspB"
    int index = 0; ///< 0: of the row's first brackets
    bool uniform = false;
    bool matrixPair = false; ///< both matrices of the row come from shared memory, by one descriptor of each
};

/// Registers that such an operand stands for: the address of a tensor copy in shared memory is followed by
/// its mbarrier and its coordinates. Checked against the table of `nvdisasm -plr`.
int bracketWidth(std::string_view opcode, const BracketPlace& place);

} // namespace ptxwb
