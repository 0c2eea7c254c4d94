// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace ptxwb::detail {

enum class TextPart {
    Code,
    Comment,
    Untouched, ///< what the compiler takes as it is
};

/// What was found beyond ASCII.
struct NonAscii {
    Fix fix{}; ///< no edits: nothing was found
    std::string firstWords{}; ///< of the first character: "U+FF0C, for which ASCII has ','"
};

/// Edits that put ASCII in place of every character beyond it and remove bytes that are no UTF-8; neighbours
/// share an edit. `partAt` is asked by ascending offset. Pure.
NonAscii replaceNonAscii(std::string_view source, const std::function<TextPart(std::size_t)>& partAt);

} // namespace ptxwb::detail
