// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptxwb {

/// Value of a constant expression of integers with + - * / and parentheses, as array sizes are written in PTX
/// ("4*49152+1024"). Nothing for anything else, an overflow or a division by zero.
std::optional<std::uint64_t> evaluateConstant(std::string_view expression);

} // namespace ptxwb
