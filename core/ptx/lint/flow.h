// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint/program.h"

namespace ptxwb::lint {

/// Statements [first, end) that run one after the other.
struct Block {
    Index first = 0;
    Index end = 0;
    std::vector<Index> successors{};
};

/// The basic blocks of a function. `isKnown` is false where a jump's aim cannot be read (brx, an unknown
/// label): then nothing that needs the whole may be concluded.
struct Flow {
    std::vector<Block> blocks{};
    std::vector<Index> blockOf{}; ///< of statement - statementsFirst
    bool isKnown = true;
};

Flow flowOf(const Program& program, const Function& function);

/// Whether the opcode begins with the dotted name ("wgmma.fence"), at a '.' or "::".
bool isNamed(std::string_view opcode, std::string_view name);

/// For each block whether a statement of `marked` (by number from statementsFirst) lies on some path to its
/// start / from its end.
std::vector<bool> reachedFrom(const Flow& flow, const std::vector<bool>& markedBlocks);
std::vector<bool> reaches(const Flow& flow, const std::vector<bool>& markedBlocks);

} // namespace ptxwb::lint
