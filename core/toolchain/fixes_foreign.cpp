// SPDX-License-Identifier: Apache-2.0
// Punctuation of another habit: a comment of a shell, a dash in a name, a semicolon or a brace where PTX has
// none, a list without its braces, a sum as an operand.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxwb::detail {

namespace {

Fix replacement(const CodeText& code, std::size_t first, std::size_t end, const std::string& text)
{
    return {
        .title = text.empty() ? fmt::format("Remove '{}'", code.text(first)) : fmt::format("Write {}", text),
        .edits = {code.replaceTokens(first, end, text)}};
}

bool isNameLike(const CodeText& code, std::size_t i)
{
    const auto kind = code[i].kind;
    return kind == TokenKind::Register || kind == TokenKind::Identifier || kind == TokenKind::Opcode;
}

// The head of a kernel: from .entry or .func to the token.
bool isBehindHead(const CodeText& code, std::size_t i)
{
    for (auto at = i; at-- > 0;) {
        const auto word = code.text(at);
        if (word == ".entry" || word == ".func") {
            return true;
        }
        if (word == ";" || word == "}" || word == "{") {
            return false;
        }
    }
    return false;
}

// `.entry k(...);` before the block, `.maxntid 128;`
std::optional<Remedy> semicolonOfHead(const FixContext& context, std::size_t i)
{
    const auto& code = context.code;
    constexpr std::array<std::string_view, 12> goesOn{"{", ".maxntid", ".reqntid", ".minnctapersm",
        ".maxnctapersm", ".maxnreg", ".pragma", ".noreturn", ".explicitcluster", ".reqnctapercluster",
        ".maxclusterrank", ".blocksareclusters"};
    const auto at = code.text(i) == ";" ? i : i - 1;
    if (code.text(at) != ";" || at + 1 >= code.size() || !isBehindHead(code, at)
        || std::find(goesOn.begin(), goesOn.end(), code.text(at + 1)) == goesOn.end()) {
        return std::nullopt;
    }
    Remedy made{.explanation =
                    "No ';' stands between the head of a kernel and its block: with it ptxas reads a "
                    "declaration without a body.",
        .fixes = {replacement(code, at, at + 1, "")}};
    if (at != i) {
        made.explanation =
            fmt::format("Found by the workbench: {} ptxas blames what follows.", made.explanation);
        made.betterRoot = ownError(context, "';' within the head of a kernel", at);
    }
    return made;
}

// `@p! bra`
std::optional<Remedy> notBehind(const CodeText& code, std::size_t i)
{
    if (code.text(i) != "!" || i < 2 || code.text(i - 2) != "@") {
        return std::nullopt;
    }
    return Remedy{.explanation = "The sign for the opposite stands before the predicate: @!%p.",
        .fixes = {replacement(code, i - 2, i + 1, fmt::format("@!{}", code.text(i - 1)))}};
}

// `bar.sync 0; # what it is for`
std::optional<Remedy> hashComment(const FixContext& context, int line)
{
    const auto source = context.code.source();
    std::size_t at = 0;
    for (int i = 1; i < line && at < source.size(); ++i) {
        at = std::min(source.find('\n', at), source.size() - 1) + 1;
    }
    const auto text = source.substr(at, std::min(source.find('\n', at), source.size()) - at);
    const auto hash = text.find('#');
    if (hash == std::string_view::npos || text.substr(0, hash).find('"') != std::string_view::npos) {
        return std::nullopt;
    }
    const int column = codePointsOf(text.substr(0, hash)) + 1;
    return Remedy{.explanation = "A comment of PTX begins with //.",
        .fixes = {{.title = "Change # to //",
            .edits = {{.line = line,
                .startColumn = column,
                .endLine = line,
                .endColumn = column + 1,
                .text = "//"}}}}};
}

// `.reg .pred p q;`
std::optional<Remedy> commaOfDeclaration(const CodeText& code, std::size_t i)
{
    auto first = i;
    while (first > 0 && code.text(first - 1) != ";" && code.text(first - 1) != "{"
        && code.text(first - 1) != "}" && code.text(first - 1) != ":") {
        --first;
    }
    const bool isName = isNameLike(code, i) && (isNameLike(code, i - 1) || code.text(i - 1) == ">");
    if (code.text(first) != ".reg" || i < first + 3 || !isName || code.line(i) != code.line(first)) {
        return std::nullopt;
    }
    return Remedy{.explanation = "A comma stands between two names of a declaration.",
        .fixes = {{.title = fmt::format("Insert ',' before {}", code.text(i)),
            .edits = {code.insertBehind(i - 1, ",")}}}};
}

// `[%rd3+%rd4]`: the sum into a register of its own, in a block around the statement.
std::optional<Fix> sumBefore(const CodeText& code, const PtxStatement& statement, std::size_t plus)
{
    const RegisterDeclarations registers(code);
    const auto* left = registers.find(plus - 1);
    const auto* right = registers.find(plus + 1);
    constexpr std::string_view name = "%address";
    if (left == nullptr || right == nullptr || registers.findName(name, statement.first) != nullptr
        || code.text(statement.end) != ";") {
        return std::nullopt;
    }
    const auto kind = registerKindOf(code.text(left->type));
    const auto other = registerKindOf(code.text(right->type));
    if (kind.bits != other.bits || kind.kind == 'f' || (kind.bits != 32 && kind.bits != 64)) {
        return std::nullopt;
    }
    const auto first = code.text(statement.first);
    return Fix{.title = fmt::format("Add {} and {} before", code.text(plus - 1), code.text(plus + 1)),
        .edits = {code.replaceTokens(statement.first, statement.first + 1,
                      fmt::format("{{ .reg .b{} {}; add.s{} {}, {}, {}; {}", kind.bits, name, kind.bits, name,
                          code.text(plus - 1), code.text(plus + 1), first)),
            code.replaceTokens(plus - 1, plus + 2, std::string(name)),
            code.insertBehind(statement.end, " }")}};
}

// `%rd3 + %rd4`: of the one a comma is meant, the other cannot be written so.
std::optional<Remedy> sumOfRegisters(const CodeText& code, std::size_t i)
{
    const auto plus = code.text(i) == "+" ? i : i - 1;
    const auto sign = code.text(plus);
    if ((sign != "+" && sign != "-" && sign != "*") || plus == 0 || plus + 1 >= code.size()
        || code[plus + 1].kind != TokenKind::Register || code[plus - 1].kind != TokenKind::Register) {
        return std::nullopt;
    }
    Remedy made{
        .explanation = fmt::format("An operand is a register, or in brackets a register and a constant: the "
                                   "sum {} {} {} needs an instruction of its own before, whose result stands "
                                   "here.",
            code.text(plus - 1), sign, code.text(plus + 1))};
    const auto statement = code.statementAt(plus);
    const bool isBracketed = plus >= 2 && code.text(plus - 2) == "[";
    if (statement && !isBracketed && statement->operands.size() == 2) {
        made.fixes.push_back({.title = fmt::format("Change '{}' to ','", sign),
            .edits = {code.replaceTokens(plus, plus + 1, ",")}});
    }
    if (statement && isBracketed && sign == "+" && code.text(plus + 2) == "]") {
        if (auto fix = sumBefore(code, *statement, plus)) {
            made.fixes.push_back(std::move(*fix));
        }
    }
    return made;
}

// `%f0, %f1}`: a list whose brace was left out in front
std::optional<Remedy> listNeverOpened(const CodeText& code, std::size_t i)
{
    if (code.text(i) != "}") {
        return std::nullopt;
    }
    auto first = i;
    while (first > 0
        && (code.text(first - 1) == "," || isNameLike(code, first - 1)
            || code[first - 1].kind == TokenKind::Number)
        && code[first - 1].kind != TokenKind::Opcode) {
        --first;
    }
    first += code.text(first) == "," ? 1 : 0;
    const auto kind = first > 0 ? code[first - 1].kind : TokenKind::Whitespace;
    const bool isOperand =
        kind == TokenKind::Modifier || kind == TokenKind::Type || code.text(first - 1) == ",";
    if (first >= i || !isOperand) {
        return std::nullopt;
    }
    const auto name = std::string(code.text(first));
    Remedy made{.explanation = "The '}' closes a list that no '{' opens."};
    made.fixes.push_back(
        {.title = "Insert '{' before " + name, .edits = {code.replaceTokens(first, first + 1, '{' + name)}});
    return made;
}

// `{%f0, %f1, %rd2, 1;`: where the registers of the list end is seen by their names
std::optional<Remedy> listNeverClosed(const CodeText& code, std::size_t i)
{
    if (code.text(i) != ";") {
        return std::nullopt;
    }
    auto open = i;
    while (open > 0 && code.text(open) != "{" && code.text(open) != "}" && i - open < 600) {
        --open;
    }
    const auto statement = open > 0 && code.text(open) == "{" ? code.statementAt(open - 1) : std::nullopt;
    if (!statement || statement->opcodeFirst >= open) {
        return std::nullopt;
    }
    const auto series = [&](std::size_t at) {
        const auto name = code.text(at);
        return name.substr(0, name.find_last_not_of("0123456789") + 1);
    };
    Remedy made{.explanation = fmt::format("The '{{' before {} is never closed.", code.text(open + 1))};
    for (auto at = open + 1; at + 2 < i && made.fixes.empty(); at += 2) {
        if (code.text(at + 1) != "," || series(at) != series(open + 1)) {
            break;
        }
        if (series(at + 2) != series(at)) {
            made.fixes.push_back({.title = fmt::format("Insert '}}' behind {}", code.text(at)),
                .edits = {code.insertBehind(at, "}")}});
        }
    }
    return made.fixes.empty() ? std::nullopt : std::optional(std::move(made));
}

// `wgmma-fence`, `wait-group`: a dash within an opcode
std::optional<Remedy> dashInOpcode(const CodeText& code, std::size_t i)
{
    const auto dash = code.text(i) == "-" ? i : i - 1;
    if (code.text(dash) != "-" || dash == 0 || dash + 1 >= code.size()
        || code[dash - 1].offset + code[dash - 1].length != code[dash].offset
        || code[dash].offset + 1 != code[dash + 1].offset) {
        return std::nullopt;
    }
    const auto before = code.text(dash - 1);
    const bool isWord = before.find_first_of("0123456789%") == std::string_view::npos
        && code.text(dash + 1).find_first_not_of("0123456789") == 0;
    if (!isWord) {
        return std::nullopt;
    }
    Remedy made{.explanation =
                    "Words of an opcode are joined by a dot, and by an underscore within a word; a dash is a "
                    "sign of its own."};
    for (const char* sign : {".", "_"}) {
        made.fixes.push_back({.title = fmt::format("Change '-' to '{}'", sign),
            .edits = {code.replaceTokens(dash, dash + 1, sign)}});
    }
    return made;
}

int depthBefore(const CodeText& code, std::size_t i)
{
    int depth = 0;
    for (std::size_t at = 0; at < i; ++at) {
        depth += code.text(at) == "{" ? 1 : (code.text(at) == "}" ? -1 : 0);
    }
    return depth;
}

// A brace too many: at the end, or so early that the rest of the kernel stands outside.
std::optional<Remedy> surplusBrace(const FixContext& context, std::size_t i)
{
    const auto& code = context.code;
    if (code.text(i) == "}" && depthBefore(code, i) <= 0) {
        return Remedy{.explanation = "No block is open that this brace could close.",
            .fixes = {replacement(code, i, i + 1, "")}};
    }
    const bool isOfBody = code[i].kind == TokenKind::Opcode || code.text(i) == "@" || code.text(i) == ".reg"
        || code.text(i + 1) == ":";
    if (!isOfBody || code.text(i - 1) != "}" || depthBefore(code, i) != 0) {
        return std::nullopt;
    }
    Remedy made{.explanation =
                    fmt::format("Found by the workbench: this brace closes the kernel, and ptxas blames line "
                                "{}, which stands outside of every kernel.",
                        code.line(i)),
        .fixes = {replacement(code, i - 1, i, "")}};
    made.betterRoot = ownError(context, "'}' ends the kernel too early", i - 1);
    return made;
}

} // namespace

std::optional<Remedy> remedyOfForeign(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    const bool isSyntax = message.starts_with("Parsing error near ");
    const auto& code = context.code;
    if (!cause.root->line || code.size() == 0) {
        return std::nullopt;
    }
    const int line = *cause.root->line;
    constexpr std::size_t mostPlaces = 64;
    std::size_t dashes = 0;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line && dashes < mostPlaces;
         ++i) {
        if (code.text(i) == "-") {
            ++dashes;
            if (auto remedy = dashInOpcode(code, i)) {
                return remedy;
            }
        }
    }
    if (!isSyntax) {
        return std::nullopt;
    }
    const auto near = quotedText(message);
    if (near == "#") {
        return hashComment(context, line);
    }
    std::size_t places = 0;
    for (auto i = std::max<std::size_t>(code.firstOnLine(line), 1);
         i < code.size() && code.line(i) == line && places < mostPlaces; ++i) {
        const auto word = code.text(i);
        if (word != near && !(near.size() > 1 && near.starts_with(word) && word.size() > 1)) {
            continue;
        }
        ++places;
        if (auto remedy = semicolonOfHead(context, i)) {
            return remedy;
        }
        if (auto remedy = surplusBrace(context, i)) {
            return remedy;
        }
        constexpr std::array makers{
            notBehind, sumOfRegisters, commaOfDeclaration, listNeverOpened, listNeverClosed};
        for (const auto maker : makers) {
            if (auto remedy = maker(code, i)) {
                return remedy;
            }
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
