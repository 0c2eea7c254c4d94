// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// The options of every `// @build OPTIONS` comment line of a file, split like a shell does (quotes and
/// backslash). Only options that change what code is made are taken there (-I, -D, -U, -std, -O,
/// -maxrregcount, -Xptxas ...), so that a file cannot choose programs to run. Errors: InvalidArgument with
/// the line.
Result<std::vector<std::string>> buildCommentOptions(std::string_view text);

/// Pass-through options in ptxas's spelling: -Xptxas is unwrapped, -G becomes -g, and what only a C++
/// compiler understands (-I, -D, -std ...) or what the workbench decides itself (-arch, -o) is refused.
/// Errors: InvalidArgument.
Result<std::vector<std::string>> ptxasOptions(const std::vector<std::string>& options);

/// Pass-through options for nvcc. Paths of -I and the like become absolute against `base`; what the workbench
/// decides itself (-arch, -gencode, -o, --cubin ...) is refused. Errors: InvalidArgument.
Result<std::vector<std::string>> nvccOptions(
    const std::vector<std::string>& options, const std::filesystem::path& base);

/// Whether a word can be given to nvcc as part of a path: it goes through a shell and through comma-separated
/// lists.
bool isSafeForNvcc(std::string_view path);

} // namespace ptxwb
