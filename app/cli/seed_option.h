// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <string>

namespace ptxwb::cli {

/// The number behind --seed, read by ourselves: CLI11 would wrap -1 around, or name no range. Errors:
/// InvalidArgument.
Result<std::uint64_t> seedOf(const std::string& text);

} // namespace ptxwb::cli
