// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/compile_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace ptxwb {

namespace {

constexpr std::string_view defaultTarget = "sm_90a";

std::string withPrefix(std::string_view name)
{
    if (name.starts_with("compute_")) {
        name.remove_prefix(8);
    } else if (name.starts_with("sm_")) {
        name.remove_prefix(3);
    }
    return fmt::format("sm_{}", name);
}

bool isKnown(const std::vector<std::string>& known, std::string_view target)
{
    return known.empty() || std::find(known.begin(), known.end(), target) != known.end();
}

} // namespace

std::optional<TargetName> parseTargetName(std::string_view name)
{
    if (!name.starts_with("sm_")) {
        return std::nullopt;
    }
    name.remove_prefix(3);
    TargetName made;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), made.number);
    const auto suffix = name.substr(static_cast<std::size_t>(parsed.ptr - name.data()));
    if (parsed.ec != std::errc{} || made.number <= 0 || suffix.size() > 1
        || (!suffix.empty() && suffix != "a" && suffix != "f")) {
        return std::nullopt;
    }
    made.suffix = suffix.empty() ? '\0' : suffix.front();
    return made;
}

bool targetPermits(std::string_view fileTarget, std::string_view target)
{
    const auto from = parseTargetName(fileTarget);
    const auto to = parseTargetName(target);
    if (!from || !to) {
        return fileTarget == target;
    }
    switch (from->suffix) {
    case 'a':
        return fileTarget == target;
    case 'f': // one family has the same tens: 100 and 103, 120 and 121
        return to->number >= from->number && to->number / 10 == from->number / 10;
    default:
        return to->number >= from->number;
    }
}

Result<ChosenTarget> chooseTarget(const TargetQuestion& question)
{
    if (question.asked) {
        const auto asked = withPrefix(*question.asked);
        if (!parseTargetName(asked)) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message = fmt::format("\"{}\" is no target", *question.asked),
                .hint = "a target looks like sm_90a or sm_100f"};
        }
        if (!isKnown(question.known, asked)) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message = fmt::format("this compiler does not know the target {}", asked),
                .hint = fmt::format("it knows {}", fmt::join(question.known, ", "))};
        }
        return ChosenTarget{asked, fmt::format("{} was asked for", asked)};
    }
    const auto preferred = question.preferred ? withPrefix(*question.preferred) : std::string(defaultTarget);
    const std::string whose =
        question.preferred ? "the target of the device here" : "the default without a device";
    if (!question.fileTarget) {
        return ChosenTarget{preferred, fmt::format("{} is {}", preferred, whose)};
    }
    // ptxas takes a virtual architecture in the file, but makes no cubin for one.
    const auto own = question.fileTarget->starts_with("compute_") ? withPrefix(*question.fileTarget)
                                                                  : *question.fileTarget;
    if (!isKnown(question.known, preferred)) {
        return ChosenTarget{own,
            fmt::format(
                "{} is the file's own .target; this compiler does not know {}, {}", own, preferred, whose)};
    }
    if (own == preferred) {
        return ChosenTarget{own, fmt::format("{} is the file's own .target and {}", own, whose)};
    }
    if (targetPermits(own, preferred)) {
        return ChosenTarget{
            preferred, fmt::format("{} is {}, and the file's .target {} permits it", preferred, whose, own)};
    }
    return ChosenTarget{own,
        fmt::format("{} is the file's own .target, which does not permit {}, {}", own, preferred, whose)};
}

} // namespace ptxwb
