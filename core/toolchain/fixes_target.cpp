// SPDX-License-Identifier: Apache-2.0
// .target and .version: what the blocked instructions need, and the smallest change that gives it.
#include "core/toolchain/compile_target.h"
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/target_needs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace ptxwb::detail {

namespace {

bool holds(std::string_view message, std::string_view words)
{
    return message.find(words) != std::string_view::npos;
}

TextEdit replaceRange(const TextRange& range, std::string text)
{
    return {range.line, range.column, range.endLine, range.endColumn, std::move(text)};
}

std::string_view meaningOfSuffix(const std::string& target)
{
    const auto name = parseTargetName(target);
    if (name && name->suffix == 'a') {
        return " The suffix 'a' opens the instructions of this one chip; such code runs on no other.";
    }
    if (name && name->suffix == 'f') {
        return " The suffix 'f' opens the instructions that a family of chips shares.";
    }
    return "";
}

std::string listed(const std::vector<std::string>& words)
{
    constexpr std::size_t most = 6;
    const std::vector<std::string> shown(
        words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(most, words.size())));
    return fmt::format("{}{}", fmt::join(shown, ", "),
        words.size() > most ? fmt::format(" and {} more", words.size() - most) : "");
}

// .target and, where it is too old for it, .version.
std::vector<TextEdit> editsTo(const FixContext& context, const std::string& target, std::string version)
{
    std::vector<TextEdit> edits;
    const auto floor = context.isa != nullptr ? context.isa->minPtxOfTarget(target) : std::string_view{};
    if (version.empty() || isLaterVersion(floor, version)) {
        version = std::string(floor);
    }
    if (context.outline.version && !version.empty() && isLaterVersion(version, *context.outline.version)) {
        edits.push_back(replaceRange(context.outline.versionRange, version));
    }
    if (context.outline.target && *context.outline.target != target) {
        edits.push_back(replaceRange(context.outline.targetRange, target));
    }
    return edits;
}

Fix changeTo(const FixContext& context, const std::string& target, const std::string& version)
{
    auto edits = editsTo(context, target, version);
    return {.title = edits.size() == 2
            ? fmt::format("Change .target to {} and .version to {}", target, edits.front().text)
            : fmt::format("Change .target to {}", target),
        .edits = std::move(edits)};
}

// Where the table does not know which targets have it, ptxas is asked about one of each generation.
std::vector<Fix> changesToTry(const FixContext& context, const TargetNeeds& needs, const std::string& own)
{
    static constexpr std::array generations{"sm_90a", "sm_100a", "sm_120a"};
    std::vector<Fix> fixes;
    for (const std::string target : generations) {
        if (target != own && needs.permit(target)) {
            fixes.push_back(changeTo(context, target, needs.version));
        }
    }
    return fixes;
}

std::optional<Remedy> blockedByTarget(const FixContext& context)
{
    const auto needs = targetNeedsOf(context);
    const auto own = context.outline.target.value_or(std::string(context.target));
    Remedy made;
    made.explanation = fmt::format("{} message{} of one cause: .target {} lacks {}.", needs.messages,
        needs.messages == 1 ? "" : "s", own,
        needs.blocked.empty() ? "what the code uses" : listed(needs.blocked));
    if (needs.isOpen) {
        if (context.outline.target) {
            made.fixes = changesToTry(context, needs, own);
        }
        return made;
    }
    const auto chosen = targetFor(needs, own);
    if (!chosen || *chosen == own || !context.outline.target) {
        std::set<std::string> names;
        for (const auto& named : needs.targets) {
            names.insert(named.begin(), named.end());
        }
        if (!names.empty()) {
            made.explanation += fmt::format(" {} exist{} on {}{}.", needs.blocked.size() == 1 ? "It" : "They",
                needs.blocked.size() == 1 ? "s" : "", fmt::join(names, ", "),
                chosen ? "" : "; no single target has them all");
        }
        return made;
    }
    made.explanation += fmt::format(" .target {} has {}.{}", *chosen,
        needs.blocked.size() == 1 ? "it" : "them", meaningOfSuffix(*chosen));
    made.fixes.push_back(changeTo(context, *chosen, needs.version));
    return made;
}

std::optional<Remedy> oldVersion(const Cause& cause, const FixContext& context)
{
    const auto needs = targetNeedsOf(context);
    if (!context.outline.version || needs.version.empty()) {
        return std::nullopt;
    }
    const auto own = context.outline.target.value_or(std::string(context.target));
    const auto target = needs.targets.empty() ? own : targetFor(needs, own).value_or(own);
    auto edits = editsTo(context, target, needs.version);
    std::erase_if(edits, [&](const TextEdit& edit) {
        return edit.line == context.outline.targetRange.line
            && edit.startColumn == context.outline.targetRange.column;
    });
    if (edits.empty()) {
        return std::nullopt;
    }
    const auto& version = edits.front().text;
    std::optional<Diagnostic> placed;
    if (!cause.root->line) { // ptxas says it of text of its own, before it has read the file
        const auto& range =
            context.outline.target ? context.outline.targetRange : context.outline.versionRange;
        placed = Diagnostic{.severity = cause.root->severity,
            .message = cause.root->message,
            .file = std::string(context.displayName),
            .line = range.line,
            .column = range.column,
            .endColumn = range.endColumn,
            .tool = "ptxwb"};
    }
    return Remedy{
        .explanation = fmt::format("The module says .version {}, an older PTX than its code or its target "
                                   "needs; from {} on everything named here exists.",
            *context.outline.version, version),
        .fixes = {{.title = fmt::format("Change .version to {}", version), .edits = edits}},
        .betterRoot = std::move(placed)};
}

std::optional<Remedy> newVersion(const Cause& cause, const FixContext& context)
{
    const auto current = quotedText(cause.root->message);
    if (current.empty() || !context.outline.version) {
        return std::nullopt;
    }
    return Remedy{
        .explanation = fmt::format("This ptxas knows PTX up to .version {}. A newer toolkit reads {}; if the "
                                   "code needs nothing new, a lower number is enough.",
            current, *context.outline.version),
        .fixes = {{.title = fmt::format("Change .version to {}", current),
            .edits = {replaceRange(context.outline.versionRange, std::string(current))}}}};
}

// "Value 'sm_90b' is not defined for option 'gpu-name'": a misspelt target of the file.
std::optional<Remedy> unknownTarget(const Cause& cause, const FixContext& context)
{
    const auto name = quotedText(cause.root->message);
    if (context.isa == nullptr || name.empty() || context.outline.target != name) {
        return std::nullopt;
    }
    auto near = nearestWords(name, context.isa->targets());
    std::erase_if(near, [&](const std::string& one) { return one.size() != name.size(); });
    if (near.size() != 1) {
        return std::nullopt;
    }
    auto edits = editsTo(context, near.front(), context.outline.version.value_or(""));
    return Remedy{.explanation = fmt::format("This ptxas knows no target {}. Did you mean {}?{}", name,
                      near.front(), meaningOfSuffix(near.front())),
        .fixes = {{.title = fmt::format("Change .target to {}", near.front()), .edits = std::move(edits)}}};
}

// "SM version specified by .target is higher than default SM version assumed" names no place.
std::optional<Remedy> targetAboveAsked(const FixContext& context)
{
    const auto& range = context.outline.targetRange;
    if (!context.outline.target) {
        return std::nullopt;
    }
    const auto& own = *context.outline.target;
    return Remedy{
        .explanation = fmt::format("The file says .target {}, and {} was asked for: code for {} runs on "
                                   "no older chip. Compile with --target {}, or lower .target if the "
                                   "code needs none of what {} brought.",
            own, context.target, own, own, own),
        .betterRoot = Diagnostic{.severity = Severity::Error,
            .message = fmt::format(".target {} is newer than {}, which was asked for", own, context.target),
            .file = std::string(context.displayName),
            .line = range.line,
            .column = range.column,
            .endColumn = range.endColumn,
            .tool = "ptxwb"}};
}

} // namespace

std::optional<Remedy> remedyOfTarget(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (holds(message, "not supported on .target") || holds(message, "requires .target")) {
        return blockedByTarget(context);
    }
    if (holds(message, "requires PTX ISA .version") || holds(message, "does not support .target")) {
        return oldVersion(cause, context);
    }
    if (holds(message, ".target is higher than default SM version")) {
        return targetAboveAsked(context);
    }
    if (message.starts_with("Unsupported .version")) {
        return newVersion(cause, context);
    }
    if (message.starts_with("Value ") && holds(message, "is not defined for option 'gpu-name'")) {
        return unknownTarget(cause, context);
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
