// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/subprocess.h"
#include "core/toolchain/build.h"
#include "core/toolchain/toolchain.h"

namespace ptxwb::detail {

/// Runs a tool of NVIDIA's to its end, in `request.workingDirectory`, which must be a temporary directory of
/// ours. A non-zero exit status is an outcome; what the user should not take for a fault of the source is an
/// Error: MissingTool, TimedOut, Cancelled, ToolCrashed (signal), ToolFailed (killed because it wrote more
/// than `request.maxOutputBytes`), with the tool named.
Result<ProcessOutcome> runTool(const Tool& tool, ProcessRequest request, std::stop_token stop);

/// The same behind the walls of a sandbox when `plan.sandboxed`: the tool sees its toolkit, `plan.readable`
/// and its working directory. Errors: also those of sandboxAvailable.
Result<ProcessOutcome> runCompiler(
    const Tool& tool, const BuildPlan& plan, ProcessRequest request, std::stop_token stop);

/// What a compiler may write: room for half a million messages.
inline constexpr std::size_t mostCompilerOutputBytes = 64U << 20;

/// Both streams, one behind the other, for the parsers: a line that nobody can read (over 16 KiB) is cut, and
/// says how much of it is missing.
std::string messageText(std::string first, std::string_view second);

/// Writes a file below a temporary directory. Errors: DiskFull, Unreadable.
Result<void> writeScratch(const std::filesystem::path& path, std::string_view bytes);

/// Reads what a tool that ended well wrote. A missing or cut file is an Error: DiskFull when the disk below
/// it is full (ptxas ends with 0 there), else ToolFailed.
Result<std::string> readProduct(const Tool& tool, const std::filesystem::path& path, bool isElf);

/// A ToolFailed of readProduct, blamed on the pass-through options when there are any: InvalidArgument that
/// names them. Other errors as they are.
Error blameOptions(Error error, const std::vector<std::string>& options);

/// DiskFull when the file system of `directory` has no room left or the tool's words say so.
std::optional<Error> diskFullError(const std::filesystem::path& directory, std::string_view toolOutput);

/// Whether the bytes hold all headers that an ELF file announces.
bool isCompleteElf(std::string_view bytes);

} // namespace ptxwb::detail
