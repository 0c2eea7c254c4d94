// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"

namespace ptxwb {

/// A maximal run of rows that is entered at its first row only.
struct SassBlock {
    int first = 0; ///< row index
    int last = 0; ///< row index, inclusive
    std::vector<int> successors{}; ///< block indices; empty after EXIT, RET and branches of unknown target
    int loopDepth = 0; ///< natural loops around it
};

/// A natural loop: what is entered at its header only and comes back to it.
struct SassLoop {
    int header = 0; ///< block index
    int latch = 0; ///< the last block that branches back
    std::vector<int> blocks{}; ///< ascending; header and latch among them
};

struct ControlFlow {
    std::vector<int> target{}; ///< per row: row that a direct branch names (also BSSY and CALL), -1 none
    std::vector<std::pair<int, std::vector<int>>>
        tables{}; ///< rows of jump tables, ascending, and their target rows
    std::vector<std::pair<int, std::vector<int>>>
        tableEntries{}; ///< of the same rows, each entry in its order; -1 where no row begins
    std::vector<int> blockOf{}; ///< per row
    std::vector<SassBlock> blocks{};
    std::vector<SassLoop> loops{}; ///< outer loops before those within them
};

/// Basic blocks, direct branch targets and natural loops of a kernel. An indirect branch goes to every
/// target that the listing names (BRANCH_TARGETS) and has no successors if it names none. Near-linear in the
/// number of rows.
ControlFlow controlFlow(const SassKernel& kernel);

/// The name in a direct branch's operands: ".L_x_1" of "`(.L_x_1)", "0x100" of "BRA 0x100"; empty if there is
/// none.
std::string_view branchTargetText(const SassInstruction& instruction);

/// The operands without the target list that nvdisasm puts behind those of a jump table.
std::string_view operandsShown(const SassInstruction& instruction);

} // namespace ptxwb
