// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/operands.h"

#include <optional>
#include <string_view>

namespace ptxwb {

/// Where the parameters begin in constant bank 0, as ptxas lays them out for each generation; 0 when unknown.
std::uint64_t parameterBase(std::string_view target);

std::uint64_t textHash(std::string_view text);

constexpr bool isWordStart(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '$';
}
constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr bool isWord(char c)
{
    return isWordStart(c) || isDigit(c);
}

/// The slot of `word`, or nothing when it names no register.
std::optional<RegisterSlot> slotOf(std::string_view word);

constexpr bool isPredicate(RegisterSlot slot)
{
    return slot >= predicateSlots && slot < barrierSlots;
}

} // namespace ptxwb
