// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ptxwb::llm {

/// Replaces every byte that is no part of well-formed UTF-8 by a private-use character (U+10FE80 + byte -
/// 0x80), so that a JSON parser takes the text. unshieldBytes() undoes it.
std::string shieldInvalidUtf8(std::string_view bytes);
std::string unshieldBytes(std::string_view text);

/// Joins text that arrives in pieces: a character split between two pieces comes out whole with the second;
/// bytes that can never become a character come out as U+FFFD.
class Utf8Joiner {
public:
    std::string feed(std::string_view bytes);
    /// What is left at the end of the stream.
    std::string finish();

private:
    std::string m_tail;
};

/// At most `maxBytes` of `text`, cut before a character that would not fit whole.
std::string_view utf8Prefix(std::string_view text, std::size_t maxBytes);

} // namespace ptxwb::llm
