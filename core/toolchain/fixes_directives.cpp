// SPDX-License-Identifier: Apache-2.0
// Declarations and heads of kernels: a dot left out, words in another order, a type that PTX does not have, a
// comma between parameters.
#include "core/ptx/vocabulary.h"
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/use_type.h"
#include "core/toolchain/word_aliases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxwb::detail {

namespace {

constexpr std::array<std::string_view, 10> spaces{
    "reg", "shared", "global", "local", "const", "param", "sreg", "tex", "surf", "common"};
constexpr std::array<std::string_view, 4> linkage{"visible", "extern", "weak", "common"};
constexpr std::array<std::string_view, 8> numbered{"align", "maxntid", "minnctapersm", "reqntid", "maxnreg",
    "address_size", "maxclusterrank", "reqnctapercluster"};

template <std::size_t N> bool holds(const std::array<std::string_view, N>& words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isBorder(const CodeText& code, std::size_t i)
{
    const auto word = code.text(i);
    return word == ";" || word == ":" || ((word == "{" || word == "}") && !code.isOperandBrace(i));
}

// Whether the word at i is a directive that lacks its dot, by what stands beside it.
bool lacksDot(const CodeText& code, std::size_t i)
{
    const auto word = code.text(i);
    const auto next = code.text(i + 1);
    const bool dotBehind = next.size() > 1 && next.front() == '.';
    const bool apart = code[i].offset + code[i].length < (i + 1 < code.size() ? code[i + 1].offset : 0);
    if (!apart) {
        return false;
    }
    if (holds(spaces, word)) {
        return dotBehind && (isPtxTypeWord(next) || next == ".align" || next == ".v2" || next == ".v4");
    }
    if (holds(linkage, word)) {
        return dotBehind;
    }
    if (word == "entry" || word == "func") {
        const bool behindHead = i > 0 && (code.text(i - 1).starts_with('.') || isBorder(code, i - 1));
        return (i == 0 || behindHead) && (next.starts_with('(') || !dotBehind);
    }
    if (holds(numbered, word)) {
        return i + 1 < code.size() && code[i + 1].kind == TokenKind::Number;
    }
    return word == "pragma" && next.starts_with('"');
}

// The names that the declaration at i would declare: what is said of them follows from it.
std::vector<std::string> namesDeclaredAt(const CodeText& code, std::size_t i)
{
    std::vector<std::string> names;
    for (auto at = i + 1; at < code.size() && !isBorder(code, at) && code.text(at) != "="; ++at) {
        const auto kind = code[at].kind;
        if (kind == TokenKind::Register || kind == TokenKind::Identifier) {
            names.emplace_back(code.text(at));
        }
    }
    return names;
}

std::optional<Remedy> missingDot(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const int line = *cause.root->line;
    auto first = code.firstOnLine(line);
    while (first > 0 && first <= code.size() && !isBorder(code, first - 1)) {
        --first;
    }
    Fix fix;
    std::optional<std::size_t> at;
    for (auto i = first; i < code.size() && code.line(i) <= line; ++i) {
        if (lacksDot(code, i)) {
            at = at ? at : i;
            fix.edits.push_back(code.replaceTokens(i, i + 1, fmt::format(".{}", code.text(i))));
        }
    }
    if (!at) {
        return std::nullopt;
    }
    const auto word = code.text(*at);
    fix.title = fix.edits.size() == 1 ? fmt::format("Change {} to .{}", word, word)
                                      : fmt::format("Put the dot before {} words", fix.edits.size());
    Remedy made{.explanation = fmt::format(
                    "Found by the workbench: directives begin with a dot; without it ptxas takes '{}' for an "
                    "instruction.",
                    word),
        .fixes = {std::move(fix)},
        .symbols = namesDeclaredAt(code, *at),
        .takesStatement = true};
    made.betterRoot = ownError(context, fmt::format("the '.' before '{}' is missing", word), *at);
    return made;
}

// `.entry .visible k`
std::optional<Remedy> linkageBehind(const CodeText& code, std::size_t i)
{
    const auto before = code.text(i - 1);
    const bool isHead = before == ".entry" || before == ".func";
    if (!isHead || !code.text(i).starts_with('.') || !holds(linkage, code.text(i).substr(1))) {
        return std::nullopt;
    }
    const auto swapped = fmt::format("{} {}", code.text(i), before);
    return Remedy{.explanation = fmt::format("{} stands before {}.", code.text(i), before),
        .fixes = {{.title = fmt::format("Write {}", swapped),
            .edits = {code.replaceTokens(i - 1, i + 1, swapped)}}}};
}

bool isDeclaring(std::string_view word)
{
    return word.starts_with('.') && (holds(spaces, word.substr(1)) || word == ".v2" || word == ".v4");
}

// The type that the uses of a name ask for: of a register its instructions, of a parameter its ld.param.
std::string typeByUse(const CodeText& code, std::size_t i)
{
    const auto name = code.text(i);
    const bool isSeries = code.text(i + 1) == "<";
    std::string found;
    for (std::size_t at = i + 1; at < code.size(); ++at) {
        const auto word = code.text(at);
        const bool isMember = isSeries && word.size() > name.size() && word.starts_with(name)
            && word.find_first_not_of("0123456789", name.size()) == std::string_view::npos;
        const auto statement = word == name || isMember ? code.statementAt(at) : std::nullopt;
        if (!statement || statement->opcodeFirst >= at) {
            continue;
        }
        std::string type;
        if (code[i].kind == TokenKind::Register) {
            type = registerTypeAt(code, *statement, at);
        } else if (const auto dot = statement->opcode.rfind('.'); statement->opcode.starts_with("ld.")
                   && dot != std::string_view::npos && isPtxTypeWord(statement->opcode.substr(dot))) {
            type = std::string(statement->opcode.substr(dot));
        }
        if (!type.empty() && !found.empty() && type != found) {
            return {};
        }
        found = type.empty() ? found : type;
    }
    return found;
}

// `.reg %acc<128>`, `.param rows`: the name stands where the type should.
std::optional<Remedy> noType(const CodeText& code, std::size_t i)
{
    const auto next = code.text(i + 1);
    const bool isName =
        next == ";" || next == "<" || next == "[" || next == "," || next == ")" || next == "=";
    if (!isName || code.text(i).front() == '.') {
        return std::nullopt;
    }
    Remedy made{.explanation = fmt::format("No type stands before '{}'.", code.text(i))};
    if (const auto type = typeByUse(code, i); !type.empty()) {
        made.explanation += fmt::format(" Its uses ask for {}.", type);
        made.fixes.push_back(
            {.title = fmt::format("Insert {}", type), .edits = {code.insertBehind(i - 1, ' ' + type)}});
    }
    return made;
}

// `.reg b32 %x`, `.reg .int %x`
std::optional<Remedy> typeOfDeclaration(const CodeText& code, std::size_t i)
{
    const auto word = code.text(i);
    if (word.front() != '.' && code[i].kind != TokenKind::Identifier && code[i].kind != TokenKind::Opcode
        && code[i].kind != TokenKind::Register) {
        return std::nullopt; // a sign
    }
    const bool behindSpace = isDeclaring(code.text(i - 1))
        || (i > 1 && code[i - 1].kind == TokenKind::Number && code.text(i - 2) == ".align");
    if (!behindSpace) {
        return std::nullopt;
    }
    if (auto remedy = noType(code, i)) {
        return remedy;
    }
    std::string better;
    if (!word.starts_with('.') && isPtxTypeWord(fmt::format(".{}", word))) {
        better = fmt::format(".{}", word);
    } else {
        const auto dotted = word.starts_with('.') ? std::string(word) : fmt::format(".{}", word);
        better = std::string(aliasOfModifier(dotted));
        if (!isPtxTypeWord(better)) {
            const std::vector<std::string> types{".b8", ".b16", ".b32", ".b64", ".b128", ".u8", ".u16",
                ".u32", ".u64", ".s8", ".s16", ".s32", ".s64", ".f16", ".f16x2", ".f32", ".f64", ".pred"};
            const auto near = nearestWords(dotted, types);
            better = near.size() == 1 ? near.front() : std::string();
        }
    }
    Remedy made{.explanation = fmt::format("'{}' is no type of a declaration.", word)};
    if (!better.empty()) {
        made.explanation += fmt::format(" Did you mean {}?", better);
        made.fixes.push_back({.title = fmt::format("Change {} to {}", word, better),
            .edits = {code.replaceTokens(i, i + 1, better)}});
    }
    return made;
}

std::optional<Remedy> parameterComma(const FixContext& context, std::size_t i, int blamed)
{
    const auto& code = context.code;
    const auto before = code.text(i - 1);
    if (code.text(i) != ".param" || before == "(" || before == "," || isBorder(code, i - 1)) {
        return std::nullopt;
    }
    auto open = i - 1;
    while (open > 0 && code.text(open) != "(" && !isBorder(code, open)) {
        --open;
    }
    if (code.text(open) != "(") {
        return std::nullopt;
    }
    Remedy made{.explanation = "A comma stands between two parameters.",
        .fixes = {{.title = fmt::format("Insert ',' behind {}", before),
            .edits = {code.insertBehind(i - 1, ",")}}}};
    if (code.line(i - 1) != blamed) {
        made.explanation += fmt::format(" Found by the workbench: ptxas blames line {}.", blamed);
        made.betterRoot = ownError(context, fmt::format("',' is missing behind '{}'", before), i - 1);
    }
    return made;
}

} // namespace

std::optional<Remedy> remedyOfDirective(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    const bool isSyntax = message.starts_with("Parsing error near ");
    const bool isUnknown = message.starts_with("Not a name of any")
        || message.starts_with("Array indexing on non-array") || message.starts_with("Unknown field")
        || message.starts_with("Unknown symbol");
    if (!cause.root->line || context.code.size() == 0 || !(isSyntax || isUnknown)) {
        return std::nullopt;
    }
    if (auto remedy = missingDot(cause, context)) {
        return remedy;
    }
    if (!isSyntax) {
        return std::nullopt;
    }
    const auto& code = context.code;
    const auto near = quotedText(message);
    const int line = *cause.root->line;
    for (auto i = std::max<std::size_t>(code.firstOnLine(line), 1); i < code.size() && code.line(i) == line;
         ++i) {
        if (code.text(i) != near) {
            continue;
        }
        if (auto remedy = linkageBehind(code, i)) {
            return remedy;
        }
        if (auto remedy = parameterComma(context, i, line)) {
            return remedy;
        }
        if (auto remedy = typeOfDeclaration(code, i)) {
            return remedy;
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
