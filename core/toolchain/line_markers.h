// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/ptxas_messages.h"

#include <string_view>

namespace ptxwb::detail {

/// ptxas counts lines as `#line N "file"` and `# N "file"` in PTX tell it to. Puts its messages and notes
/// back on the lines of the text itself, so that one mistake has one place. Pure.
void undoLineMarkers(CompilerMessages& messages, std::string_view text, std::string_view displayName);

} // namespace ptxwb::detail
