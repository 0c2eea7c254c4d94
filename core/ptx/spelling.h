// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Words that differ from `word` by the fewest edits (a swap of neighbours is one), at most a third of its
/// length; several when they are equally near. Sorted, without the word itself.
std::vector<std::string> nearestWords(std::string_view word, const std::vector<std::string>& words);

} // namespace ptxwb
