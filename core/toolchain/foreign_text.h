// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ptxwb::detail {

/// What a text is that was taken for PTX and has none of its words.
struct ForeignText {
    std::string_view looksLike{}; ///< "CUDA C++"; empty: it may be PTX without its head
    std::string_view advice{};
};

/// Of a text without .version. Looks at the first megabyte. Pure.
ForeignText foreignTextOf(std::string_view source);

} // namespace ptxwb::detail
