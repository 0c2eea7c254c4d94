// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// The known name that a mistyped one most likely means (edit distance at most a third of its length, at
/// least 1), or an empty string.
std::string closestName(std::string_view name, const std::vector<std::string>& known);

/// "did you mean `box`?", or "known: a, b, c" when nothing is close, or "" when nothing is known.
std::string suggestionFor(std::string_view name, const std::vector<std::string>& known);

} // namespace ptxwb
