// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/run_plan.h"

#include <cstdint>
#include <string>

namespace ptxwb {

/// What the document says beside the run itself.
struct RunDescription {
    std::string candidatePath{};
    std::string candidateSha256{};
    std::string target{}; ///< of the text; empty: not said
    std::uint64_t seed = 1;
    std::vector<std::pair<std::string, std::string>> dumps{}; ///< tensor, file
};

/// `ptxwb.run.v1`, pretty-printed with two blanks.
std::string toJson(const RunDescription& description, const emulator::PlanRunOutcome& outcome);

} // namespace ptxwb
