// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

/// Lines [oldFirst, oldFirst + oldCount) become [newFirst, newFirst + newCount); counted from 0.
struct LineChange {
    std::size_t oldFirst = 0;
    std::size_t oldCount = 0;
    std::size_t newFirst = 0;
    std::size_t newCount = 0;
    bool operator==(const LineChange&) const = default;
};

/// The shortest edit script (Myers, 1986) between two lists of lines, as runs of changes in order. Beyond
/// 2000 changed lines the middle that differs is one change.
std::vector<LineChange> diffLines(
    const std::vector<std::string_view>& oldLines, const std::vector<std::string_view>& newLines);

} // namespace ptxwb::llm
