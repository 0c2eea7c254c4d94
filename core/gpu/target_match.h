// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::gpu {

/// The target that uses everything a device of this compute capability has: "sm_90a" for 9.0, "sm_86"
/// for 8.6. Architecture-specific targets begin with 9.0.
std::string targetOf(int major, int minor);

/// Why machine code for `target` cannot run on a device of this compute capability; nothing when it can.
/// sm_XYa runs on X.Y only, sm_XYf on X.Y and later minor versions of its family, sm_XY on X.Y and later
/// minor versions.
std::optional<std::string> whyNotLoadable(std::string_view target, int major, int minor);

} // namespace ptxwb::gpu
