// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ptxwb {

/// SHA-256 (FIPS 180-4) of the bytes, as 64 lower-case hex digits.
std::string sha256Hex(std::string_view bytes);

} // namespace ptxwb
