// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb {

enum class ToolKind { Ptxas, Nvcc, Nvdisasm, Cuobjdump };
std::string_view toolName(ToolKind kind);

/// An NVIDIA program found here.
struct Tool {
    ToolKind kind = ToolKind::Ptxas;
    std::filesystem::path path {};
    std::string version {}; ///< "13.0.88", empty if the tool did not say
    std::string origin {}; ///< "toolkit /usr/local/cuda-13.0", "wheel", "PATH", "PTXWB_PTXAS"
    std::optional<std::string> problem {}; ///< set when it is there but does not run
};

/// Every tool found, and the chosen one of each kind (compiler tools from one toolkit where possible).
struct Toolchain {
    std::vector<Tool> all {}; ///< in order of preference
    std::optional<Tool> ptxas {};
    std::optional<Tool> nvcc {};
    std::optional<Tool> nvdisasm {};
    std::optional<Tool> cuobjdump {};
    std::vector<std::string> targets {}; ///< every sm_XY[a|f] that the chosen ptxas accepts
    std::filesystem::path tvmFfiInclude {}; ///< of the apache-tvm-ffi wheel, empty if absent

    const std::optional<Tool>& chosen(ToolKind kind) const;
};

/// Where to look. Defaults come from the environment: PTXWB_CUDA_HOME, CUDA_HOME, PATH, /usr/local/cuda*, the private
/// venv below userCacheDirectory(), and PTXWB_PTXAS / PTXWB_NVCC / PTXWB_NVDISASM / PTXWB_CUOBJDUMP for single tools.
struct ToolchainSearch {
    std::vector<std::filesystem::path> cudaHomes {};
    std::vector<std::filesystem::path> venvs {};
    bool usePath = true;
    static ToolchainSearch fromEnvironment();
};

/// Finds tools and asks each its version (cached by path, size and time below userCacheDirectory()).
/// Blocks; any thread. Never fails: what is absent is absent.
Toolchain findToolchain(const ToolchainSearch& search = ToolchainSearch::fromEnvironment());

/// The sentence that tells how to get a missing tool.
std::string howToGet(ToolKind kind);

} // namespace ptxwb
