// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::detail {

/// The code point of UTF-8 bytes that hold exactly one, in its shortest form; nothing for other bytes.
std::optional<char32_t> codePointOf(std::string_view bytes);

/// What stands for the character in ASCII: quotes, dashes, blanks, signs of full width, and letters of other
/// alphabets that look like Latin ones. Empty for a character that nobody sees. Nothing where there is none.
std::optional<std::string> plainFor(char32_t character, bool inComment);

} // namespace ptxwb::detail
