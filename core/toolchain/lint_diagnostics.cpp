// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/lint_diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ptxwb {

namespace {

Severity severityOf(LintSeverity severity)
{
    switch (severity) {
    case LintSeverity::Error:
        return Severity::Error;
    case LintSeverity::Warning:
        return Severity::Warning;
    case LintSeverity::Info:
        break;
    }
    return Severity::Info;
}

bool isError(const Diagnostic& said)
{
    return said.severity == Severity::Error || said.severity == Severity::Fatal;
}

Fix fixOf(const LintFinding& finding)
{
    Fix fix{.title = finding.fixTitle};
    for (const auto& edit : finding.edits) {
        fix.edits.push_back({.line = edit.range.line,
            .startColumn = edit.range.column,
            .endLine = edit.range.endLine,
            .endColumn = edit.range.endColumn,
            .text = edit.text});
    }
    return fix;
}

// Whether ptxas left setmaxnreg out of a kernel that the finding names.
bool leavesSetmaxnregOut(const PerformanceNote& note, const LintFinding& finding)
{
    return note.code == "C7508"
        && (note.kernel.empty() || finding.message.find('\'' + note.kernel + '\'') != std::string::npos);
}

bool isWithdrawn(const LintFinding& finding, bool isAccepted, const std::vector<PerformanceNote>& notes)
{
    if (finding.rule->id == "setmaxnreg-entry") {
        return isAccepted ? std::none_of(notes.begin(), notes.end(),
                   [&](const PerformanceNote& note) { return leavesSetmaxnregOut(note, finding); })
                          : !finding.isCertain;
    }
    return finding.rule->severity == LintSeverity::Error && isAccepted;
}

// What nvcc says of a template's operands, at the first line of the asm statement.
bool isOfAsmOperands(const Diagnostic& said)
{
    return said.message.find("sm operand ") != std::string::npos
        || said.message.find("symbolic operand reference") != std::string::npos
        || said.message.find("at end of asm string") != std::string::npos;
}

/// Where ptxas gave up reading. What a declaration there, or below it, was meant to declare nobody knows.
std::optional<int> lineOfSyntaxError(const std::vector<Diagnostic>& diagnostics, std::string_view displayName)
{
    for (const auto& said : diagnostics) {
        if (said.severity == Severity::Fatal && said.file == displayName && said.line
            && said.message.starts_with("Parsing error")) {
            return said.line;
        }
    }
    return std::nullopt;
}

// ".cta_group::2": the parts of opcodes that a message names.
std::vector<std::string_view> dottedWords(std::string_view message)
{
    constexpr std::string_view ends = " ,;()'";
    std::vector<std::string_view> words;
    for (auto at = message.find('.'); at < message.size();) {
        const auto end = std::min(message.find_first_of(ends, at), message.size());
        if (at == 0 || ends.find(message[at - 1]) != std::string_view::npos) {
            words.push_back(message.substr(at, end - at));
        }
        at = message.find('.', end);
    }
    std::erase_if(words, [](std::string_view word) { return word.find("::") == std::string_view::npos; });
    return words;
}

// The compiler's error without a line that is about what the finding is about.
Diagnostic* withoutLine(std::vector<Diagnostic>& diagnostics, std::size_t told, const LintFinding& finding)
{
    const auto words = dottedWords(finding.message);
    for (std::size_t i = 0; i < told && !words.empty(); ++i) {
        auto& said = diagnostics[i];
        const bool isSame = isError(said) && !said.line && said.tool != "ptxwb"
            && std::all_of(words.begin(), words.end(),
                [&](std::string_view word) { return said.message.find(word) != std::string::npos; });
        if (isSame) {
            return &said;
        }
    }
    return nullptr;
}

// What the findings of one cause share: the target, or the version, that the file would have to say.
std::string sharedCause(const LintFinding& finding)
{
    if (finding.rule->id == "needs-target") {
        const auto at = finding.message.find(" does not exist on ");
        return at == std::string::npos ? std::string() : finding.message.substr(at);
    }
    return finding.rule->id == "needs-version" ? finding.fixTitle : std::string();
}

bool namesOperand(const LintFinding& finding)
{
    return finding.rule->id == "operand-type" || finding.rule->id == "operand-count";
}

} // namespace

Diagnostic diagnosticOf(const LintFinding& finding, std::string_view displayName)
{
    Diagnostic made{.severity = severityOf(finding.rule->severity),
        .code = std::string(finding.rule->id),
        .message = finding.message,
        .file = std::string(displayName),
        .line = finding.range.line,
        .column = finding.range.column,
        .explanation = fmt::format("{}. See {}", finding.rule->reason, finding.manualUrl),
        .tool = "ptxwb"};
    if (finding.range.endLine == finding.range.line) {
        made.endColumn = finding.range.endColumn;
    }
    if (!finding.fixTitle.empty()) {
        made.fixes.push_back(fixOf(finding));
    }
    return made;
}

void addLint(std::vector<Diagnostic>& diagnostics, const std::vector<LintFinding>& findings,
    std::string_view displayName, bool isAccepted, const std::vector<PerformanceNote>& notes)
{
    int group = highestGroup(diagnostics);
    const auto told = diagnostics.size();
    const auto givenUpAt = lineOfSyntaxError(diagnostics, displayName);
    std::map<int, std::vector<std::size_t>> errorsAt; // what the compiler told, by its line of this file
    for (std::size_t i = 0; i < told; ++i) {
        if (diagnostics[i].file == displayName && diagnostics[i].line && isError(diagnostics[i])) {
            errorsAt[*diagnostics[i].line].push_back(i);
        }
    }
    std::map<std::size_t, std::string> operands; // of errors about them
    std::map<std::string, int> groupOf; // by what findings share
    for (const auto& finding : findings) {
        const bool isOurError = finding.rule->severity == LintSeverity::Error;
        const bool isUnread = givenUpAt && finding.range.line >= *givenUpAt;
        if (isWithdrawn(finding, isAccepted, notes)
            || (isUnread && finding.rule->id.starts_with("undeclared-"))) {
            continue;
        }
        const auto end = diagnostics.begin() + static_cast<std::ptrdiff_t>(told);
        auto same = end;
        if (const auto here = errorsAt.find(finding.range.line); here != errorsAt.end()) {
            const auto& places = here->second;
            const auto root = std::find_if(
                places.begin(), places.end(), [&](std::size_t i) { return diagnostics[i].rootCause; });
            const auto place = root != places.end() ? *root : places.front();
            same = diagnostics.begin() + static_cast<std::ptrdiff_t>(place);
        }
        if (isOurError && finding.rule->id.starts_with("asm-")) {
            const auto before = std::find_if(
                std::make_reverse_iterator(end), diagnostics.rend(), [&](const Diagnostic& said) {
                    return said.file == displayName && said.line <= finding.range.line && isError(said)
                        && isOfAsmOperands(said);
                });
            auto* theirs = before != diagnostics.rend() ? &*before : (same != end ? &*same : nullptr);
            if (finding.rule->id == "asm-brace") { // ptxas goes on reading and stumbles far below
                const auto stumbles = std::find_if(diagnostics.begin(), end, [](const Diagnostic& said) {
                    return isError(said) && said.rootCause && said.tool == "ptxas"
                        && said.message.starts_with("Parsing error");
                });
                if (stumbles == end) {
                    continue;
                }
                theirs = &*stumbles;
            }
            if (theirs != nullptr && theirs->tool != "ptxwb") {
                auto made = diagnosticOf(finding, displayName);
                made.group = theirs->group;
                theirs->rootCause = false;
                diagnostics.push_back(std::move(made));
                continue;
            }
        }
        if (same != end) {
            if (isOurError && same->rootCause && same->fixes.empty() && !finding.fixTitle.empty()) {
                same->fixes.push_back(fixOf(finding));
            }
            if (const auto shared = sharedCause(finding); !shared.empty()) {
                groupOf.emplace(shared, same->group);
            }
            if (namesOperand(finding) && same->message.starts_with("Arguments mismatch")) {
                operands[static_cast<std::size_t>(same - diagnostics.begin())] += finding.message + ". ";
            }
            continue;
        }
        auto made = diagnosticOf(finding, displayName);
        if (auto* theirs = withoutLine(diagnostics, told, finding)) {
            made.severity = theirs->severity;
            made.group = theirs->group;
            made.rootCause = theirs->rootCause;
            theirs->rootCause = false;
            diagnostics.push_back(std::move(made));
            continue;
        }
        const auto shared = sharedCause(finding);
        const auto first = shared.empty() ? groupOf.end() : groupOf.find(shared);
        made.rootCause = first == groupOf.end();
        made.group = made.rootCause ? ++group : first->second;
        if (!shared.empty()) {
            groupOf.emplace(shared, made.group);
        }
        diagnostics.push_back(std::move(made));
    }
    for (const auto& [at, words] : operands) {
        diagnostics[at].explanation = words + diagnostics[at].explanation.value_or("");
    }
}

void addWholeKernelLint(std::vector<Diagnostic>& diagnostics, std::vector<Diagnostic> found)
{
    int group = highestGroup(diagnostics);
    for (auto& one : found) {
        const bool isTold = std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& said) {
            return said.code == one.code && said.file == one.file && said.line == one.line;
        });
        if (!isTold) {
            one.group = ++group;
            diagnostics.push_back(std::move(one));
        }
    }
}

} // namespace ptxwb
