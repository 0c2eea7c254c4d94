// SPDX-License-Identifier: Apache-2.0
// "Parsing error near X": what is missing stands before X, mostly on the line above.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

Diagnostic ours(const FixContext& context, std::string message, int line, int column, int endColumn)
{
    return {.severity = Severity::Error,
        .message = std::move(message),
        .file = std::string(context.displayName),
        .line = line,
        .column = column,
        .endColumn = endColumn,
        .tool = "ptxwb"};
}

// Words that end with their line take no semicolon.
bool isLineDirectiveAt(const CodeText& code, std::size_t last)
{
    const auto first = code[code.firstOnLine(code.line(last))].text(code.source());
    return first == ".version" || first == ".target" || first == ".address_size" || first == ".loc"
        || first == ".file";
}

// `ret` and `wgmma.fence.sync.aligned` may end with their opcode, `mma.sync` may not; what is not in the
// table may.
bool takesNoOperand(const FixContext& context, std::size_t i)
{
    const auto statement = context.code.statementAt(i);
    const auto* row = context.isa == nullptr || !statement ? nullptr : context.isa->find(statement->opcode);
    return row == nullptr || std::any_of(row->syntax.begin(), row->syntax.end(), [](const std::string& form) {
        return form.find(' ') == std::string::npos;
    });
}

// A kernel's head, from .entry to its block, holds no semicolon.
bool isWithinEntryHead(const CodeText& code, std::size_t i)
{
    for (auto at = i + 1; at-- > 0;) {
        const auto word = code.text(at);
        if (word == ".entry") {
            return true;
        }
        if (word == ";" || word == "}" || word == "{") {
            return false;
        }
    }
    return false;
}

// Whether a statement may end with token i, so that a semicolon can be what is missing behind it.
bool canEndStatement(const FixContext& context, std::size_t i)
{
    const auto& code = context.code;
    if (isWithinEntryHead(code, i)) {
        return false;
    }
    const auto word = code.text(i);
    if (word == "}") {
        return code.isOperandBrace(i);
    }
    if (word == "]" || word == ")" || word == ">" || word == "_") {
        return true;
    }
    switch (code[i].kind) {
    case TokenKind::Opcode:
    case TokenKind::Modifier:
    case TokenKind::Type:
        return takesNoOperand(context, i) && !isLineDirectiveAt(code, i);
    case TokenKind::Register:
    case TokenKind::SpecialRegister:
    case TokenKind::Identifier:
    case TokenKind::Number:
    case TokenKind::String:
        return !isLineDirectiveAt(code, i);
    default:
        return false;
    }
}

// The first token of its line whose statement before it has no end, as near to the blamed token as can be.
std::optional<std::size_t> unendedBefore(const FixContext& context, int line, std::string_view near)
{
    const auto& code = context.code;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const bool startsLine = i > 0 && code.line(i - 1) < line;
        const bool blamed = code.text(i) == near || near.starts_with(code.text(i));
        const bool newOpcode = i > 0 && (code[i].kind == TokenKind::Opcode || code.text(i) == "}");
        if (i > 0 && (startsLine || (blamed && newOpcode)) && canEndStatement(context, i - 1)) {
            return i - 1;
        }
        if (blamed) {
            break;
        }
    }
    return std::nullopt;
}

std::optional<Remedy> missingSemicolon(const Cause& cause, const FixContext& context, std::string_view near)
{
    const auto& code = context.code;
    const auto last = unendedBefore(context, *cause.root->line, near);
    if (!last) {
        return std::nullopt;
    }
    Remedy made{
        .explanation = fmt::format("Found by the workbench: the statement that ends here has no semicolon. "
                                   "ptxas reads on and blames line {}, where it meets '{}'.",
            *cause.root->line, near),
        .fixes = {{.title = fmt::format("Insert ';' at the end of line {}", code.line(*last)),
            .edits = {code.insertBehind(*last, ";")}}}};
    made.betterRoot = ours(context, fmt::format("';' is missing behind '{}'", code.text(*last)),
        code.line(*last), code.column(*last), code.endColumn(*last));
    return made;
}

// The text ended too early: which block was not closed?
std::optional<Remedy> missingBrace(const FixContext& context)
{
    const auto& code = context.code;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.text(i) == "{") {
            open.push_back(i);
        } else if (code.text(i) == "}" && !open.empty()) {
            open.pop_back();
        }
    }
    if (open.empty()) {
        return std::nullopt;
    }
    const auto at = open.front();
    const auto last = code.size() - 1;
    const auto* function = functionAt(context.outline, code.line(at));
    const std::string where = function != nullptr ? fmt::format(" of '{}'", function->name) : std::string();
    Remedy made{
        .explanation = fmt::format("Found by the workbench: the text ends while {} block{} still open; the "
                                   "outermost opens here. An answer that was cut off looks like this.",
            open.size(), open.size() == 1 ? " is" : "s are")};
    if (code.text(last) == ";" || code.text(last) == "}") {
        std::string closing;
        for (std::size_t i = 0; i < open.size(); ++i) {
            closing += "\n}";
        }
        made.fixes.push_back(
            {.title = fmt::format("Close the block{} at the end", open.size() == 1 ? "" : "s"),
                .edits = {code.insertBehind(last, closing)}});
    } else {
        made.explanation +=
            " The last statement is incomplete, so closing the block alone would not mend it.";
    }
    made.betterRoot = ours(context, fmt::format("the block{} that opens here is never closed", where),
        code.line(at), code.column(at), code.endColumn(at));
    return made;
}

// `.target` without a name: ptxas stumbles over the next line.
std::optional<Remedy> emptyDirective(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto at = code.firstOnLine(*cause.root->line);
    if (at == 0 || at > code.size() || code.line(at - 1) >= *cause.root->line) {
        return std::nullopt;
    }
    const auto word = code.text(at - 1);
    const auto version = context.isa != nullptr ? context.isa->minPtxOfTarget(context.target) : "";
    const std::string value = word == ".target" ? std::string(context.target)
        : word == ".version"                    ? std::string(version)
        : word == ".address_size"               ? "64"
                                                : "";
    if (value.empty()) {
        return std::nullopt;
    }
    Remedy made{.explanation = fmt::format("Found by the workbench: nothing stands behind {}; ptxas reads on "
                                           "and blames line {}.",
                    word, *cause.root->line),
        .fixes = {{.title = fmt::format("Write {} {}", word, value),
            .edits = {code.insertBehind(at - 1, ' ' + value)}}}};
    made.betterRoot = ours(context, fmt::format("{} without a value", word), code.line(at - 1),
        code.column(at - 1), code.endColumn(at - 1));
    return made;
}

} // namespace

std::optional<Remedy> remedyOfSyntax(const Cause& cause, const FixContext& context)
{
    constexpr std::string_view shape = "Parsing error near ";
    if (!cause.root->message.starts_with(shape) || !cause.root->line || context.code.size() == 0) {
        return std::nullopt;
    }
    const auto near = quotedText(cause.root->message);
    if (auto remedy = emptyDirective(cause, context)) {
        return remedy;
    }
    return near.empty() ? missingBrace(context) : missingSemicolon(cause, context, near);
}

} // namespace ptxwb::detail
