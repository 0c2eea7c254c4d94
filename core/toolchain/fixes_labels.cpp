// SPDX-License-Identifier: Apache-2.0
// What stands before an instruction: a label without its colon, a predicate without its sign.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

bool isBorder(const CodeText& code, std::size_t i)
{
    const auto word = code.text(i);
    return word == ";" || word == ":" || ((word == "{" || word == "}") && !code.isOperandBrace(i));
}

bool isInstruction(const FixContext& context, std::string_view word)
{
    const auto& all = context.isa->instructions();
    return std::any_of(all.begin(), all.end(), [&](const IsaInstruction& one) {
        return std::string_view(one.mnemonic).substr(0, one.mnemonic.find('.')) == word;
    });
}

bool isWord(const Token& token)
{
    return token.kind == TokenKind::Identifier || token.kind == TokenKind::Opcode;
}

// Whether a branch of the text goes to the name.
bool isBranchedTo(const CodeText& code, std::string_view name)
{
    for (std::size_t i = 1; i < code.size(); ++i) {
        if (code.text(i) != name) {
            continue;
        }
        for (auto at = i; at-- > 0 && !isBorder(code, at);) {
            if (code.text(at) == "bra") {
                return true;
            }
        }
    }
    return false;
}

std::size_t statementStart(const CodeText& code, std::size_t i)
{
    while (i > 0 && !isBorder(code, i - 1)) {
        --i;
    }
    return i;
}

Remedy withColon(const FixContext& context, std::size_t label, TextEdit edit)
{
    const auto& code = context.code;
    const auto name = code.text(label);
    Remedy made{.explanation =
                    "Found by the workbench: a label ends with a colon; without it ptxas takes the name for "
                    "an instruction.",
        .fixes = {{.title = fmt::format("Write {}:", name), .edits = {std::move(edit)}}},
        .symbols = {std::string(name)},
        .takesStatement = true};
    made.betterRoot = Diagnostic{.severity = Severity::Error,
        .message = fmt::format("':' is missing behind the label '{}'", name),
        .file = std::string(context.displayName),
        .line = code.line(label),
        .column = code.column(label),
        .endColumn = code.endColumn(label),
        .tool = "ptxwb"};
    return made;
}

// A word alone on its line that is no instruction, before a statement; or alone before a ';' and branched to.
std::optional<Remedy> label(const FixContext& context, std::size_t first)
{
    const auto& code = context.code;
    if (first + 1 >= code.size() || !isWord(code[first]) || isInstruction(context, code.text(first))) {
        return std::nullopt;
    }
    const auto name = code.text(first);
    const auto next = code.text(first + 1);
    if (next == ";") {
        return isBranchedTo(code, name)
            ? std::optional(withColon(context, first, code.replaceTokens(first + 1, first + 2, ":")))
            : std::nullopt;
    }
    const bool isAlone = code.line(first) < code.line(first + 1);
    const bool startsStatement = next == "@" || next == "@!" || next == "}" || isInstruction(context, next)
        || next == ".reg" || next == "{";
    if (!startsStatement || !(isAlone || isBranchedTo(code, name))) {
        return std::nullopt;
    }
    return withColon(context, first, code.insertBehind(first, ":"));
}

// `%p1 bra DONE;`
std::optional<Remedy> predicate(const FixContext& context, std::size_t first)
{
    const auto& code = context.code;
    const bool isNegated = code.text(first) == "!";
    const auto name = first + (isNegated ? 1 : 0);
    const bool isName = name + 1 < code.size()
        && (code[name].kind == TokenKind::Register || code[name].kind == TokenKind::Identifier
            || code.text(name).starts_with('%'));
    if (!isName || code.line(name) != code.line(name + 1) || !isInstruction(context, code.text(name + 1))) {
        return std::nullopt;
    }
    const auto* declared = context.declarations().findName(code.text(name), name);
    if (declared == nullptr || code.text(declared->type) != ".pred") {
        return std::nullopt;
    }
    const auto text = fmt::format("@{}{}", isNegated ? "!" : "", code.text(name));
    Remedy made{.explanation = "A predicate before an instruction is written with @, or @! for its opposite.",
        .fixes = {
            {.title = fmt::format("Write {}", text), .edits = {code.replaceTokens(first, name + 1, text)}}}};
    made.betterRoot = Diagnostic{.severity = Severity::Error,
        .message = fmt::format("'@' is missing before the predicate '{}'", code.text(name)),
        .file = std::string(context.displayName),
        .line = code.line(first),
        .column = code.column(first),
        .endColumn = code.endColumn(name),
        .tool = "ptxwb"};
    return made;
}

// `!@%p bra`, `@(%p) bra`, `@%p, bra`, `if (%p) bra`
std::optional<Remedy> predicateSigns(const FixContext& context, std::size_t first)
{
    const auto& code = context.code;
    constexpr std::size_t most = 7;
    std::string signs;
    std::size_t name = 0;
    auto at = first;
    for (; at < std::min(first + most, code.size()); ++at) {
        const auto word = code.text(at);
        if (isInstruction(context, word) || code.line(at) != code.line(first)) {
            break;
        }
        const bool isName = word.size() > 1
            && (code[at].kind == TokenKind::Register || code[at].kind == TokenKind::Identifier)
            && word != "if";
        if (isName) {
            name = name == 0 ? at : code.size();
        } else {
            signs += word;
        }
    }
    const bool known = signs == "!@" || signs == "@!," || signs == "@()" || signs == "@!()" || signs == "@(!)"
        || signs == "@," || signs == "if()" || signs == "if(!)" || signs == "if()@" || signs == "()";
    if (!known || name == 0 || name >= code.size() || at >= code.size()
        || !isInstruction(context, code.text(at))) {
        return std::nullopt;
    }
    const auto text = fmt::format("@{}{}", signs.find('!') != std::string::npos ? "!" : "", code.text(name));
    return Remedy{
        .explanation = "A predicate before an instruction is written @%p, or @!%p for its opposite.",
        .fixes = {{.title = fmt::format("Write {}", text), .edits = {code.replaceTokens(first, at, text)}}}};
}

} // namespace

std::optional<Remedy> remedyOfLabel(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    const bool isSyntax = message.starts_with("Parsing error near ");
    const bool isOurs = isSyntax || message.starts_with("Not a name of any")
        || message.starts_with("Unknown field") || message.starts_with("Unknown symbol");
    if (!isOurs || !cause.root->line || context.isa == nullptr || context.code.size() == 0) {
        return std::nullopt;
    }
    const auto& code = context.code;
    const int line = *cause.root->line;
    const auto begin = code.firstOnLine(line);
    if (begin >= code.size()) {
        return std::nullopt;
    }
    for (auto i = statementStart(code, begin); i < code.size() && code.line(i) <= line; ++i) {
        if (i > 0 && !isBorder(code, i - 1)) {
            continue; // only where a statement starts
        }
        if (auto remedy = label(context, i)) {
            return remedy;
        }
        if (!isSyntax) {
            continue;
        }
        if (auto remedy = predicate(context, i)) {
            return remedy;
        }
        if (auto remedy = predicateSigns(context, i)) {
            return remedy;
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
