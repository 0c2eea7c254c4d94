// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/nul_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

Fix nulRemoval(std::string_view source)
{
    const auto first = source.find('\0');
    if (first == std::string_view::npos) {
        return {};
    }
    const auto count = std::count(source.begin(), source.end(), '\0');
    const bool atEnd =
        source.find_first_not_of(std::string_view("\0\r\n\t ", 5), first) == std::string_view::npos;
    Fix fix{
        .title = fmt::format("Remove {}{}", count == 1 ? "the NUL byte" : fmt::format("{} NUL bytes", count),
            atEnd ? " at the end" : "")};
    int line = 1;
    int column = 1;
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\0') {
            auto* last = fix.edits.empty() ? nullptr : &fix.edits.back();
            if (last != nullptr && last->line == line && last->endColumn == column) {
                ++last->endColumn;
            } else {
                fix.edits.push_back({line, column, line, column + 1, ""});
            }
        }
        const bool ends = source[i] == '\n' || (source[i] == '\r' && !source.substr(i + 1).starts_with('\n'));
        line += ends ? 1 : 0;
        column = ends ? 1 : column + ((static_cast<unsigned char>(source[i]) & 0xC0U) == 0x80U ? 0 : 1);
    }
    return fix;
}

} // namespace ptxwb::detail
