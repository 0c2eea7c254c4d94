// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/error.h"

#include <string_view>

namespace ptxwb::detail {

/// What an errno of open, read or write on `path` means: NotFound, DiskFull or Unreadable. `what` is what was
/// tried, "cannot open".
Error fileError(std::string_view path, int number, std::string_view what);

} // namespace ptxwb::detail
