// SPDX-License-Identifier: Apache-2.0
// "Unknown symbol" of a name that is declared under another spelling: its percent sign, its case, or a
// mistake in the declaration itself.
#include "core/ptx/spelling.h"
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

std::string lower(std::string_view text)
{
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(),
        [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return made;
}

// Every place of the word within the function.
std::vector<std::size_t> placesIn(
    const FixContext& context, const PtxFunction* function, std::string_view word)
{
    const auto& code = context.code;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.text(i) == word && functionAt(context.outline, code.line(i)) == function) {
            places.push_back(i);
        }
    }
    return places;
}

// "p1" where %p1 is declared, "%R1" where %r1 is.
std::string declaredSpelling(const FixContext& context, std::string_view symbol, std::size_t use)
{
    const auto& registers = context.declarations();
    const auto bare = symbol.substr(std::min(symbol.find_first_not_of("%$@&"), symbol.size()));
    for (const auto& candidate :
        {fmt::format("%{}", bare), std::string(bare), fmt::format("%{}", lower(bare)), lower(bare)}) {
        if (candidate != symbol && !candidate.empty() && registers.findName(candidate, use) != nullptr) {
            return candidate;
        }
    }
    for (const auto& [name, list] : registers.all()) {
        if (name != symbol && lower(name) == lower(symbol) && registers.findName(name, use) != nullptr) {
            return std::string(name);
        }
    }
    return {};
}

std::optional<Remedy> otherSpelling(const FixContext& context, std::string_view symbol, std::size_t use)
{
    const auto name = declaredSpelling(context, symbol, use);
    if (name.empty()) {
        return std::nullopt;
    }
    const auto& code = context.code;
    const auto* declared = context.declarations().findName(name, use);
    const auto* function = functionAt(context.outline, code.line(use));
    if (declared == nullptr || functionAt(context.outline, code.line(declared->name)) != function) {
        return std::nullopt;
    }
    Fix fix{.title = fmt::format("Change {} to {}", symbol, name)};
    for (const auto place : placesIn(context, function, symbol)) {
        fix.edits.push_back(code.replaceTokens(place, place + 1, name));
    }
    return Remedy{.explanation = fmt::format(
                      "No register {} is declared. Did you mean {}? It is declared in line {} as {}.", symbol,
                      name, code.line(declared->name), code.text(declared->type)),
        .fixes = {std::move(fix)}};
}

// A name that is declared, near the symbol, and used by nobody, while the symbol is used again and again: the
// declaration is what is misspelt.
std::optional<Remedy> misspeltDeclaration(
    const FixContext& context, std::string_view symbol, const std::vector<std::size_t>& uses)
{
    const auto& code = context.code;
    const auto* function = functionAt(context.outline, code.line(uses.front()));
    const auto& all = context.declarations().all();
    std::vector<std::string> unused;
    std::vector<std::string> longer; // the symbol with more behind it
    for (const auto& [name, list] : all) {
        const auto& one = list.front();
        const bool isHere = list.size() == 1 && one.count == 0 && one.name < uses.front()
            && functionAt(context.outline, code.line(one.name)) == function;
        if (!isHere || placesIn(context, function, name).size() != 1) {
            continue;
        }
        unused.emplace_back(name);
        if (name.starts_with(symbol)) {
            longer.emplace_back(name);
        }
    }
    constexpr std::size_t shortest = 4; // of two letters every name is near every other
    auto near = symbol.size() < shortest ? std::vector<std::string>() : nearestWords(symbol, unused);
    near = near.size() == 1 ? near : longer;
    if (near.size() != 1) {
        return std::nullopt;
    }
    const auto& declared = all.at(near.front()).front();
    Remedy made{.explanation =
                    fmt::format("Found by the workbench: {} is used in {} places and declared nowhere, {} is "
                                "declared here and used nowhere.",
                        symbol, uses.size(), near.front()),
        .fixes = {{.title = fmt::format("Declare it as {}", symbol),
            .edits = {code.replaceTokens(declared.name, declared.name + 1, std::string(symbol))}}}};
    made.betterRoot = Diagnostic{.severity = Severity::Error,
        .message = fmt::format("'{}' is declared, and '{}' is what the code uses", near.front(), symbol),
        .file = std::string(context.displayName),
        .line = code.line(declared.name),
        .column = code.column(declared.name),
        .endColumn = code.endColumn(declared.name),
        .tool = "ptxwb"};
    return made;
}

std::string lettersOf(std::string_view name)
{
    std::string made = lower(name);
    std::erase_if(made, [](char c) { return c == '_' || c == '$' || c == '%'; });
    return made;
}

// The names that the symbol may be a misspelling of: as near as can be, or one the beginning of the other.
std::vector<std::string> similarTo(std::string_view symbol, const std::vector<std::string>& names)
{
    if (auto near = nearestWords(symbol, names); !near.empty()) {
        return near;
    }
    constexpr std::size_t shortest = 3;
    const auto letters = lettersOf(symbol);
    std::vector<std::string> found;
    for (const auto& name : names) {
        const auto others = lettersOf(name);
        const bool isPart = others.size() >= shortest && letters.size() >= shortest
            && (others.find(letters) != std::string::npos || letters.find(others) != std::string::npos);
        if (isPart) {
            found.push_back(name);
        }
    }
    return found;
}

// A label, parameter or variable under a name that this kernel does not have.
std::optional<Remedy> similarName(const FixContext& context, const PtxFunction& function,
    const PtxStatement& statement, const std::vector<std::size_t>& uses)
{
    const auto& code = context.code;
    const auto symbol = code.text(uses.front());
    const bool isBranch = statement.opcode.starts_with("bra");
    const bool isParameter = statement.opcode.starts_with("ld.param");
    if (symbol.starts_with('%') || code[uses.front()].kind == TokenKind::Opcode) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    if (isBranch) {
        names = function.labels;
    } else {
        for (const auto& one : function.parameters) {
            names.push_back(one.name);
        }
        if (!isParameter) {
            for (const auto* arrays : {&function.sharedArrays, &context.outline.sharedArrays}) {
                for (const auto& one : *arrays) {
                    names.push_back(one.name);
                }
            }
        }
    }
    const std::string_view what = isBranch ? "label" : isParameter ? "parameter" : "variable or parameter";
    auto similar = similarTo(symbol, names);
    const bool isOnly = similar.empty() && names.size() == 1 && (isBranch || isParameter);
    if (isOnly) {
        similar = names;
    }
    if (similar.empty()) {
        return std::nullopt;
    }
    Remedy made;
    constexpr std::size_t most = 3;
    similar.resize(std::min(similar.size(), most));
    for (const auto& name : similar) {
        Fix fix{.title = fmt::format("Change {} to {}", symbol, name)};
        for (const auto place : uses) {
            fix.edits.push_back(code.replaceTokens(place, place + 1, name));
        }
        made.fixes.push_back(std::move(fix));
    }
    made.explanation = fmt::format("No {} '{}' is declared in this kernel. {}", what, symbol,
        isOnly ? fmt::format("{} is its only one.", similar.front())
               : fmt::format("Did you mean {}?", fmt::join(similar, " or ")));
    return made;
}

} // namespace

std::optional<Remedy> remedyOfName(const Cause& cause, const FixContext& context)
{
    const auto& said = *cause.root;
    if (!said.message.starts_with("Unknown symbol") || !said.line) {
        return std::nullopt;
    }
    const auto& code = context.code;
    const auto symbol = quotedText(said.message);
    const auto* function = functionAt(context.outline, *said.line);
    const auto uses = placesIn(context, function, symbol);
    if (uses.empty() || symbol.empty()) {
        return std::nullopt;
    }
    if (auto remedy = otherSpelling(context, symbol, uses.front())) {
        return remedy;
    }
    const auto statement = code.statementAt(uses.front());
    const bool isBranch = statement && statement->opcode.starts_with("bra");
    constexpr std::size_t few = 2;
    if (uses.size() >= few && !isBranch) {
        if (auto remedy = misspeltDeclaration(context, symbol, uses)) {
            return remedy;
        }
    }
    return statement && function != nullptr ? similarName(context, *function, *statement, uses)
                                            : std::nullopt;
}

} // namespace ptxwb::detail
