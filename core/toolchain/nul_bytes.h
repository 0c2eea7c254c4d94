// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string_view>

namespace ptxwb::detail {

/// Removes every NUL byte; no edits: the text has none. Neighbours share an edit. Pure.
Fix nulRemoval(std::string_view source);

} // namespace ptxwb::detail
