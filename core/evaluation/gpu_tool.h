// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ptxwb {

/// Where a program is looked for that watches a GPU run and comes with the CUDA toolkit.
struct GpuTool {
    std::string name{}; ///< "ncu"
    const char* variable = nullptr; ///< of the environment; when set, it alone counts: "PTXWB_NCU"
    std::string elsewhere{}; ///< a last place, below the toolkit; empty: none
};

/// In its variable, PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda. Any thread.
std::optional<std::filesystem::path> findGpuTool(const GpuTool& tool);

} // namespace ptxwb
