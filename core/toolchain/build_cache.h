// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/build.h"
#include "core/toolchain/compiler.h"

namespace ptxwb::detail {

/// The key of a build: SHA-256 over the tools' versions and paths, options, target, names, source bytes and,
/// for CUDA, the environment variables that change what nvcc does.
std::string buildKey(const std::vector<Tool>& tools, Language language, const BuildPlan& plan);

/// The stored run, when every file that it included still has the same content.
std::optional<BuildRun> loadBuild(const std::filesystem::path& directory, const std::string& key);

/// Stores a run; not when it is a failed CUDA build (a header that it missed may come to be) or when an
/// included file changed since `begun`.
void storeBuild(const std::filesystem::path& directory, const std::string& key, const BuildRun& run,
    Language language, std::filesystem::file_time_type begun);

} // namespace ptxwb::detail
