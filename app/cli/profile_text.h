// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"

namespace ptxwb::cli {

/// What the profiler said, for a reader: its numbers by group, and the SASS rows at which most warps were
/// met, with the reasons for which they stood there. Empty: it was not asked.
std::string profileText(const Evaluation& evaluation);

} // namespace ptxwb::cli
