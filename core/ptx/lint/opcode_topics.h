// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint/rules.h"

#include <string_view>

namespace ptxwb::lint {

/// What an opcode of this name may decide, whatever its words.
Topics topicsOf(std::string_view opcode);
/// Whether it is of a family of which the table may lack forms that ptxas takes, and a form may order what
/// the rules follow.
bool isOrdering(std::string_view opcode);
/// Of a bulk copy that completes on an mbarrier, which it names behind what the other forms take; else 0.
int leastOperands(std::string_view opcode);

} // namespace ptxwb::lint
