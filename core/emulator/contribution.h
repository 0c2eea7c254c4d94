// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/emulator.h"

namespace ptxwb::emulator {

/// Whether an instruction (its dotted text) is one of those.
bool givesResult(std::string_view opcode, ResultOf results);

/// Whether an output depends on what some instructions give: two runs from the same buffers, without checks,
/// one of them with every such result changed (the high bit of the fraction flipped, so that it stays
/// finite). An output that differs shows it. A few CTAs are tried first, all of them before the answer is no.
/// Nothing: the changed run did not come to its end. Errors: as `execute`; Cancelled.
Result<std::optional<bool>> outputDependsOn(const EmulatorRequest& request, ResultOf results,
    std::stop_token stop = {}, const EmulatorExecutor& execute = emulate);

} // namespace ptxwb::emulator
