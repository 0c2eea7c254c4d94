// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"

#include <cstddef>
#include <filesystem>

namespace ptxwb {

/// The values of buffer `b`, whose `init` names a .npy file (DeclaredPlan::files), looked for in `directory`.
/// Errors, with the path: NotFound, Unreadable (no regular file, too long), BadFormat.
Result<std::vector<std::byte>> readPlanFile(
    const DeclaredPlan& declared, std::size_t b, const std::filesystem::path& directory);

} // namespace ptxwb
