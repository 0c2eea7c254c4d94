// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/place_option.h"
#include "app/cli/run_output.h"
#include "app/cli/source_file.h"

#include <cstdint>

namespace ptxwb::cli {

/// `ptxwb run --on gpu`.
struct GpuRunOptions {
    SourceFile source{};
    Language language = Language::Ptx;
    Place place{};
    std::string target{};
    std::uint64_t seed = 1;
    int limitSeconds = 60;
    bool measure = true;
    bool compareWithEmulator = false;
    std::vector<Dump> dumps{};
};

/// Runs it, prints the answer and gives the exit status.
int runOnGpu(const GpuRunOptions& options, const Session& session);

/// "cold: 12.3 us (p10 12.1, p90 13.0; median within [12.2, 12.4]; 60 calls)"; says so where there is none.
std::string timesText(std::string_view name, const std::vector<double>& samplesUs);

} // namespace ptxwb::cli
