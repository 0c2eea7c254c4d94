// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/target_match.h"

#include <fmt/format.h>

#include <charconv>

namespace ptxwb::gpu {

std::string targetOf(int major, int minor)
{
    return fmt::format("sm_{}{}{}", major, minor, major >= 9 ? "a" : "");
}

std::optional<std::string> whyNotLoadable(std::string_view target, int major, int minor)
{
    const std::string device =
        fmt::format("a device of compute capability {}.{} ({})", major, minor, targetOf(major, minor));
    std::string_view digits = target;
    int number = 0;
    if (digits.starts_with("sm_")) {
        digits.remove_prefix(3);
    }
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const std::string_view suffix = digits.substr(static_cast<std::size_t>(end - digits.data()));
    if (failed != std::errc{} || !target.starts_with("sm_")
        || (suffix != "" && suffix != "a" && suffix != "f")) {
        return fmt::format("'{}' is no target name like sm_90a", target);
    }
    const int wantMajor = number / 10;
    const int wantMinor = number % 10;
    const bool sameFamily = wantMajor == major && wantMinor <= minor;
    if (suffix == "a" ? wantMajor == major && wantMinor == minor : sameFamily) {
        return std::nullopt;
    }
    return fmt::format("code for {} does not run on {}", target, device);
}

} // namespace ptxwb::gpu
