// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <string>
#include <string_view>

namespace ptxwb {

/// RFC 4648 base64 with padding. Used where cubins travel in JSON lines.
std::string base64Encode(std::string_view bytes);

/// Errors: BadFormat, naming the offset.
Result<std::string> base64Decode(std::string_view text);

} // namespace ptxwb
