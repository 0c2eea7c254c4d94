// SPDX-License-Identifier: Apache-2.0
// What stands behind .version, .target and .address_size: quotes, a semicolon, another spelling, nothing.
#include "core/toolchain/compile_target.h"
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace ptxwb::detail {

namespace {

bool holds(std::string_view message, std::string_view words)
{
    return message.find(words) != std::string_view::npos;
}

bool isDigits(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A directive of the head with the rest of its line.
struct HeadLine {
    std::size_t directive = 0;
    std::size_t end = 0; ///< token behind the value
    std::string value{}; ///< as written, empty where nothing stands
};

std::optional<HeadLine> headLine(const CodeText& code, std::string_view directive)
{
    constexpr std::size_t far = 64; // the head is the first few words
    for (std::size_t i = 0; i < std::min(code.size(), far); ++i) {
        if (code.text(i) != directive) {
            continue;
        }
        HeadLine made{.directive = i, .end = i + 1};
        while (made.end < code.size() && code.line(made.end) == code.line(i)
            && (code.text(made.end).front() != '.' || code.text(made.end).size() == 1
                || isDigits(code.text(made.end).substr(1)))) {
            ++made.end;
        }
        if (made.end > i + 1) {
            const auto first = code[i + 1].offset;
            const auto& last = code[made.end - 1];
            made.value = std::string(code.source().substr(first, last.offset + last.length - first));
        }
        return made;
    }
    return std::nullopt;
}

// Letters and digits alone, in small letters: "SM_90-a" is "sm90a".
std::string bare(std::string_view text)
{
    std::string made;
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            made += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return made;
}

// The target that the code's own instructions ask for; empty where any would do.
std::string_view targetOfInstructions(const CodeText& code)
{
    std::string_view found;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].kind != TokenKind::Opcode) {
            continue;
        }
        if (code.text(i).starts_with("tcgen05")) {
            return "sm_100a";
        }
        found = code.text(i).starts_with("wgmma") ? "sm_90a" : found;
    }
    return found;
}

std::string targetOfGeneration(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> generations{
        {{"volta", "sm_70"}, {"turing", "sm_75"}, {"ampere", "sm_80"}, {"ada", "sm_89"}, {"hopper", "sm_90a"},
            {"blackwell", "sm_100a"}}};
    for (const auto& [generation, target] : generations) {
        if (name == generation) {
            return std::string(target);
        }
    }
    return name.empty() ? "sm_90a"
                        : ""; // any would do where nothing stands; of another word nothing is known
}

// The name that was meant, and whether the text says so.
std::string meantTarget(const FixContext& context, std::string_view value)
{
    const auto needed = targetOfInstructions(context.code);
    auto letters = bare(value);
    for (const std::string_view prefix : {"compute", "sm"}) {
        letters = letters.starts_with(prefix) ? letters.substr(prefix.size()) : letters;
    }
    const auto name = fmt::format("sm_{}", letters);
    const auto& known = context.isa->targets();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        const auto digits = letters.substr(0, letters.find_first_not_of("0123456789"));
        if (digits.empty()) { // no number: what the code asks for, or the generation that is named
            return needed.empty() ? targetOfGeneration(letters) : std::string(needed);
        }
        if (needed.starts_with(fmt::format("sm_{}", digits))) {
            return std::string(needed);
        }
        auto near = nearestWords(name, known);
        std::erase_if(near, [&](const std::string& one) { return one.size() != name.size(); });
        return near.size() == 1 ? near.front() : std::string();
    }
    return needed.starts_with(name) ? std::string(needed) : name; // sm_90 of code that needs sm_90a
}

// The latest .version that an instruction of the text or the target asks for.
std::string neededVersion(const FixContext& context, std::string_view target)
{
    std::string version(context.isa->minPtxOfTarget(target));
    const auto& code = context.code;
    for (std::size_t i = 0; i < code.size(); ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        const auto* row = statement ? context.isa->find(statement->opcode) : nullptr;
        if (row != nullptr && (version.empty() || isLaterVersion(row->minPtx, version))) {
            version = row->minPtx;
        }
    }
    return version;
}

bool isVersion(std::string_view text)
{
    const auto dot = text.find('.');
    return dot != std::string_view::npos && isDigits(text.substr(0, dot)) && isDigits(text.substr(dot + 1));
}

// "8", "8,6", "v8.6", "86" and "8.6.0" as major.minor; empty where the text says none.
std::string meantVersion(std::string_view value)
{
    std::vector<std::string> parts(1);
    for (const char c : value) {
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            parts.back() += c;
        } else if (!parts.back().empty()) {
            parts.emplace_back();
        }
    }
    if (parts.front().empty() || parts.front().size() > 2) {
        return {};
    }
    if (parts.size() > 1 && !parts[1].empty()) {
        return fmt::format("{}.{}", parts[0], parts[1]);
    }
    return parts[0].size() == 2 ? fmt::format("{}.{}", parts[0][0], parts[0][1])
                                : fmt::format("{}.0", parts[0]);
}

Remedy mended(const FixContext& context, const HeadLine& line, std::string message, std::string explanation,
    const std::string& better)
{
    const auto& code = context.code;
    const auto word = code.text(line.directive);
    const bool isEmpty = line.value.empty();
    const auto at = isEmpty ? line.directive : line.directive + 1;
    Remedy made{.explanation = "Found by the workbench: " + std::move(explanation)};
    made.betterRoot = ownError(context, std::move(message), at);
    if (!isEmpty) {
        made.betterRoot->endColumn = code.endColumn(line.end - 1);
    }
    if (!better.empty()) {
        made.fixes.push_back({.title = fmt::format("Write {} {}", word, better),
            .edits = {isEmpty ? code.insertBehind(line.directive, ' ' + better)
                              : code.replaceTokens(line.directive + 1, line.end, better)}});
    }
    return made;
}

// What .target says or, where that is no target, what it was meant to say.
std::string targetOfHead(const FixContext& context)
{
    const auto line = headLine(context.code, ".target");
    const auto& known = context.isa->targets();
    const auto name = line ? line->value.substr(0, line->value.find(',')) : std::string(context.target);
    if (std::find(known.begin(), known.end(), name) != known.end()) {
        return name;
    }
    const auto better = meantTarget(context, name);
    return better.empty() ? std::string(context.target) : better;
}

std::optional<Remedy> target(const FixContext& context)
{
    const auto line = headLine(context.code, ".target");
    if (!line) {
        return std::nullopt;
    }
    const auto& known = context.isa->targets();
    const auto name = line->value.substr(0, line->value.find(','));
    const bool isKnown = std::find(known.begin(), known.end(), name) != known.end();
    if (isKnown || name.starts_with("compute_")) {
        return std::nullopt;
    }
    const auto better = meantTarget(context, name);
    if (line->value.empty()) {
        return mended(context, *line, ".target without a value",
            fmt::format("nothing stands behind .target; ptxas reads on in the next line.{}",
                better != context.target ? fmt::format(" The code's instructions ask for {}.", better) : ""),
            better);
    }
    if (better.empty() && parseTargetName(name)) {
        return std::nullopt; // a newer toolkit may know it
    }
    const auto options = line->value.substr(name.size()); // ", debug"
    return mended(context, *line, fmt::format("'{}' is no name of a target", name),
        fmt::format("behind .target stands a bare name such as sm_90a, without quotes or a semicolon.{}",
            better.empty() ? "" : fmt::format(" Did you mean {}?", better)),
        better.empty() ? better : fmt::format("{}{}", better, options));
}

std::optional<Remedy> version(const FixContext& context)
{
    const auto line = headLine(context.code, ".version");
    if (!line || line->directive != 0 || isVersion(line->value)) {
        return std::nullopt;
    }
    const auto needed = neededVersion(context, targetOfHead(context));
    auto better = meantVersion(line->value);
    better = better.empty() || isLaterVersion(needed, better) ? needed : better;
    return mended(context, *line,
        line->value.empty() ? ".version without a value"
                            : fmt::format("'{}' is no version of PTX", line->value),
        "a version is major.minor, two numbers with a dot between them, and nothing behind them.", better);
}

std::optional<Remedy> addressSize(const FixContext& context, bool isRefused)
{
    const auto line = headLine(context.code, ".address_size");
    if (!line || line->value == "64" || (line->value == "32" && !isRefused)) {
        return std::nullopt;
    }
    if (line->value.empty()) {
        return mended(context, *line, ".address_size without a value",
            "nothing stands behind .address_size; ptxas reads on in the next line.", "64");
    }
    return mended(context, *line,
        fmt::format(".address_size {} is none that {} has", line->value, targetOfHead(context)),
        isRefused
            ? "from sm_90 on addresses have 64 bits. Parameters and registers that hold one must have 64 "
              "bits as well."
            : "behind .address_size stands 64 or, before sm_90, 32: the bare number.",
        "64");
}

// Whether the chips of the target have addresses of 64 bits only.
bool isWideOnly(std::string_view target)
{
    const auto parsed = parseTargetName(target);
    return parsed && parsed->number >= 90;
}

using Reader = std::optional<Remedy> (*)(const FixContext&);

constexpr std::array<std::pair<std::string_view, Reader>, 3> readers{{{".version", version},
    {".target", target}, {".address_size", [](const FixContext& context) {
                              return addressSize(context, isWideOnly(targetOfHead(context)));
                          }}}};

// The mistake that ptxas speaks of.
std::optional<Remedy> firstMistake(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (context.isa == nullptr || context.code.size() == 0) {
        return std::nullopt;
    }
    if (holds(message, "32-Bit ABI")) {
        auto remedy = context.outline.addressSize == 32 ? addressSize(context, true) : std::nullopt;
        if (remedy) {
            remedy->taken = "mismatches with .address_size";
        }
        return remedy;
    }
    if (holds(message, "Illegal value for .address_size")) {
        return addressSize(context, false);
    }
    if (message.starts_with("Missing .version directive")
        || message.starts_with("Missing .target directive")) {
        return version(context);
    }
    const bool isTarget = message.starts_with("Target architecture not defined")
        || (message.starts_with("Value ") && holds(message, "is not defined for option 'gpu-name'"));
    if (isTarget) {
        return target(context);
    }
    if (!message.starts_with("Parsing error near ") || !cause.root->line) {
        return std::nullopt;
    }
    const int line = *cause.root->line;
    const auto isOn = [&](std::string_view directive) {
        const auto head = headLine(context.code, directive);
        const auto next = head ? context.code.firstOnLine(context.code.line(head->directive) + 1) : 0;
        return head
            && (context.code.line(head->directive) == line
                || (head->value.empty() && next < context.code.size() && context.code.line(next) == line));
    };
    for (const auto& [directive, read] : readers) {
        if (auto remedy = isOn(directive) ? read(context) : std::nullopt) {
            return remedy;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfHeadValue(const Cause& cause, const FixContext& context)
{
    auto made = firstMistake(cause, context);
    if (!made || !made->betterRoot) {
        return made;
    }
    // ptxas stops at the first mistake of the head: the others are mended with it.
    for (const auto& [directive, read] : readers) {
        const auto other = read(context);
        const bool isAnother = other && other->betterRoot
            && (other->betterRoot->line != made->betterRoot->line
                || other->betterRoot->column != made->betterRoot->column);
        if (!isAnother) {
            continue;
        }
        made->explanation += fmt::format(
            " Wrong too, in line {}: {}.", other->betterRoot->line.value_or(0), other->betterRoot->message);
        if (other->fixes.empty()) {
            made->fixes.clear();
        }
        if (!made->fixes.empty()) {
            auto& fix = made->fixes.front();
            const auto title = other->fixes.front().title;
            fix.title += fmt::format(", {}", title.substr(title.find(directive)));
            fix.edits.insert(
                fix.edits.end(), other->fixes.front().edits.begin(), other->fixes.front().edits.end());
        }
    }
    return made;
}

} // namespace ptxwb::detail
