// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace ptxwb {

/// Integer expression over named values: + - * / % ( ) min max ceildiv, decimal and 0x numbers. 64-bit,
/// checked. Errors: BadFormat (syntax, unknown name with the known ones listed, division by zero, overflow),
/// column in message.
Result<std::int64_t> evaluateExpression(
    std::string_view expression, const std::map<std::string, std::int64_t>& names);

} // namespace ptxwb
