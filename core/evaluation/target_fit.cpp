// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/target_fit.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace ptxwb {

namespace {

struct Parsed {
    int major = 0;
    int minor = 0;
    char suffix = '\0';
};

std::optional<Parsed> parse(std::string_view target)
{
    if (!target.starts_with("sm_")) {
        return std::nullopt;
    }
    target.remove_prefix(3);
    int number = 0;
    const auto [end, failure] = std::from_chars(target.data(), target.data() + target.size(), number);
    if (failure != std::errc{} || number < 10) {
        return std::nullopt;
    }
    Parsed parsed{.major = number / 10, .minor = number % 10};
    if (end != target.data() + target.size()) {
        parsed.suffix = *end;
    }
    return parsed;
}

} // namespace

bool cubinLoadsOn(std::string_view cubinTarget, std::string_view deviceTarget)
{
    const auto cubin = parse(cubinTarget);
    const auto device = parse(deviceTarget);
    if (!cubin || !device || cubin->major != device->major) {
        return false;
    }
    if (cubin->suffix == 'a') {
        return cubin->minor == device->minor;
    }
    return cubin->minor <= device->minor;
}

std::string whyCubinDoesNotLoad(
    std::string_view cubinTarget, std::string_view deviceTarget, std::string_view deviceName)
{
    if (cubinLoadsOn(cubinTarget, deviceTarget)) {
        return {};
    }
    return fmt::format("code for {} does not load on {} ({})", cubinTarget, deviceName, deviceTarget);
}

} // namespace ptxwb
