// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// A line that a fix takes away, or one that it puts in its place.
struct PreviewLine {
    bool added = false;
    int number = 0; ///< in the text before for lines taken away, in the text after for added ones
    std::string text{}; ///< without its line end

    bool operator==(const PreviewLine&) const = default;
};

/// What the fix changes in the text that it speaks of, place by place, lines taken away first. Pure.
std::vector<PreviewLine> previewOfFix(std::string_view text, const Fix& fix);

} // namespace ptxwb
