// SPDX-License-Identifier: Apache-2.0
#include "app/cli/seed_option.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace ptxwb::cli {

Result<std::uint64_t> seedOf(const std::string& text)
{
    std::uint64_t seed = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (failure != std::errc{} || end != text.data() + text.size()) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format("--seed '{}' is no seed", text),
            .hint = fmt::format("a whole number from 0 to {}", std::numeric_limits<std::uint64_t>::max())};
    }
    return seed;
}

} // namespace ptxwb::cli
