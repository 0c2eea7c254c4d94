// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/lint_consequences.h"

#include "core/toolchain/causes.h"

#include <algorithm>

namespace ptxwb::detail {

namespace {

constexpr int mostRoots = 4; // each costs a lint of the whole text

bool isError(const Diagnostic& said)
{
    return said.severity == Severity::Error || said.severity == Severity::Fatal;
}

bool isOfLint(const Diagnostic& said)
{
    return said.tool == "ptxwb" && said.code && said.line && findLintRule(*said.code) != nullptr;
}

bool movesLines(const Fix& fix)
{
    return std::any_of(fix.edits.begin(), fix.edits.end(), [](const TextEdit& edit) {
        return edit.endLine != edit.line || edit.text.find('\n') != std::string::npos;
    });
}

// Numbers of other lines in the words change with the text.
std::string withoutNumbers(std::string_view words)
{
    std::string made(words);
    std::erase_if(made, [](char c) { return c >= '0' && c <= '9'; });
    return made;
}

bool isStillSaid(const Diagnostic& said, const std::vector<LintFinding>& findings, bool linesMoved)
{
    return std::any_of(findings.begin(), findings.end(), [&](const LintFinding& one) {
        return one.rule->id == *said.code && (linesMoved || one.range.line == *said.line)
            && (!linesMoved || withoutNumbers(one.message) == withoutNumbers(said.message));
    });
}

} // namespace

void foldLintConsequences(std::vector<Diagnostic>& diagnostics, std::string_view text,
    std::string_view displayName, const ReadLint& read)
{
    const auto mayFollow = [&](const Diagnostic& said) {
        return said.rootCause && said.file == displayName && isOfLint(said);
    };
    if (std::none_of(diagnostics.begin(), diagnostics.end(), mayFollow)) {
        return;
    }
    int roots = 0;
    for (const auto& root : diagnostics) {
        const bool isCause = root.rootCause && isError(root) && !isOfLint(root) && !root.fixes.empty()
            && root.file == displayName;
        if (!isCause || ++roots > mostRoots) {
            continue;
        }
        const auto& fix = root.fixes.front();
        const auto findings = read(applyFix(text, fix));
        if (!findings) {
            return;
        }
        const int group = root.group;
        for (auto& said : diagnostics) {
            if (mayFollow(said) && said.group != group && !isStillSaid(said, *findings, movesLines(fix))) {
                const int before = said.group;
                said.rootCause = false;
                for (auto& one : diagnostics) { // and what follows from it
                    one.group = one.group == before ? group : one.group;
                }
            }
        }
    }
}

} // namespace ptxwb::detail
