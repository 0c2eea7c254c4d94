// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/warning_fixes.h"

#include "core/toolchain/causes.h"

#include <algorithm>

namespace ptxwb::detail {

namespace {

constexpr std::size_t mostFixes = 8; // that ptxas is asked about one by one

bool isError(const Diagnostic& said)
{
    return said.severity == Severity::Error || said.severity == Severity::Fatal;
}

bool endsReading(const Diagnostic& said)
{
    return said.severity == Severity::Fatal || said.message.starts_with("Parsing error");
}

std::vector<std::string> messagesOf(const std::vector<Diagnostic>& errors)
{
    std::vector<std::string> words;
    for (const auto& said : errors) {
        words.push_back(said.message);
    }
    std::sort(words.begin(), words.end());
    return words;
}

} // namespace

void tryWarningFixes(std::vector<Diagnostic>& diagnostics, std::string_view text,
    std::string_view displayName, const AskPtxas& ask)
{
    std::vector<Diagnostic> errors; // whose fixes go first
    std::vector<Diagnostic*> warnings;
    for (auto& said : diagnostics) {
        if (!said.rootCause || said.fixes.empty() || said.file != displayName) {
            continue;
        }
        if (isError(said)) {
            errors.push_back(said);
        } else {
            warnings.push_back(&said);
        }
    }
    if (warnings.empty()) {
        return;
    }
    const auto with = [&](const std::vector<Diagnostic*>& these) {
        auto all = errors;
        for (const auto* said : these) {
            all.push_back(*said);
        }
        return applyFirstFixes(text, all);
    };
    const auto together = with(warnings);
    const auto said = ask(together.text);
    if (!said) {
        return;
    }
    if (said->empty()) {
        for (auto* one : warnings) {
            const auto& title = one->fixes.front().title;
            one->fixes.front().tried =
                std::find(together.leftOut.begin(), together.leftOut.end(), title) == together.leftOut.end();
        }
        return;
    }
    const auto before = ask(with({}).text);
    if (!before || std::any_of(before->begin(), before->end(), endsReading)) {
        return; // what stands behind is not read
    }
    const auto left = messagesOf(*before);
    for (std::size_t i = 0; i < std::min(warnings.size(), mostFixes); ++i) {
        auto& fixes = warnings[i]->fixes;
        while (!fixes.empty()) {
            const auto alone = with({warnings[i]});
            const auto after = ask(alone.text);
            if (!after) {
                return;
            }
            if (alone.leftOut.empty() && messagesOf(*after) != left) {
                fixes.erase(fixes.begin());
                continue;
            }
            fixes.front().tried = alone.leftOut.empty();
            break;
        }
    }
}

} // namespace ptxwb::detail
