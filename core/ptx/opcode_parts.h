// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/completion.h"

#include <string_view>
#include <vector>

namespace ptxwb {

/// Whole mnemonics that start with `begun`, which has no dot.
std::vector<Completion> mnemonicsFor(std::string_view begun, const IsaTable& isa);

/// Parts (with their dot) that may follow the opcode `before` ("wgmma.mma_async.sync"): first what forms that
/// ptxas took have next, then those of longer mnemonics, then the other words of the instruction.
std::vector<Completion> partsAfter(std::string_view before, const IsaTable& isa);

} // namespace ptxwb
