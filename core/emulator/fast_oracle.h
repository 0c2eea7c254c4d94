// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/oracle.h"

#include <cstdint>
#include <stop_token>

namespace ptxwb::emulator {

/// Reference results like runOracleOnHost, but in float32 with vector instructions and on all cores: within
/// about 1e-6 of the double one, in a hundredth of the time. Oracles without a fast form go to
/// runOracleOnHost, which cannot be stopped. Errors: Cancelled.
Result<std::vector<std::vector<double>>> runFastOracle(const OracleSpec& oracle,
    const std::vector<BufferSpec>& buffers, const std::vector<std::span<const std::byte>>& inputs,
    unsigned workers, std::stop_token stop = {});

/// Fills the Derived inputs: O and L of a backward task from its Q, K and V, tables and factors from the
/// seed. Errors: Unsupported; Cancelled.
Result<void> deriveInputs(const OracleSpec& oracle, const std::vector<BufferSpec>& buffers,
    std::vector<std::vector<std::byte>>& bytes, std::uint64_t seed, unsigned workers,
    std::stop_token stop = {});

} // namespace ptxwb::emulator
