// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sass_selection.h"

#include "core/support/kernel_name.h"

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

Result<SassSelection> sassSelection(const std::string& kernelWord, const std::vector<std::string>& families)
{
    SassSelection selection{.kernelWord = kernelWord};
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

namespace {

Error noSuchKernel(const InspectedFile& file, const std::string& word)
{
    constexpr std::size_t mostNames = 20;
    std::vector<std::string> names;
    for (const auto& kernel : file.listing.kernels) {
        if (names.size() < mostNames) {
            names.push_back(titleOfKernel(kernel.name));
        }
    }
    const auto left = file.listing.kernels.size() - names.size();
    return Error{.code = ErrorCode::NotFound,
        .message = fmt::format("no kernel matches --kernel '{}'", word),
        .hint = names.empty() ? "it holds no kernel"
                              : fmt::format("it has: {}{}", fmt::join(names, ", "),
                                  left > 0 ? fmt::format(" and {} more", left) : ""),
        .path = file.title};
}

} // namespace

Result<SassSelection> chooseKernels(SassSelection selection, const InspectedFile& file)
{
    const auto& word = selection.kernelWord;
    if (word.empty()) {
        return selection;
    }
    const auto chooseIf = [&](const auto& isOne) {
        for (const auto& kernel : file.listing.kernels) {
            if (isOne(kernel.name)) {
                selection.kernels.emplace_back(kernel.name);
            }
        }
    };
    chooseIf([&](std::string_view name) { return isNamed(name, word); });
    if (selection.kernels.empty()) {
        try {
            const std::regex expression(word);
            chooseIf([&](std::string_view name) {
                return std::regex_search(name.begin(), name.end(), expression)
                    || std::regex_search(demangled(name), expression);
            });
        } catch (const std::regex_error&) {
            auto error = noSuchKernel(file, word);
            error.code = ErrorCode::InvalidArgument;
            error.message = fmt::format("--kernel '{}' is no kernel's name and no regular expression", word);
            return error;
        }
    }
    if (selection.kernels.empty()) {
        return noSuchKernel(file, word);
    }
    return selection;
}

bool isSelected(const SassKernel& kernel, const SassSelection& selection)
{
    return selection.kernelWord.empty()
        || std::ranges::find(selection.kernels, kernel.name) != selection.kernels.end();
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
