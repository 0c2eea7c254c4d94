// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/lone_returns.h"

#include "core/toolchain/causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ptxwb::detail {

namespace {

bool isLoneReturn(std::string_view source, std::size_t at)
{
    return source[at] == '\r' && !source.substr(at + 1).starts_with('\n');
}

// The offset of the first lone return within a // comment that has more than blanks behind it up to the next
// newline: what ptxas passes over.
std::optional<std::size_t> firstInComment(std::string_view source)
{
    for (std::size_t i = 0; i < source.size(); ++i) {
        const auto rest = source.substr(i);
        if (rest.starts_with("/*")) {
            const auto close = source.find("*/", i + 2);
            if (close == std::string_view::npos) {
                return std::nullopt;
            }
            i = close + 1;
        } else if (source[i] == '"') {
            const auto close = source.find_first_of("\"\n", i + 1);
            if (close == std::string_view::npos) {
                return std::nullopt;
            }
            i = close;
        } else if (rest.starts_with("//")) {
            const auto end = std::min(source.find('\n', i), source.size());
            const auto last = source.substr(0, end).find_last_not_of(" \t\r");
            for (; i < last; ++i) {
                if (isLoneReturn(source, i)) {
                    return i;
                }
            }
            i = end;
        }
    }
    return std::nullopt;
}

} // namespace

bool hasLoneReturns(std::string_view source)
{
    for (auto at = source.find('\r'); at != std::string_view::npos; at = source.find('\r', at + 1)) {
        if (isLoneReturn(source, at)) {
            return true;
        }
    }
    return false;
}

Fix loneReturnMending(std::string_view source)
{
    Fix fix;
    int line = 1;
    int column = 1;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const bool isLone = isLoneReturn(source, i);
        if (isLone) {
            fix.edits.push_back({line, column, line, column + 1, "\n"});
        }
        const bool ends = source[i] == '\n' || isLone;
        line += ends ? 1 : 0;
        column = ends ? 1 : column + ((static_cast<unsigned char>(source[i]) & 0xC0U) == 0x80U ? 0 : 1);
    }
    fix.title = fix.edits.size() == 1
        ? "Write a newline for the lone carriage return"
        : fmt::format("Write newlines for the {} lone carriage returns", fix.edits.size());
    return fix;
}

void addLoneReturns(std::vector<Diagnostic>& diagnostics, std::string_view source,
    std::string_view displayName, bool isRefused, const AskPtxas& ask)
{
    auto fix = loneReturnMending(source);
    if (fix.edits.empty()) {
        return;
    }
    const auto swallowed = firstInComment(source);
    auto place = fix.edits.front();
    if (swallowed) {
        const auto before = static_cast<std::size_t>(std::count_if(
            source.begin(), source.begin() + static_cast<std::ptrdiff_t>(*swallowed), [&](const char& c) {
                return isLoneReturn(source, static_cast<std::size_t>(&c - source.data()));
            }));
        place = fix.edits[before];
    }
    const auto count = fix.edits.size();
    Diagnostic made{.severity = isRefused ? Severity::Error
            : swallowed                   ? Severity::Warning
                                          : Severity::Info,
        .message = count == 1 ? "a line ends with a lone carriage return"
                              : fmt::format("{} lines end with a lone carriage return", count),
        .file = std::string(displayName),
        .line = place.line,
        .column = place.startColumn,
        .rootCause = true,
        .tool = "ptxwb"};
    made.explanation = swallowed
        ? fmt::format(
            "Found by the workbench: ptxas ends lines at newlines only, so the comment of line {} goes "
            "on and the code behind it, up to the next newline, is passed over",
            place.line)
        : std::string(
            "ptxas ends lines at newlines only: the lines that it names are not those of an editor");
    if (const auto left = ask ? ask(applyFix(source, fix)) : std::nullopt; left && left->empty()) {
        fix.tried = true;
    } else if (left && isRefused) {
        *made.explanation += ". Mend these first: the mistakes that are left show at their own lines then";
    }
    made.fixes.push_back(std::move(fix));
    made.group = highestGroup(diagnostics) + 1;
    if (isRefused) {
        for (auto& said : diagnostics) {
            if (said.tool == "ptxas") {
                said.group = made.group;
                said.rootCause = false;
            }
        }
    }
    diagnostics.insert(diagnostics.begin(), std::move(made));
}

} // namespace ptxwb::detail
