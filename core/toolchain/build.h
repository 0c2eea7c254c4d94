// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/toolchain.h"

#include <map>
#include <string>
#include <vector>

namespace ptxwb::detail {

/// Everything that decides what a build makes.
struct BuildPlan {
    std::string displayName{};
    std::string text{}; ///< as the tool shall read it
    std::filesystem::path directory{}; ///< of the user's file; empty for stdin
    std::string target{};
    std::vector<std::string> options{}; ///< in the tool's spelling
    bool hostContract = false;
    bool emulatedHost = false;
    bool emitPtxOnly = false;
    bool sandboxed = false;
    bool mayCrash = false; ///< a text that nobody wrote: a tool that crashes over it is an outcome, no Error
    std::vector<std::filesystem::path> readable{}; ///< folders that a sandbox shows
    std::chrono::milliseconds timeout{120'000};
};

/// What a build left, before its words are understood.
struct BuildRun {
    bool ok = false;
    std::string rawOutput{};
    std::string toolFile{}; ///< the name under which the messages know the source
    std::string generatedPtxFile{}; ///< the name under which they know the PTX in between (CUDA only)
    std::vector<std::string> command{}; ///< with the user's names
    std::map<std::string, std::string> products{}; ///< "cubin", "ptx", "so"; "ptx" of a failed CUDA build too
    std::vector<std::filesystem::path> includes{}; ///< absolute
};

/// One run of ptxas in a temporary directory of its own. Errors as runTool and readProduct.
Result<BuildRun> buildPtx(const Tool& ptxas, const BuildPlan& plan, std::stop_token stop);

/// One run of nvcc in a temporary directory of its own. Errors as runTool and readProduct.
Result<BuildRun> buildCuda(const Toolchain& toolchain, const BuildPlan& plan, std::stop_token stop);

/// The files that a preprocessed text entered, by its line markers.
std::vector<std::string> includedFiles(std::string_view preprocessed);

/// Name of the user's file in `#line` and in debug information: absolute, so that two builds of one file are
/// equal.
std::string sourceNameFor(const std::filesystem::path& directory, std::string_view displayName);

} // namespace ptxwb::detail
