// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ptxwb {

/// Why an operation failed. Closed set: the window translates it, the CLI derives the exit status from it.
enum class ErrorCode {
    InvalidArgument, ///< wrong usage: a flag, name or value that cannot be meant
    NotFound, ///< a file, task, workload or kernel that is not there
    Unreadable, ///< a file that cannot be read, or a directory where a file is needed
    BadFormat, ///< content that cannot be parsed; line / jsonPath name the place
    MissingTool, ///< something needed is not installed here; hint says how to get it
    ToolFailed, ///< a tool ended with an error that its diagnostics do not explain
    ToolCrashed, ///< a tool was killed by a signal
    TimedOut,
    Cancelled, ///< the user stopped it; not a failure
    DiskFull,
    Unsupported, ///< understood, but not possible here or not implemented; message names it
    Unavailable, ///< no driver, no GPU, device lost, no place for temporary files
    Network,
    Protocol, ///< the other process spoke nonsense
    Internal,
};

/// Stable lower_snake_case name, as in `ptxwb.error.v1`.
std::string_view errorCodeName(ErrorCode code);

/// A failure: code for programs, message (plain English detail) and hint (how to mend it) for people.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message{};
    std::string hint{};
    std::string path{}; ///< the file that is meant, empty if none
    std::optional<int> line{}; ///< 1-based line in `path`
    std::string jsonPath{}; ///< e.g. `$.launches[0].grid[1]`, empty if none
};

/// "path:line: message (hint)" on one line, without the parts that are unknown.
std::string describe(const Error& error);

} // namespace ptxwb
