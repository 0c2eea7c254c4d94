// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"
#include "core/support/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxwb::emulator {

/// A correct kernel with inputs, small enough to run some hundred times.
struct MutantSource {
    std::string name{};
    std::string text{};
    ResolvedPlan plan{};
    std::vector<std::vector<std::byte>> buffers{};
    std::uint64_t onlyClusters = 0; ///< EmulatorRequest::onlyClusters
};

/// The wgmma examples of tasks/ and the kernels of tests/data/emulator/corpus that wait for something.
Result<std::vector<MutantSource>> mutantSources();

/// A kernel with one mistake.
struct Mutant {
    std::string kind{};
    int line = 0; ///< from 1
    std::string text{}; ///< the whole kernel
    std::string from{};
    std::string to{};
};
/// Every mistake of the kinds that are known, in order of kind and line.
std::vector<Mutant> mutantsOf(const std::string& text);

} // namespace ptxwb::emulator
