// SPDX-License-Identifier: Apache-2.0
// Punctuation: one sign too many, one of another language, a bracket that is never closed.
#include "core/ptx/forms_table.h"
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace ptxwb::detail {

namespace {

bool isApart(const CodeText& code, std::size_t i)
{
    return i + 1 < code.size() && code[i].offset + code[i].length < code[i + 1].offset;
}

Fix removal(const CodeText& code, std::size_t first, std::size_t end)
{
    const auto from = code[first].offset;
    const auto to = code[end - 1].offset + code[end - 1].length;
    return {.title = fmt::format("Remove '{}'", code.source().substr(from, to - from)),
        .edits = {code.replaceTokens(first, end, "")}};
}

Fix replacement(const CodeText& code, std::size_t first, std::size_t end, const std::string& text)
{
    const auto from = code[first].offset;
    const auto to = code[end - 1].offset + code[end - 1].length;
    return {.title = fmt::format("Change '{}' to '{}'", code.source().substr(from, to - from), text),
        .edits = {code.replaceTokens(first, end, text)}};
}

bool isCloser(const CodeText& code, std::size_t i)
{
    const auto word = code.text(i);
    return word == ";" || word == ")" || word == "]" || (word == "}" && code.isOperandBrace(i));
}

struct Member {
    std::string prefix{};
    int number = 0;
};

std::optional<Member> memberAt(const CodeText& code, std::size_t i)
{
    const auto name = code.text(i);
    const auto digits = name.find_last_not_of("0123456789") + 1;
    Member made{.prefix = std::string(name.substr(0, digits))};
    const bool isNumbered = code[i].kind == TokenKind::Register && digits < name.size()
        && std::from_chars(name.data() + digits, name.data() + name.size(), made.number).ec == std::errc{};
    return isNumbered ? std::optional(made) : std::nullopt;
}

// `{%a0, %a1, , %a3}` lacks %a2; what else lacks there nobody knows. The comma before it is token i - 1.
std::optional<Remedy> missingOperand(const CodeText& code, std::size_t i)
{
    const auto statement = code.statementAt(i - 1);
    if (!statement || statement->opcodeFirst >= i - 1) {
        return std::nullopt;
    }
    int depth = 0;
    for (auto at = statement->opcodeFirst; at < i - 1; ++at) {
        depth += code.text(at) == "{" ? 1 : (code.text(at) == "}" ? -1 : 0);
    }
    const auto forms = FormsTable::shared();
    const auto* form = forms ? (*forms)->find(statement->opcode) : nullptr;
    const auto given = std::count_if(statement->operands.begin(), statement->operands.end(),
        [](const auto& operand) { return operand.first < operand.second; });
    const bool isComplete = form != nullptr && depth == 0 && given >= form->minOperands;
    if (isComplete) {
        return std::nullopt;
    }
    Remedy made{.explanation = depth > 0 || form == nullptr
            ? std::string(
                "Between the commas, or behind the last one, an operand is missing; or a comma is too many.")
            : fmt::format("An operand is missing here: {} takes {}, and {} stand here.", form->mnemonic,
                form->minOperands, given)};
    const auto before = i >= 2 ? memberAt(code, i - 2) : std::nullopt;
    const auto behind = code.text(i) == "," && i + 1 < code.size() ? memberAt(code, i + 1) : std::nullopt;
    const bool fits = depth > 0 && before
        && (!behind || (behind->prefix == before->prefix && behind->number == before->number + 2));
    if (fits) {
        const auto name = fmt::format("{}{}", before->prefix, before->number + 1);
        made.fixes.push_back(
            {.title = fmt::format("Insert {}", name), .edits = {code.insertBehind(i - 1, ' ' + name)}});
    }
    return made;
}

// What the opcode takes and how much stands there, where that is too little.
std::optional<std::string> tooFewOperands(const CodeText& code, std::size_t i)
{
    const auto statement = code.statementAt(i);
    const auto forms = FormsTable::shared();
    const auto* form = statement && forms ? (*forms)->find(statement->opcode) : nullptr;
    if (form == nullptr) {
        return std::nullopt;
    }
    const auto given = std::count_if(statement->operands.begin(), statement->operands.end(),
        [](const auto& operand) { return operand.first < operand.second; });
    if (given >= form->minOperands) {
        return std::nullopt;
    }
    return fmt::format("An operand is missing here: {} takes {}, and {} stand here.", form->mnemonic,
        form->minOperands, given);
}

// `a, b,;`, `a,, b`, `add.u32, a`, `L:;`, `;;`
std::optional<Remedy> tooMany(const CodeText& code, std::size_t i)
{
    const auto word = code.text(i);
    const auto before = code.text(i - 1);
    if (before == "," && (isCloser(code, i) || word == ",")) {
        if (auto missing = missingOperand(code, i)) {
            return missing;
        }
        return Remedy{.explanation = "Nothing stands behind the comma.", .fixes = {removal(code, i - 1, i)}};
    }
    const auto kind = code[i - 1].kind;
    const bool behindOpcode =
        kind == TokenKind::Opcode || kind == TokenKind::Modifier || kind == TokenKind::Type;
    if (word == "," && (behindOpcode || before == "[" || before == "{" || before == "(")) {
        if (const auto missing = behindOpcode ? tooFewOperands(code, i) : std::nullopt) {
            return Remedy{.explanation = *missing, .fixes = {}};
        }
        return Remedy{
            .explanation = "No operand stands before the comma.", .fixes = {removal(code, i, i + 1)}};
    }
    if (word == ";" && (before == ";" || before == ":" || before == "{" || before == "}")) {
        return Remedy{.explanation = "PTX has no empty statement.", .fixes = {removal(code, i, i + 1)}};
    }
    if (word == ")" && before == "(" && i > 1 && code.text(i - 2) == "__syncthreads") {
        return Remedy{.explanation = "__syncthreads() is CUDA C++: in PTX it is bar.sync 0.",
            .fixes = {replacement(code, i - 2, i + 1, "bar.sync 0")}};
    }
    if (word == ")" && before == "(" && i > 1 && code[i - 2].kind != TokenKind::Directive) {
        return Remedy{
            .explanation = "An instruction takes no parentheses.", .fixes = {removal(code, i - 1, i + 1)}};
    }
    return std::nullopt;
}

// `; words`, `-- words`, `# words` behind a statement: what other assemblers call a comment.
std::optional<Remedy> foreignComment(const CodeText& code, std::size_t i)
{
    const auto word = code.text(i);
    const bool hasWords = i + 2 < code.size() && code.line(i + 1) == code.line(i)
        && code.line(i + 2) == code.line(i) && code[i + 1].kind != TokenKind::Punctuation
        && code.text(i + 2) != ";" && code.text(i + 2) != ",";
    const bool endsBefore = code.text(i - 1) == ";";
    const bool isDashes = word == "-" && code.text(i + 1) == "-";
    if (!endsBefore || !((word == ";" && hasWords) || isDashes)) {
        return std::nullopt;
    }
    return Remedy{.explanation = "A comment of PTX begins with //.",
        .fixes = {replacement(code, i, i + (isDashes ? 2 : 1), "//")}};
}

// `add.u32 %r1, %r2, 1:` and `mov.b32 %r1 = 0;`
std::optional<Remedy> anotherSign(const CodeText& code, std::size_t i)
{
    const auto word = code.text(i);
    const auto statement = code.statementAt(i - 1);
    if (!statement || statement->opcodeFirst >= i) {
        return std::nullopt;
    }
    const bool endsLine = i + 1 >= code.size() || code.line(i + 1) > code.line(i);
    const bool behindOperand = i > statement->opcodeFirst + 1 && !statement->operands.empty();
    if ((word == ":" || word == "." || word == ",") && endsLine && behindOperand && code.text(i - 1) != ",") {
        return Remedy{
            .explanation = "A statement ends with ';'.", .fixes = {replacement(code, i, i + 1, ";")}};
    }
    if (word == "=" && behindOperand) {
        return Remedy{
            .explanation = "PTX has no '=': the result is the first operand, and a comma stands behind it.",
            .fixes = {replacement(code, i, i + 1, ",")}};
    }
    if (word == ";" && !endsLine && statement->operands.size() == 1
        && (code[i + 1].kind == TokenKind::Register || code.text(i + 1) == "[")) {
        return Remedy{.explanation = "A comma stands between two operands.",
            .fixes = {replacement(code, i, i + 1, ",")}};
    }
    return std::nullopt;
}

// `[%rd1`, `{%r1, %r2` and `%r<8` before what ends the operand.
std::optional<Remedy> neverClosed(const FixContext& context, std::size_t i)
{
    const auto& code = context.code;
    auto first = i;
    while (first > 0 && code.text(first - 1) != ";" && code.text(first - 1) != ":"
        && (code.isOperandBrace(first - 1) || (code.text(first - 1) != "{" && code.text(first - 1) != "}"))) {
        --first;
    }
    std::vector<std::size_t> open;
    const bool declares = code.text(first) == ".reg";
    for (auto at = first; at < i; ++at) {
        const auto word = code.text(at);
        if (word == "[" || word == "{" || word == "(" || (declares && word == "<")) {
            open.push_back(at);
        } else if ((word == "]" || word == "}" || word == ")" || (declares && word == ">"))
            && !open.empty()) {
            open.pop_back();
        }
    }
    if (open.size() != 1 || i == 0) {
        return std::nullopt;
    }
    const auto opener = code.text(open.front());
    const auto closer = opener == "[" ? "]" : opener == "{" ? "}" : opener == "(" ? ")" : ">";
    auto last = i - 1;
    if (opener == "[" || opener == "<") { // one operand: up to the comma
        auto at = open.front() + 1;
        int depth = 0;
        while (at < i && !(code.text(at) == "," && depth == 0 && code.text(at + 1) != "{")) {
            depth += code.text(at) == "{" ? 1 : (code.text(at) == "}" ? -1 : 0);
            ++at;
        }
        last = at - 1;
    } else if (opener == "{") {
        auto at = open.front() + 1;
        while (at < i && !(code.text(at) == "," && (code.text(at + 1) == "[" || code.text(at + 1) == "{"))) {
            ++at;
        }
        last = at - 1;
    }
    if (last <= open.front()) {
        return std::nullopt;
    }
    Remedy made{.explanation =
                    fmt::format("The '{}' before {} is never closed.", opener, code.text(open.front() + 1)),
        .fixes = {{.title = fmt::format("Insert '{}' behind {}", closer, code.text(last)),
            .edits = {code.insertBehind(last, closer)}}}};
    if (code.line(last) < code.line(i)) { // ptxas goes on reading and blames a line below
        made.betterRoot =
            ownError(context, fmt::format("'{}' is missing behind '{}'", closer, code.text(last)), last);
    }
    return made;
}

// `ld.global.f32 %f1, %rd1];`
std::optional<Remedy> neverOpened(const CodeText& code, std::size_t i)
{
    if (code.text(i) != "]") {
        return std::nullopt;
    }
    auto first = i;
    while (first > 0 && code.text(first - 1) != "," && code.text(first - 1) != "["
        && code.text(first - 1) != ";" && code[first - 1].kind != TokenKind::Type
        && code[first - 1].kind != TokenKind::Modifier) {
        --first;
    }
    if (first == i || first == 0 || code.text(first - 1) == "[" || code.text(first - 1) == ";") {
        return std::nullopt;
    }
    return Remedy{.explanation = "The ']' closes a bracket that was never opened.",
        .fixes = {{.title = fmt::format("Insert '[' before {}", code.text(first)),
            .edits = {code.replaceTokens(first, first + 1, fmt::format("[{}", code.text(first)))}}}};
}

// `ld.global.f32 %f1, (%rd1);` and `mov.b64 %rd1, (%r1, %r2);`
std::optional<Remedy> parentheses(const CodeText& code, std::size_t i)
{
    if (code.text(i - 1) != "(" || i < 2 || code.text(i - 2) != ",") {
        return std::nullopt;
    }
    auto close = i;
    bool isList = false;
    while (close < code.size() && code.text(close) != ")" && code.text(close) != ";") {
        isList = isList || code.text(close) == ",";
        ++close;
    }
    if (code.text(close) != ")") {
        return std::nullopt;
    }
    const std::string open = isList ? "{" : "[";
    const std::string end = isList ? "}" : "]";
    return Remedy{.explanation = isList ? "Registers that make one operand stand in braces."
                                        : "An address stands in square brackets.",
        .fixes = {{.title = fmt::format("Write {} {}", open, end),
            .edits = {code.replaceTokens(i - 1, i, open), code.replaceTokens(close, close + 1, end)}}}};
}

// `add. u32`, `% r1`, `%r 1`: a blank within a word.
std::optional<Remedy> blankWithin(const CodeText& code, std::size_t i)
{
    const auto joins = [&](std::size_t at) {
        if (at + 1 >= code.size() || code.line(at) != code.line(at + 1) || !isApart(code, at)) {
            return false;
        }
        const auto word = code.text(at);
        const auto next = code.text(at + 1);
        const bool behindDot = word.ends_with('.') && next.front() != '.';
        const bool behindPercent = word == "%";
        const bool digits = word.size() > 1 && word.front() == '%' && code[at + 1].kind == TokenKind::Number
            && word.find_first_of("0123456789") == std::string_view::npos;
        return behindDot || behindPercent || digits;
    };
    for (const auto at : {i, i - 1}) {
        if (joins(at)) {
            const auto whole = fmt::format("{}{}", code.text(at), code.text(at + 1));
            return Remedy{.explanation = "No blank may stand within a name or an opcode.",
                .fixes = {{.title = fmt::format("Write {}", whole),
                    .edits = {code.replaceTokens(at, at + 2, whole)}}}};
        }
    }
    return std::nullopt;
}

// Whether a label of this name is defined.
bool isLabel(const CodeText& code, std::string_view name)
{
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        if (code.text(i) == name && code.text(i + 1) == ":") {
            return true;
        }
    }
    return false;
}

// The one name that `isMissing` tells of; nothing where there are more.
template <class IsMissing> std::string_view onlyName(const CodeText& code, IsMissing isMissing)
{
    std::string_view found;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.text(i) != found && isMissing(i)) {
            if (!found.empty()) {
                return {};
            }
            found = code.text(i);
        }
    }
    return found;
}

// `.reg .b32 %a, , %c;` and a ':' alone: the name that stood there is used, and nothing else declares it.
std::optional<Remedy> droppedName(const FixContext& context, std::size_t i)
{
    const auto& code = context.code;
    const auto before = code.text(i - 1);
    if (code.text(i) == ":" && (before == ";" || before == "}" || before == "{" || before == ":")) {
        const auto name = onlyName(code, [&](std::size_t at) {
            return at > 0 && code[at].kind == TokenKind::Identifier && code.text(at - 1).starts_with("bra")
                && !isLabel(code, code.text(at));
        });
        Remedy made{.explanation = "A label's name stands before its ':'; here is none."};
        if (!name.empty()) {
            made.explanation += fmt::format(" '{}' is the only label that is branched to and missing.", name);
            made.fixes.push_back({.title = fmt::format("Write {}:", name),
                .edits = {code.replaceTokens(i, i + 1, fmt::format("{}:", name))}});
        }
        return made;
    }
    auto first = i;
    while (first > 0 && code.text(first - 1) != ";" && code.text(first - 1) != "{"
        && code.text(first - 1) != "}") {
        --first;
    }
    const bool isHole = (code.text(i) == "," || code.text(i) == ";")
        && (before == "," || code[i - 1].kind == TokenKind::Type);
    if (code.text(first) != ".reg" || !isHole || i < first + 2) {
        return std::nullopt;
    }
    const auto& registers = context.declarations();
    const auto name = onlyName(code, [&](std::size_t at) {
        return code[at].kind == TokenKind::Register && code.text(at + 1) != "<"
            && registers.findName(code.text(at), at + 1) == nullptr;
    });
    if (name.empty()) {
        return std::nullopt;
    }
    return Remedy{
        .explanation = fmt::format("A name is missing in this list: {} is used and not declared.", name),
        .fixes = {{.title = fmt::format("Insert {}", name),
            .edits = {code.insertBehind(i - 1, fmt::format(" {}", name))}}}};
}

// The line's first word, with what is joined to it: "add.u32".
std::string opcodeAt(const CodeText& code, std::size_t i)
{
    std::string opcode(code.text(i));
    for (auto at = i + 1; at < code.size() && code.text(at).starts_with('.') && !isApart(code, at - 1);
         ++at) {
        opcode += code.text(at);
    }
    return opcode;
}

// Whether the statement would have its operands if it ended at token `comma`.
bool isCompleteBefore(const CodeText& code, std::size_t comma)
{
    const auto statement = code.statementAt(comma - 1);
    const auto forms = FormsTable::shared();
    const auto* form = statement && forms ? (*forms)->find(statement->opcode) : nullptr;
    return form == nullptr
        || std::count_if(statement->operands.begin(), statement->operands.end(),
               [comma](
                   const auto& operand) { return operand.first < operand.second && operand.second <= comma; })
        >= form->minOperands;
}

// `mov.b32 %r1, %r2,` above a line that begins another statement.
std::optional<Remedy> commaForSemicolon(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto first = code.firstOnLine(*cause.root->line);
    if (first < 2 || first + 1 >= code.size() || code.text(first - 1) != ","
        || code.line(first - 1) == code.line(first) || !isCompleteBefore(code, first - 1)) {
        return std::nullopt;
    }
    const auto word = code.text(first);
    const bool begins = word == "@" || (word.front() != '%' && code.text(first + 1) == ":")
        || (context.isa != nullptr && context.isa->find(opcodeAt(code, first)) != nullptr);
    if (!begins) {
        return std::nullopt;
    }
    return Remedy{
        .explanation = fmt::format("Found by the workbench: the comma promises another operand, and "
                                   "ptxas reads on into the statement of line {}.",
            *cause.root->line),
        .fixes = {{.title = "Change ',' to ';'", .edits = {code.replaceTokens(first - 1, first, ";")}}},
        .betterRoot = ownError(context, "';' expected, ',' found", first - 1),
        .takesStatement = true};
}

} // namespace

std::optional<Remedy> remedyOfSign(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    const bool isSymbol = message.starts_with("Unknown field") || message.starts_with("Unknown symbol");
    if (isSymbol && cause.root->line && context.code.size() != 0) {
        return commaForSemicolon(cause, context);
    }
    if (!message.starts_with("Parsing error near ") || !cause.root->line || context.code.size() == 0) {
        return std::nullopt;
    }
    const auto& code = context.code;
    if (auto remedy = commaForSemicolon(cause, context)) {
        return remedy;
    }
    const auto near = quotedText(message);
    const int line = *cause.root->line;
    // Each place is looked at with its whole statement: a line made to hold thousands must not take minutes.
    constexpr std::size_t mostPlaces = 64;
    std::vector<std::size_t> places;
    for (auto i = std::max<std::size_t>(code.firstOnLine(line), 1);
         i < code.size() && code.line(i) == line && places.size() < mostPlaces; ++i) {
        if (code.text(i) == near) {
            places.push_back(i);
        }
    }
    for (const auto i : places) {
        if (auto remedy = droppedName(context, i)) {
            return remedy;
        }
    }
    constexpr std::array makers{foreignComment, tooMany, neverOpened, blankWithin, parentheses, anotherSign};
    for (const auto maker : makers) {
        for (const auto i : places) {
            if (auto remedy = maker(code, i)) {
                return remedy;
            }
        }
    }
    if (near == ";" || near == "[" || near == "{") {
        for (const auto i : places) {
            if (auto remedy = neverClosed(context, i)) {
                return remedy;
            }
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
