// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <chrono>
#include <filesystem>
#include <map>
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
    std::filesystem::path path{};
    std::string version{}; ///< "13.0.88", empty if the tool did not say
    std::string origin{}; ///< "toolkit /usr/local/cuda-13.0", "wheel", "PATH", "PTXWB_PTXAS"
    std::optional<std::string> problem{}; ///< set when it is there but does not run
};

/// Every tool found, and the chosen one of each kind (compiler tools from one toolkit where possible).
struct Toolchain {
    std::vector<Tool> all{}; ///< in order of preference
    std::optional<Tool> ptxas{};
    std::optional<Tool> nvcc{};
    std::optional<Tool> nvdisasm{};
    std::optional<Tool> cuobjdump{};
    std::vector<std::string> targets{}; ///< every sm_XY[a|f] that the chosen ptxas accepts
    std::filesystem::path tvmFfiInclude{}; ///< of the apache-tvm-ffi wheel, empty if absent
    std::filesystem::path tvmFfiLibrary{}; ///< libtvm_ffi.so of that wheel, empty if absent

    const std::optional<Tool>& chosen(ToolKind kind) const;
};

/// Where to look, in order of preference: single tools named by PTXWB_PTXAS / PTXWB_NVCC / PTXWB_NVDISASM /
/// PTXWB_CUOBJDUMP, then `cudaHomes` (PTXWB_CUDA_HOME, CUDA_HOME, CUDA_PATH), PATH, `standardHomes`
/// (/usr/local/cuda, then /usr/local/cuda-* with the newest first), and the wheels in `venvs` (PTXWB_VENV,
/// the private venv below userCacheDirectory() and below the user's default cache).
struct ToolchainSearch {
    std::map<ToolKind, std::filesystem::path> namedTools{};
    std::vector<std::filesystem::path> cudaHomes{};
    bool usePath = true;
    std::vector<std::filesystem::path> standardHomes{};
    std::vector<std::filesystem::path> venvs{};
    std::chrono::milliseconds queryTimeout{4000}; ///< of one `--version`; a tool that hangs has that problem
    static ToolchainSearch fromEnvironment();
};

/// Finds tools and asks each its version (cached by path, size and time below userCacheDirectory()).
/// Blocks; any thread. Never fails: what is absent is absent. A stop kills the tool that is being asked and
/// leaves out the rest.
Toolchain findToolchain(
    const ToolchainSearch& search = ToolchainSearch::fromEnvironment(), const std::stop_token& stop = {});

/// The sentence that tells how to get a missing tool.
std::string howToGet(ToolKind kind);

} // namespace ptxwb
