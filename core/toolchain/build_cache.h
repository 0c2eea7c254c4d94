// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/build.h"
#include "core/toolchain/compiler.h"

namespace ptxwb::detail {

/// The key of a build: SHA-256 over the tools' versions and paths, options, target, names, source bytes and,
/// for CUDA, the environment variables that change what nvcc does.
std::string buildKey(const std::vector<Tool>& tools, Language language, const BuildPlan& plan);

/// The stored run, when every file that it included still has the same content and no other file came to be
/// that an include could mean now.
std::optional<BuildRun> loadBuild(const std::filesystem::path& directory, const std::string& key);

/// Stores a run; not when it is a failed CUDA build (a header that it missed may come to be), when a file
/// that an include could mean changed since `begun`, or when it cannot be known where headers were looked
/// for.
void storeBuild(const std::filesystem::path& directory, const std::string& key, const BuildRun& run,
    const BuildPlan& plan, Language language, std::filesystem::file_time_type begun);

} // namespace ptxwb::detail
