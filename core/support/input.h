// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>

namespace ptxwb {

inline constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// How much of an input is read: a device or a pipe may never end, and memory does.
struct InputLimits {
    std::size_t bytes = 64 * mebibyte; ///< of text: far more than any module that a compiler wrote
    std::size_t binaryBytes = 64 * mebibyte; ///< of what starts as an ELF file or a fatbin does
};

/// The bytes of a file that a user named: a regular file, a pipe or a device. Unlike readFile it stops at a
/// limit, and `stop` ends it also while it waits for the writer of a pipe.
/// Errors: NotFound, Unreadable (also a directory, and what is longer than its limit), Cancelled; path set.
Result<std::string> readInput(
    const std::filesystem::path& path, const InputLimits& limits, const std::stop_token& stop = {});

/// The same for standard input, which errors call "<stdin>".
Result<std::string> readStandardInput(const InputLimits& limits, const std::stop_token& stop = {});

} // namespace ptxwb
