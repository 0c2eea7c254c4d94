// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/causes.h"

#include "core/toolchain/extern_variables.h"
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/wrong_declaration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace ptxwb {

namespace detail {

Diagnostic ownError(const FixContext& context, std::string message, std::size_t i)
{
    const auto& code = context.code;
    return {.severity = Severity::Error,
        .message = std::move(message),
        .file = std::string(context.displayName),
        .line = code.line(i),
        .column = code.column(i),
        .endColumn = code.endColumn(i),
        .tool = "ptxwb"};
}

std::string_view quotedText(std::string_view message, int i)
{
    for (auto open = message.find('\''); open != std::string_view::npos;
         open = message.find('\'', open + 1)) {
        const auto close = message.find('\'', open + 1);
        if (close == std::string_view::npos) {
            return {};
        }
        if (i-- == 0) {
            return message.substr(open + 1, close - open - 1);
        }
        open = close;
    }
    return {};
}

const PtxFunction* functionAt(const PtxOutline& outline, int line)
{
    const PtxFunction* found =
        nullptr; // a body that was cut short ends too early: the last one that starts above
    for (const auto& function : outline.functions) {
        if (function.range.line <= line) {
            found = &function;
        }
    }
    return found;
}

bool isLaterVersion(std::string_view a, std::string_view b)
{
    const auto parts = [](std::string_view version) {
        std::pair<int, int> made{0, 0};
        const auto end = version.data() + version.size();
        const auto major = std::from_chars(version.data(), end, made.first);
        if (major.ptr != end && *major.ptr == '.') {
            std::from_chars(major.ptr + 1, end, made.second);
        }
        return made;
    };
    return parts(a) > parts(b);
}

} // namespace detail

namespace {

bool isError(const Diagnostic& said)
{
    return said.severity == Severity::Error || said.severity == Severity::Fatal;
}

// What the place of a message needed already says more than a general sentence: both stay.
void addExplanation(Diagnostic& said, const std::string& words)
{
    if (words.empty()) {
        return;
    }
    said.explanation =
        said.explanation && !said.explanation->empty() ? *said.explanation + ". " + words : words;
}

std::optional<detail::Remedy> remedyOf(const detail::Cause& cause, const detail::FixContext& context)
{
    // .version and .target are the file's; every other fix edits the line that the message names.
    if (auto remedy = detail::remedyOfWidth(cause, context)) {
        return remedy;
    }
    for (const auto maker : {detail::remedyOfHeadValue, detail::remedyOfAddressWidth, detail::remedyOfOldForm,
             detail::remedyOfTarget}) {
        if (auto remedy = maker(cause, context)) {
            return remedy;
        }
    }
    if (cause.root->file != context.displayName) {
        return std::nullopt;
    }
    constexpr std::array makers{detail::remedyOfText, detail::remedyOfHeader, detail::remedyOfGuard,
        detail::remedyOfType, detail::remedyOfOpcodeSign, detail::remedyOfList, detail::remedyOfDirective,
        detail::remedyOfLabel, detail::remedyOfNumber, detail::remedyOfOpcode, detail::remedyOfC,
        detail::remedyOfForeign, detail::remedyOfWords, detail::remedyOfSign, detail::remedyOfSyntax,
        detail::remedyOfName, detail::remedyOfRegister, detail::remedyOfShape, detail::remedyOfSpelling,
        detail::remedyOfAddress, detail::remedyOfRounding, detail::remedyOfShared, detail::remedyOfDuplicate,
        detail::remedyOfOperands};
    for (const auto maker : makers) {
        if (auto remedy = maker(cause, context)) {
            return remedy;
        }
    }
    return std::nullopt;
}

struct Finding {
    int group = 0;
    std::size_t root = 0;
    std::optional<std::size_t> otherRoot{};
    detail::Remedy remedy{};
};

// Whether the root of another group is said only because of what the finding names.
bool followsFrom(const Diagnostic& root, const Finding& found, const std::vector<Diagnostic>& diagnostics,
    const detail::CodeText& code)
{
    const auto& cause = diagnostics[found.root];
    const auto& remedy = found.remedy;
    const bool sameLine =
        root.line && (root.line == cause.line || (remedy.betterRoot && root.line == remedy.betterRoot->line));
    if (remedy.takesStatement && sameLine && root.file == cause.file) {
        return true;
    }
    const auto isOne = [&](std::string_view name) {
        return std::find(remedy.symbols.begin(), remedy.symbols.end(), name) != remedy.symbols.end();
    };
    if (root.message.starts_with("Unknown symbol") || root.message.starts_with("Illegal expression")) {
        return isOne(detail::quotedText(root.message));
    }
    // What is said of operands, where the message about the name itself was left out.
    const bool isOfOperands =
        root.message.starts_with("Arguments mismatch") || root.message.starts_with("Unable to infer type");
    if (!isOfOperands || !remedy.takesUses || !root.line || root.file != cause.file) {
        return false;
    }
    for (auto i = code.firstOnLine(*root.line); i < code.size(); ++i) {
        if (isOne(code.text(i))) {
            return true;
        }
        if (code.text(i) == ";" && code.line(i) >= *root.line) {
            break;
        }
    }
    return false;
}

// Takes the groups that follow from another one into that, and their findings away.
void foldConsequences(
    std::vector<Finding>& findings, std::vector<Diagnostic>& diagnostics, const detail::CodeText& code)
{
    std::map<int, int> taken; // group into group
    for (const auto& found : findings) {
        if (taken.contains(found.group)) {
            continue;
        }
        for (const auto& said : diagnostics) {
            if (!found.remedy.taken.empty() && said.group != found.group
                && said.message.find(found.remedy.taken) != std::string::npos) {
                taken[said.group] = found.group;
            }
        }
        if (found.remedy.symbols.empty() && !found.remedy.takesStatement) {
            continue;
        }
        for (const auto& other : findings) {
            if (other.group != found.group && !taken.contains(other.group)
                && followsFrom(diagnostics[other.root], found, diagnostics, code)) {
                taken[other.group] = found.group;
            }
        }
    }
    if (taken.empty()) {
        return;
    }
    std::erase_if(findings, [&](const Finding& one) { return taken.contains(one.group); });
    for (auto& said : diagnostics) {
        if (const auto into = taken.find(said.group); into != taken.end()) {
            said.group = into->second;
            said.rootCause = false;
        }
    }
}

} // namespace

void explainCauses(std::vector<Diagnostic>& diagnostics, const CauseContext& context)
{
    for (auto& said : diagnostics) {
        if (said.tool != "ptxas" || said.severity != Severity::Warning || said.explanation) {
            continue;
        }
        addExplanation(said, detail::warningExplanation(said.message));
        if (context.outline != nullptr && said.message.starts_with("Unresolved extern variable")) {
            detail::placeExtern(said, detail::CodeText(context.source));
        }
    }
    if (std::none_of(diagnostics.begin(), diagnostics.end(), isError)) {
        return;
    }
    const PtxOutline none;
    const detail::CodeText code(context.outline != nullptr ? context.source : std::string_view{});
    if (context.outline != nullptr) {
        detail::blameDeclarations(diagnostics, code, context.displayName);
    }
    const auto isa = IsaTable::shared();
    std::map<const PtxFunction*, std::vector<std::string>> declared;
    std::optional<detail::RegisterDeclarations> registers;
    const detail::FixContext inside{.code = code,
        .outline = context.outline != nullptr ? *context.outline : none,
        .isa = isa ? *isa : nullptr,
        .displayName = context.displayName,
        .target = context.target,
        .all = diagnostics,
        .declared = declared,
        .registers = registers};

    std::map<int, detail::Cause> groups;
    for (const auto& said : diagnostics) {
        auto& group = groups[said.group];
        group.members.push_back(&said);
        group.root = said.rootCause && isError(said) ? &said : group.root;
    }
    std::vector<Finding> findings;
    for (const auto& [number, cause] : groups) {
        const bool ofTool =
            cause.root != nullptr && (cause.root->tool == "ptxas" || cause.root->tool == "ptxwb");
        if (!ofTool) {
            continue;
        }
        Finding found{.group = number, .root = static_cast<std::size_t>(cause.root - diagnostics.data())};
        // Fixes are edits of the user's text: messages of other files, and of PTX that nvcc made, get words
        // only.
        if (context.outline != nullptr) {
            found.remedy = remedyOf(cause, inside).value_or(detail::Remedy{});
        }
        if (found.remedy.otherRoot != nullptr) {
            found.otherRoot = static_cast<std::size_t>(found.remedy.otherRoot - diagnostics.data());
        }
        if (found.remedy.explanation.empty()) {
            found.remedy.explanation = detail::explanationOf(*cause.root, inside);
        }
        findings.push_back(std::move(found));
    }
    foldConsequences(findings, diagnostics, code);
    // From the last on, so that what is inserted moves no index that is still needed.
    std::sort(
        findings.begin(), findings.end(), [](const Finding& a, const Finding& b) { return a.root > b.root; });
    std::vector<std::pair<std::size_t, Diagnostic>> better;
    for (auto& found : findings) {
        auto* root = &diagnostics[found.root];
        if (found.otherRoot) {
            root->rootCause = false;
            root = &diagnostics[*found.otherRoot];
            root->rootCause = true;
        }
        if (found.remedy.betterRoot) {
            auto ours = std::move(*found.remedy.betterRoot);
            ours.group = root->group;
            ours.rootCause = true;
            root->rootCause = false;
            ours.fixes = std::move(found.remedy.fixes);
            ours.explanation = std::move(found.remedy.explanation);
            better.emplace_back(found.root, std::move(ours));
            continue;
        }
        addExplanation(*root, found.remedy.explanation);
        if (!found.remedy.fixes.empty()) {
            root->fixes = std::move(found.remedy.fixes);
        }
    }
    for (auto& [at, ours] : better) {
        diagnostics.insert(diagnostics.begin() + static_cast<std::ptrdiff_t>(at), std::move(ours));
    }
}

} // namespace ptxwb
