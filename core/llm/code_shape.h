// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace ptxwb::llm {

/// The lines of a text without their ends (LF or CRLF). Text after the last line end is a line when it is not
/// empty.
std::vector<std::string_view> splitLines(std::string_view text);

/// True when the line is a comment, or bare dots, that stands for code left out.
bool isElisionLine(std::string_view line);

} // namespace ptxwb::llm
