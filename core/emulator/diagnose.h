// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/machine.h"

#include <cstdint>

namespace ptxwb::emulator {

/// What a handler knows about a fault; kernel, policy, seed and step are added when it is filed.
struct Finding {
    RuleId rule = RuleId::NotEmulated;
    std::string message{};
    std::string fix{};
    int otherLine = 0; ///< of the other party, 0 none
    std::string agent{};
    std::optional<ReportAddress> address{};
    ReportSeverity severity = ReportSeverity::Error;
};

/// Files a report about the instruction at `line` of a warp.
void file(Warp& warp, int line, Finding finding);

/// Files it and ends the CTA.
Step stopWith(Warp& warp, const Instr& in, Finding finding);

ReportAddress sharedPlace(const Cta& cta, std::uint32_t address);
ReportAddress globalPlace(const GlobalMemory& memory, std::uint64_t address);
/// "tile + 128" or "shared + 2048".
std::string describe(const ReportAddress& address);
std::string lanesText(std::uint32_t mask);

} // namespace ptxwb::emulator
