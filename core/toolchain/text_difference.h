// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// Edits that make the second text of the first: one per line that differs where both have the same number of
/// lines, else one over all that differs. Pure.
std::vector<TextEdit> differenceOf(std::string_view from, std::string_view to);

} // namespace ptxwb::detail
