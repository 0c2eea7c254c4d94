// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sass_selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

namespace ptxwb::cli {

std::string knownSassFamilies()
{
    std::vector<std::string_view> names;
    for (const auto family : allSassFamilies()) {
        names.push_back(sassFamilyName(family));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

Result<SassSelection> sassSelection(const std::string& kernelRegex, const std::vector<std::string>& families)
{
    SassSelection selection{.kernelRegex = kernelRegex};
    try {
        static_cast<void>(std::regex(kernelRegex));
    } catch (const std::regex_error&) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format("--kernel '{}' is no regular expression", kernelRegex)};
    }
    for (const auto& name : families) {
        const auto family = sassFamilyByName(name);
        if (!family) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message = fmt::format("there is no instruction family '{}'", name),
                .hint = "known: " + knownSassFamilies()};
        }
        selection.families.push_back(*family);
    }
    return selection;
}

std::optional<Error> nothingSelected(const InspectedFile& file, const std::string& kernelRegex)
{
    constexpr std::size_t mostNames = 20;
    std::vector<std::string_view> names;
    for (const auto& kernel : file.listing.kernels) {
        if (isSelected(kernel, {.kernelRegex = kernelRegex})) {
            return std::nullopt;
        }
        names.push_back(kernel.name);
    }
    if (kernelRegex.empty()) {
        return std::nullopt;
    }
    const auto left = names.size() - std::min(names.size(), mostNames);
    names.resize(names.size() - left);
    return Error{.code = ErrorCode::NotFound,
        .message = fmt::format("no kernel matches --kernel '{}'", kernelRegex),
        .hint = names.empty() ? "it holds no kernel"
                              : fmt::format("it has: {}{}", fmt::join(names, ", "),
                                  left > 0 ? fmt::format(" and {} more", left) : ""),
        .path = file.title};
}

bool isSelected(const SassKernel& kernel, const SassSelection& selection)
{
    return selection.kernelRegex.empty()
        || std::regex_search(kernel.name.begin(), kernel.name.end(), std::regex(selection.kernelRegex));
}

bool isSelected(const SassInstruction& instruction, const SassSelection& selection)
{
    if (selection.families.empty()) {
        return true;
    }
    const auto set = familiesOf(instruction.opcode);
    return std::any_of(selection.families.begin(), selection.families.end(),
        [set](SassFamily family) { return contains(set, family); });
}

} // namespace ptxwb::cli
