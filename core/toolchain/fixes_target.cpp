// SPDX-License-Identifier: Apache-2.0
// .target and .version: what the blocked instructions need, and the smallest change that gives it.
#include "core/toolchain/compile_target.h"
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace ptxwb::detail {

namespace {

bool holds(std::string_view message, std::string_view words)
{
    return message.find(words) != std::string_view::npos;
}

// "sm_90a|sm_100a/f|sm_103a (note)" -> sm_90a, sm_100a, sm_100f, sm_103a
std::vector<std::string> targetsNamed(std::string_view minTarget)
{
    std::vector<std::string> names;
    std::string number;
    for (auto at = minTarget.find_first_not_of("| "); at != std::string_view::npos;
         at = minTarget.find_first_not_of("|/ ", at)) {
        const auto end = minTarget.find_first_of("|/ (;", at);
        std::string word(minTarget.substr(at, end == std::string_view::npos ? end : end - at));
        if (word == "a" || word == "f") {
            word = number + word;
        } else if (!parseTargetName(word)) {
            break;
        } else {
            number = word.substr(0, word.find_last_of("0123456789") + 1);
        }
        names.push_back(word);
        if (end == std::string_view::npos || minTarget[end] == ';') {
            break;
        }
        at = end;
        if (minTarget[at] == '(' || minTarget.substr(at).starts_with(" (")) {
            at = minTarget.find(')', at);
            if (at == std::string_view::npos) {
                break;
            }
            ++at;
        }
    }
    return names;
}

// Whether an instruction of the table may be used under `.target target`.
bool permits(const std::vector<std::string>& named, const std::string& target)
{
    const auto wanted = parseTargetName(target);
    return wanted && std::any_of(named.begin(), named.end(), [&](const std::string& name) {
        const auto one = parseTargetName(name);
        if (name == target || !one) {
            return name == target;
        }
        if (one->suffix == 'f') { // every later member of the family, with a suffix
            return wanted->suffix != '\0' && targetPermits(name, target);
        }
        return one->suffix == '\0' && wanted->number >= one->number;
    });
}

struct Needs {
    std::vector<std::string> blocked{}; ///< instructions, each once
    std::vector<std::vector<std::string>> targets{}; ///< for each need the targets that meet it
    std::string version{}; ///< the latest that a message or an instruction asks for
    int messages = 0;

    void raise(std::string_view wanted)
    {
        if (version.empty() || isLaterVersion(wanted, version)) {
            version = std::string(wanted);
        }
    }
};

// The number behind the words, "8.0" of "requires PTX ISA .version 8.0 or later".
std::string_view wordBehind(std::string_view message, std::string_view words)
{
    const auto at = message.find(words);
    if (at == std::string_view::npos) {
        return {};
    }
    const auto word = message.substr(at + words.size());
    return word.substr(0, word.find(' '));
}

void addInstruction(Needs& needs, std::string_view words, const FixContext& context)
{
    const std::string opcode(words.substr(0, words.find(' ')));
    if (opcode.starts_with('.')
        || std::find(needs.blocked.begin(), needs.blocked.end(), opcode) != needs.blocked.end()) {
        return;
    }
    needs.blocked.push_back(opcode);
    const auto* row = context.isa != nullptr ? context.isa->find(opcode) : nullptr;
    if (row != nullptr) {
        needs.targets.push_back(targetsNamed(row->minTarget));
        needs.raise(row->minPtx);
    }
}

Needs needsOf(const FixContext& context)
{
    Needs needs;
    for (const auto& said : context.all) {
        const std::string_view message = said.message;
        if (const auto version = wordBehind(message, "requires PTX ISA .version "); !version.empty()) {
            needs.raise(version);
        } else if (holds(message, "not supported on .target") && !holds(message, "without '.sync'")) {
            ++needs.messages;
            addInstruction(needs, quotedText(message), context);
        } else if (const auto target = wordBehind(message, "requires .target "); !target.empty()) {
            ++needs.messages;
            needs.targets.push_back({std::string(target)});
            const auto name = std::string(quotedText(message));
            if (!name.starts_with('.')
                && std::find(needs.blocked.begin(), needs.blocked.end(), name) == needs.blocked.end()) {
                needs.blocked.push_back(name);
            }
        } else if (holds(message, "does not support .target") && context.isa != nullptr) {
            needs.raise(context.isa->minPtxOfTarget(wordBehind(message, "does not support .target ")));
        }
    }
    return needs;
}

// The own chip with a suffix before another chip.
std::optional<std::string> targetFor(const Needs& needs, const std::string& own)
{
    std::vector<std::string> candidates;
    if (const auto name = parseTargetName(own)) {
        candidates = {own, fmt::format("sm_{}a", name->number), fmt::format("sm_{}f", name->number)};
    }
    for (const auto& named : needs.targets) {
        candidates.insert(candidates.end(), named.begin(), named.end());
    }
    for (const auto& candidate : candidates) {
        if (!needs.targets.empty()
            && std::all_of(needs.targets.begin(), needs.targets.end(),
                [&](const auto& named) { return permits(named, candidate); })) {
            return candidate;
        }
    }
    return std::nullopt;
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

std::optional<Remedy> blockedByTarget(const FixContext& context)
{
    const auto needs = needsOf(context);
    const auto own = context.outline.target.value_or(std::string(context.target));
    const auto chosen = targetFor(needs, own);
    Remedy made;
    made.explanation = fmt::format("{} message{} of one cause: .target {} lacks {}.", needs.messages,
        needs.messages == 1 ? "" : "s", own,
        needs.blocked.empty() ? "what the code uses" : listed(needs.blocked));
    if (!chosen || *chosen == own || !context.outline.target) {
        std::set<std::string> names;
        for (const auto& named : needs.targets) {
            names.insert(named.begin(), named.end());
        }
        made.explanation += names.empty()
            ? ""
            : fmt::format(" They exist on {}; no single target has them all.", fmt::join(names, ", "));
        return made;
    }
    made.explanation += fmt::format(" .target {} has them.{}", *chosen, meaningOfSuffix(*chosen));
    auto edits = editsTo(context, *chosen, needs.version);
    made.fixes.push_back({.title = edits.size() == 2
            ? fmt::format("Change .target to {} and .version to {}", *chosen, edits.front().text)
            : fmt::format("Change .target to {}", *chosen),
        .edits = std::move(edits)});
    return made;
}

std::optional<Remedy> oldVersion(const Cause& cause, const FixContext& context)
{
    const auto needs = needsOf(context);
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
