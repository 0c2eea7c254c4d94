// SPDX-License-Identifier: Apache-2.0
// A name that is defined twice: where the first definition is, and what can go.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

// Where the name at token i is declared before, by its directive.
struct Earlier {
    const RegisterDeclaration* before = nullptr;
    RegisterDeclaration here{};
};

std::optional<Earlier> registersAt(const FixContext& context, std::size_t i)
{
    const auto& all = context.declarations().all();
    const auto found = all.find(context.code.text(i));
    if (found == all.end()) {
        return std::nullopt;
    }
    const auto& list = found->second;
    const auto here = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == i; });
    if (here == list.begin() || here == list.end()) {
        return std::nullopt;
    }
    const auto& before = *std::prev(here);
    const auto functionOf = [&](const RegisterDeclaration& one) {
        return functionAt(context.outline, context.code.line(one.name));
    };
    return functionOf(before) == functionOf(*here) ? std::optional(Earlier{.before = &before, .here = *here})
                                                   : std::nullopt;
}

Fix removeDeclaration(const CodeText& code, const RegisterDeclaration& one)
{
    const auto nameEnd = one.name + (one.count > 0 ? 4 : 1); // with <9>
    const bool isAlone = one.names == 1;
    const bool behindComma = code.text(one.name - 1) == ",";
    const auto first = isAlone ? one.directive : (behindComma ? one.name - 1 : one.name);
    const auto end = isAlone ? one.end + 1 : (behindComma ? nameEnd : nameEnd + 1);
    return {.title = fmt::format("Remove the second declaration of {}", code.text(one.name)),
        .edits = {code.replaceTokens(first, end, "")}};
}

std::optional<Remedy> twiceDeclared(const FixContext& context, const Earlier& of)
{
    const auto& code = context.code;
    const auto name = code.text(of.here.name);
    const auto& before = *of.before;
    const auto shown = before.count > 0 ? fmt::format("{}<{}>", name, before.count) : std::string(name);
    Remedy made{.explanation = fmt::format("{} {} is declared in line {} already.", code.text(before.type),
                    shown, code.line(before.name))};
    if (code.text(before.type) != code.text(of.here.type)) {
        made.explanation += fmt::format(" Here it is {}: one register has one type. Give one of them another "
                                        "name, or a block {{ }} of its own.",
            code.text(of.here.type));
        constexpr int many = 4096;
        made.symbols.emplace_back(name);
        for (int i = 0; i < std::min(std::max(before.count, of.here.count), many); ++i) {
            made.symbols.push_back(fmt::format("{}{}", name, i));
        }
        made.takesUses = true;
        return made;
    }
    const bool bothRanges = (before.count > 0) == (of.here.count > 0);
    if (!bothRanges) {
        return made;
    }
    auto fix = removeDeclaration(code, of.here);
    if (of.here.count > before.count) {
        constexpr int many = 4096;
        for (int i = before.count; i < std::min(of.here.count, many); ++i) {
            made.symbols.push_back(fmt::format("{}{}", name, i));
        }
        fix.title += fmt::format(" and make the first {}<{}>", name, of.here.count);
        fix.edits.insert(fix.edits.begin(),
            code.replaceTokens(before.name + 2, before.name + 3, std::to_string(of.here.count)));
    }
    made.fixes.push_back(std::move(fix));
    return made;
}

// The first token of that text which is defined, above the second.
std::optional<int> firstLineOf(
    const CodeText& code, std::string_view name, std::size_t second, std::string_view kind)
{
    for (std::size_t i = 0; i < second; ++i) {
        if (code.text(i) != name) {
            continue;
        }
        const bool isLabel = code.text(i + 1) == ":";
        const bool isFunction =
            i > 0 && (code.text(i - 1) == ".entry" || code.text(i - 1) == ".func" || code.text(i - 1) == ")");
        const bool isVariable = i > 0 && code.text(i - 1).starts_with('.');
        if (kind == "label" ? isLabel : (kind == "function" ? isFunction : isVariable)) {
            return code.line(i);
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfDuplicate(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    constexpr std::string_view shape = "Duplicate definition of ";
    if (!message.starts_with(shape) || !cause.root->line) {
        return std::nullopt;
    }
    const auto& code = context.code;
    auto name = quotedText(message);
    name = name.substr(0, name.find('<')); // '%r<' of a range
    const auto kind = message.substr(shape.size(), message.find(' ', shape.size()) - shape.size());
    const int line = *cause.root->line;
    std::optional<std::size_t> last; // `.reg .b32 %x, %x`: the second of the line
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        last = code.text(i) == name ? std::optional(i) : last;
    }
    if (!last) {
        return std::nullopt;
    }
    if (const auto registers = registersAt(context, *last)) {
        return twiceDeclared(context, *registers);
    }
    const auto first = firstLineOf(code, name, *last, kind);
    if (!first) {
        return std::nullopt;
    }
    return Remedy{.explanation = fmt::format(
                      "The {} '{}' is defined in line {} already. Give one of them another name{}.", kind,
                      name, *first, kind == "variable" ? ", or put it into a block { } of its own" : "")};
}

} // namespace ptxwb::detail
