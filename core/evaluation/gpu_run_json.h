// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/gpu_run.h"

namespace ptxwb {

/// What a run achieved by the plan's own count of its work; nothing where the plan does not count, or no time
/// that is a result was had.
struct Rates {
    std::optional<double> flopsPerSecond{};
    std::optional<double> bytesPerSecond{};
    std::string reason{}; ///< why one is missing
};
Rates ratesOf(const GpuRun& run);

/// How the outputs compare with the emulator's: normwise relative difference by name, 0 for the same bits.
struct EmulatorComparison {
    std::map<std::string, double> difference{};
    std::string reason{}; ///< why there is none
};

/// `ptxwb.run.v1` of a run on a GPU.
std::string toJson(const GpuRun& run, const std::vector<std::pair<std::string, std::string>>& dumps,
    const EmulatorComparison& emulator);

} // namespace ptxwb
