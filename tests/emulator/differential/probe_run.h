// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"
#include "tests/emulator/differential/probe.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ptxwb::differential {

/// What the emulator leaves in a probe's output. Errors: what it refuses, and every report.
Result<std::vector<std::uint8_t>> emulated(const Probe& probe);

/// What a GPU gave: bytes by name, or the error with which it stopped.
struct Recording {
    std::string device{}; ///< the first line: device, driver, day
    std::map<std::string, std::vector<std::uint8_t>> outputs{};
    std::map<std::string, std::uint64_t> hashes{}; ///< of outputs that agree with the emulator's in every bit
    std::map<std::string, std::string> errors{};
};

/// Reads what differential/record.cu writes.
Result<Recording> readRecording(const std::string& path);

} // namespace ptxwb::differential
