// SPDX-License-Identifier: Apache-2.0
// The head of a module: .version and .target missing, written without their dot, or behind something else.
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/foreign_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

bool isFence(std::string_view line)
{
    const auto first = line.find_first_not_of(' ');
    return first != std::string_view::npos && first < 4
        && (line.substr(first).starts_with("```") || line.substr(first).starts_with("~~~"));
}

std::vector<std::string_view> linesOf(std::string_view source)
{
    std::vector<std::string_view> lines;
    while (true) {
        const auto end = source.find('\n');
        lines.push_back(source.substr(0, end));
        if (end == std::string_view::npos) {
            return lines;
        }
        source.remove_prefix(end + 1);
    }
}

// Removes the fence lines and what a chat answer says before and behind them.
std::optional<Fix> stripFence(std::string_view source)
{
    const auto lines = linesOf(source);
    const auto open =
        static_cast<std::size_t>(std::find_if(lines.begin(), lines.end(), isFence) - lines.begin());
    if (open == lines.size()) {
        return std::nullopt;
    }
    Fix fix{.title = "Remove the Markdown fence"};
    fix.edits.push_back({1, 1, static_cast<int>(open) + 2, 1, ""});
    for (auto close = open + 1; close < lines.size(); ++close) {
        if (isFence(lines[close])) {
            fix.edits.push_back({static_cast<int>(close) + 1, 1, static_cast<int>(lines.size()),
                codePointsOf(lines.back()) + 1, ""});
            break;
        }
    }
    return fix;
}

// A word of the head that stands without its dot before what belongs behind it ("target sm_90a").
std::optional<std::size_t> dotless(const CodeText& code, std::string_view word)
{
    constexpr std::size_t far = 64; // the head is the first few words
    for (std::size_t i = 0; i < std::min(code.size(), far); ++i) {
        const bool startsLine = i == 0 || code.line(i - 1) < code.line(i);
        if (startsLine && code.text(i) == word
            && code.line(i + 1 < code.size() ? i + 1 : i) == code.line(i)) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<Remedy> withDot(const FixContext& context, std::string_view word)
{
    const auto& code = context.code;
    const auto at = dotless(code, word);
    if (!at) {
        return std::nullopt;
    }
    Remedy made{.explanation = fmt::format("Directives begin with a dot: .{}.", word),
        .fixes = {{.title = fmt::format("Change {} to .{}", word, word),
            .edits = {code.replaceTokens(*at, *at + 1, fmt::format(".{}", word))}}}};
    made.betterRoot = Diagnostic{.severity = Severity::Fatal,
        .message = fmt::format("the '.' before '{}' is missing", word),
        .file = std::string(context.displayName),
        .line = code.line(*at),
        .column = code.column(*at),
        .endColumn = code.endColumn(*at),
        .tool = "ptxwb"};
    return made;
}

// The text has a .version, but not in front.
std::optional<Remedy> lateVersion(const FixContext& context)
{
    const auto& code = context.code;
    Remedy made{.explanation = "Something stands before .version, which must be the first statement."};
    std::size_t at = 0;
    bool isHead = true; // only other words of the head stand before it
    for (; at < code.size() && code.text(at) != ".version"; ++at) {
        const bool startsLine = at == 0 || code.line(at - 1) < code.line(at);
        isHead = isHead && (!startsLine || code.text(at) == ".target" || code.text(at) == ".address_size");
    }
    if (at + 1 >= code.size()) {
        return made;
    }
    if (isHead && at > 0) {
        made.explanation = ".version must stand before .target and .address_size.";
        auto removed = code.replaceTokens(at, at + 2, "");
        made.fixes.push_back({.title = "Move .version to the start",
            .edits = {{1, 1, 1, 1, fmt::format(".version {}\n", code.text(at + 1))}, std::move(removed)}});
    } else if (at > 0) {
        made.explanation += " What stands there is no PTX.";
        // Word by word and line by line: comments stay, among them the launch plan.
        Fix fix{.title = fmt::format("Remove what stands before line {}", code.line(at))};
        for (std::size_t first = 0; first < at;) {
            std::size_t end = first + 1;
            while (end < at && code.line(end) == code.line(first)) {
                ++end;
            }
            fix.edits.push_back(code.replaceTokens(first, end, ""));
            first = end;
        }
        made.fixes.push_back(std::move(fix));
    }
    return made;
}

std::optional<Remedy> missingVersion(const FixContext& context)
{
    if (auto fence = stripFence(context.code.source())) {
        return Remedy{.explanation =
                          "The text is Markdown: the kernel stands between fence lines (```), which are no "
                          "PTX. A module starts with .version.",
            .fixes = {std::move(*fence)}};
    }
    if (auto dot = withDot(context, "version")) {
        return dot;
    }
    if (context.outline.version) {
        return lateVersion(context);
    }
    if (const auto foreign = foreignTextOf(context.code.source()); !foreign.looksLike.empty()) {
        return Remedy{.explanation = fmt::format("The text looks like {}; {}. PTX starts with .version.",
                          foreign.looksLike, foreign.advice)};
    }
    const std::string target = context.outline.target.value_or(std::string(context.target));
    const auto floor = context.isa != nullptr ? context.isa->minPtxOfTarget(target) : std::string_view{};
    Remedy made{
        .explanation = "A module starts with .version, .target and .address_size; this one has no .version."};
    if (!floor.empty()) {
        const auto version = isLaterVersion(floor, "8.0") ? floor : std::string_view("8.0");
        std::string head = fmt::format(".version {}\n", version);
        if (!context.outline.target && !dotless(context.code, "target")) {
            head += fmt::format(".target {}\n.address_size 64\n", target);
        }
        made.fixes.push_back({.title = fmt::format("Insert .version {} at the start", version),
            .edits = {{1, 1, 1, 1, head}}});
    }
    return made;
}

std::optional<Remedy> missingTarget(const FixContext& context)
{
    if (auto dot = withDot(context, "target")) {
        return dot;
    }
    const auto& code = context.code;
    Remedy made{
        .explanation = fmt::format("Behind .version stands .target, the chip that the code is for; here is "
                                   "none. It was to be compiled for {}.",
            context.target)};
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        if (code.text(i) != ".version") {
            continue;
        }
        const auto last = i + 1;
        std::string text = fmt::format("\n.target {}", context.target);
        for (auto k = last + 1; k < code.size(); ++k) { // a .target that comes too late
            if (code.text(k) == ".target" && k + 1 < code.size()) {
                made.explanation = ".target must stand directly behind .version.";
                made.fixes.push_back({.title = "Move .target behind .version",
                    .edits = {code.insertBehind(last, fmt::format("\n.target {}", code.text(k + 1))),
                        code.replaceTokens(k, k + 2, "")}});
                return made;
            }
        }
        made.fixes.push_back({.title = fmt::format("Insert .target {}", context.target),
            .edits = {code.insertBehind(last, std::move(text))}});
        break;
    }
    return made;
}

} // namespace

std::optional<Remedy> remedyOfHeader(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (message.starts_with("Missing .version directive")) {
        return missingVersion(context);
    }
    return message.starts_with("Missing .target directive") ? missingTarget(context) : std::nullopt;
}

} // namespace ptxwb::detail
