// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

struct CppToken {
    enum class Kind : std::uint8_t { Word, String, Punctuation };
    Kind kind = Kind::Punctuation; ///< Punctuation: one character
    std::uint32_t first = 0; ///< bytes from the start of the source
    std::uint32_t end = 0;
    bool isRaw = false; ///< R"(...)"
};

/// A comment of the source, for what it allows.
struct CudaComment {
    std::string_view text{};
    std::uint32_t offset = 0;
};

/// C++ text as far as finding asm needs it.
struct CppText {
    std::vector<CppToken> tokens{}; ///< bodies of #define included, other directives and `#if 0` left out
    std::vector<CudaComment> comments{};
    std::string code{}; ///< the source with comments and strings blanked, byte for byte
};

/// Never fails.
CppText lexCpp(std::string_view source);

} // namespace ptxwb
