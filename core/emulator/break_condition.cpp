// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/debugger.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace ptxwb::emulator {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

std::optional<std::int64_t> numberOf(std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    text.remove_prefix(isNegative ? 1 : 0);
    const bool isHex = text.starts_with("0x");
    text.remove_prefix(isHex ? 2 : 0);
    std::uint64_t value = 0;
    const auto* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value, isHex ? 16 : 10);
    if (text.empty() || read.ec != std::errc{} || read.ptr != end) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(isNegative ? 0 - value : value);
}

} // namespace

Result<BreakCondition> parseBreakCondition(std::string_view text)
{
    // The longer ones first: < is the beginning of <=.
    constexpr std::array<std::string_view, 6> comparisons{"==", "!=", "<=", ">=", "<", ">"};
    for (const auto comparison : comparisons) {
        const auto at = text.find(comparison);
        if (at == std::string_view::npos) {
            continue;
        }
        const auto name = trimmed(text.substr(0, at));
        const auto value = numberOf(trimmed(text.substr(at + comparison.size())));
        if (name.empty() || name.find(' ') != std::string_view::npos || !value) {
            break;
        }
        return BreakCondition{std::string(name), std::string(comparison), *value};
    }
    return Error{.code = ErrorCode::InvalidArgument,
        .message = fmt::format("'{}' is no condition", text),
        .hint = "a register, one of == != < <= > >=, a whole number: %r5 == 3"};
}

std::string conditionText(const BreakCondition& condition)
{
    return fmt::format("{} {} {}", condition.name, condition.comparison, condition.value);
}

} // namespace ptxwb::emulator
