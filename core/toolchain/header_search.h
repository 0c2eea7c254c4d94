// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/build.h"

#include <optional>

namespace ptxwb::detail {

/// Where a CUDA build looked for headers, so that a file that came to be there later is noticed.
struct HeaderSearch {
    std::vector<std::string> directories{}; ///< of options, environment, the source and each included file
    std::vector<std::string> asked{}; ///< the names in `__has_include(...)`
};

/// The search of a build that included `includes`. Nothing when it cannot be known: a file of the user's asks
/// `__has_include` of a name that only the preprocessor knows, or options come from a file.
std::optional<HeaderSearch> headerSearchOf(
    const BuildPlan& plan, const std::vector<std::filesystem::path>& includes);

/// The files that an include could have meant: those in a directory of the search that have the name of an
/// included or asked-for file, with any number of the folders before it. Sorted. A list equal to that of the
/// time of the build says that no header came to stand before another one.
std::vector<std::string> namesakes(
    const HeaderSearch& search, const std::vector<std::filesystem::path>& includes);

/// The names in `__has_include` and macros named like it. Nothing when one is no literal, outside #define.
/// Pure.
std::optional<std::vector<std::string>> askedHeaders(std::string_view text);

} // namespace ptxwb::detail
