// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/error.h"
#include "core/support/subprocess.h"
#include "core/toolchain/toolchain.h"

#include <filesystem>
#include <optional>
#include <string>

namespace ptxwb {

/// The folder in which a ToolCrashed of ours kept the crash; nothing for other errors and where it could not
/// be kept.
std::optional<std::string> crashBundleOf(const Error& error);

namespace detail {

/// At most so many crashes are kept, the newest.
inline constexpr std::size_t mostCrashBundles = 20;

/// ToolCrashed for a run of `tool` that ended as `how` says ("ended with signal 11 (...)"). Keeps what
/// reports it below userCacheDirectory() / "crashes": the input (the last word of `argv`, in `scratch`), the
/// PTX that nvcc made, command.txt, output.txt and versions.txt; the same crash once. Never fails: where
/// nothing can be written the message says so.
Error toolCrashed(const Tool& tool, const std::string& how, const ProcessRequest& request,
    const std::filesystem::path& scratch, const ProcessOutcome& outcome);

} // namespace detail

} // namespace ptxwb
