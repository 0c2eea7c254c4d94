// SPDX-License-Identifier: Apache-2.0
// Words of other languages in PTX, parts of an opcode in another order, and a comma left out.
#include "core/ptx/forms_table.h"
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/word_aliases.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

std::vector<std::string_view> partsOf(std::string_view opcode)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < opcode.size();) {
        const auto end = std::min(opcode.find('.', at + 1), opcode.size());
        parts.push_back(opcode.substr(at, end - at));
        at = end;
    }
    return parts;
}

// The opcode with the parts that make its name in front, if that is an instruction all of whose words are
// known; empty otherwise. "mbarrier.expect_tx.arrive.shared::cta.b64" -> "mbarrier.arrive.expect_tx..."
std::string inOrder(std::string_view opcode, const FormsTable& forms)
{
    const auto written = partsOf(opcode);
    std::string best;
    std::size_t bestParts = 0;
    for (const auto& form : forms.instructions()) {
        const auto name = partsOf(form.mnemonic);
        if (name.size() < 2 || name.front() != written.front() || name.size() <= bestParts
            || name.size() > written.size()) {
            continue;
        }
        auto rest = written;
        const bool holdsAll = std::all_of(name.begin(), name.end(), [&](std::string_view part) {
            const auto found = std::find(rest.begin(), rest.end(), part);
            if (found == rest.end()) {
                return false;
            }
            rest.erase(found);
            return true;
        });
        const bool known = holdsAll && std::all_of(rest.begin(), rest.end(), [&](std::string_view part) {
            return form.word(part) != nullptr;
        });
        if (!known) {
            continue;
        }
        best = form.mnemonic;
        for (const auto part : rest) {
            best += part;
        }
        bestParts = name.size();
    }
    return best == opcode ? std::string() : best;
}

std::optional<Remedy> order(const Cause& cause, const FixContext& context)
{
    const auto forms = FormsTable::shared();
    if (!forms || !cause.root->line) {
        return std::nullopt;
    }
    const auto& code = context.code;
    const int line = *cause.root->line;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (!statement || statement->opcodeFirst != i) {
            continue;
        }
        const auto better = inOrder(statement->opcode, **forms);
        if (better.empty()) {
            continue;
        }
        auto end = i + 1;
        while (end < code.size() && code[end].offset < code[i].offset + statement->opcode.size()) {
            ++end;
        }
        return Remedy{.explanation = "The parts of the opcode stand in another order than ptxas takes them.",
            .fixes = {
                {.title = fmt::format("Write {}", better), .edits = {code.replaceTokens(i, end, better)}}}};
    }
    return std::nullopt;
}

// threadIdx.x of CUDA C++ is %tid.x; so are tid.x and %threadIdx.x.
std::optional<Remedy> specialRegister(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto symbol = quotedText(cause.root->message);
    auto name = std::string(aliasOfSpecialRegister(symbol));
    const bool isJoined = name.empty() && symbol.size() > 4
        && (symbol.ends_with('x') || symbol.ends_with('y') || symbol.ends_with('z'));
    if (isJoined) { // %tid_x, threadIdxX
        auto bare = symbol.substr(0, symbol.size() - 1);
        bare = bare.ends_with('_') ? bare.substr(0, bare.size() - 1) : bare;
        const auto base = aliasOfSpecialRegister(bare);
        const bool isVector = base == "%tid" || base == "%ntid" || base == "%ctaid" || base == "%nctaid"
            || base == "%clusterid" || base == "%nclusterid" || base == "%cluster_ctaid"
            || base == "%cluster_nctaid";
        name = isVector ? fmt::format("{}.{}", base, symbol.back()) : std::string();
    }
    if (name.empty() || name == symbol) {
        return std::nullopt;
    }
    Remedy made{.explanation = fmt::format("PTX calls this special register {}.", name)};
    Fix fix{.title = fmt::format("Change {} to {}", symbol, name)};
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.text(i) == symbol) {
            fix.edits.push_back(code.replaceTokens(i, i + 1, name));
        }
    }
    if (!fix.edits.empty()) {
        made.fixes.push_back(std::move(fix));
    }
    return made;
}

// The lexer takes `#` for a line marker: 0 where the line does not begin with one.
int columnOfHash(std::string_view source, int line)
{
    std::size_t at = 0;
    for (int i = 1; i < line && at < source.size(); ++i) {
        at = std::min(source.find('\n', at), source.size() - 1) + 1;
    }
    const auto first = source.find_first_not_of(" \t", at);
    return first < source.size() && source[first] == '#' ? static_cast<int>(first - at) + 1 : 0;
}

// `# comment`, and `%%tid.x` of a text that stood within asm("...").
std::optional<Remedy> foreignSign(const Cause& cause, const FixContext& context, std::string_view near)
{
    const auto& code = context.code;
    const int line = *cause.root->line;
    if (near == "#") {
        const int column = columnOfHash(code.source(), line);
        return column == 0 ? std::nullopt
                           : std::optional(Remedy{.explanation = "A comment of PTX begins with //.",
                               .fixes = {{.title = "Change # to //",
                                   .edits = {{.line = line,
                                       .startColumn = column,
                                       .endLine = line,
                                       .endColumn = column + 1,
                                       .text = "//"}}}}});
    }
    if (near != "%") {
        return std::nullopt;
    }
    Fix fix{.title = "Change %% to %"};
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        if (code.text(i) == "%" && code.text(i + 1).starts_with('%')
            && code[i].offset + 1 == code[i + 1].offset) {
            fix.edits.push_back(code.replaceTokens(i, i + 1, ""));
        }
    }
    if (fix.edits.empty()) {
        return std::nullopt;
    }
    return Remedy{.explanation =
                      "%% is a percent sign within asm(\"...\") of CUDA C++; in a file of PTX it is "
                      "written once.",
        .fixes = {std::move(fix)}};
}

bool endsOperand(const CodeText& code, std::size_t i)
{
    const auto kind = code[i].kind;
    return kind == TokenKind::Register || kind == TokenKind::Number || kind == TokenKind::SpecialRegister
        || code.text(i) == "]" || (code.text(i) == "}" && code.isOperandBrace(i));
}

// `%t %t` is one word too many where the statement has all its operands without it, else a comma too few.
bool isDoubled(const CodeText& code, std::size_t i)
{
    const auto forms = FormsTable::shared();
    const auto statement = code.statementAt(i);
    const auto* form = forms && statement ? (*forms)->find(statement->opcode) : nullptr;
    return form == nullptr || form->maxOperands < 0
        || static_cast<int>(statement->operands.size()) >= form->minOperands;
}

// Two operands side by side: no statement begins with the second.
std::optional<Remedy> missingComma(const Cause& cause, const FixContext& context, std::string_view near)
{
    const auto& code = context.code;
    const int line = *cause.root->line;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const bool isNear = code.text(i) == near
            || (code[i].kind == TokenKind::SpecialRegister && code.text(i).starts_with(near));
        if (!isNear || i == 0) {
            continue;
        }
        const bool begins = code[i].kind == TokenKind::Register || code[i].kind == TokenKind::Number
            || code[i].kind == TokenKind::SpecialRegister || near == "[";
        const bool apart = code[i - 1].offset + code[i - 1].length < code[i].offset;
        if (!begins || !apart || !endsOperand(code, i - 1)) {
            continue;
        }
        if (code.text(i - 1) == near && isDoubled(code, i)) {
            return Remedy{.explanation = fmt::format("'{}' stands here twice.", near),
                .fixes = {{.title = fmt::format("Remove the second {}", near),
                    .edits = {code.replaceTokens(i, i + 1, "")}}}};
        }
        Remedy made{
            .explanation = fmt::format("No comma stands between '{}' and '{}'.", code.text(i - 1), near),
            .fixes = {{.title = fmt::format("Insert ',' before {}", near),
                .edits = {code.insertBehind(i - 1, ",")}}}};
        if (code.line(i - 1) != line) {
            made.explanation =
                fmt::format("Found by the workbench: ptxas reads on and blames line {}, where it "
                            "meets '{}'.",
                    line, near);
            made.betterRoot = Diagnostic{.severity = Severity::Error,
                .message = fmt::format("',' is missing behind '{}'", code.text(i - 1)),
                .file = std::string(context.displayName),
                .line = code.line(i - 1),
                .column = code.column(i - 1),
                .endColumn = code.endColumn(i - 1),
                .tool = "ptxwb"};
        }
        return made;
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfWords(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (!cause.root->line || context.code.size() == 0) {
        return std::nullopt;
    }
    if (message.starts_with("Unknown symbol")) {
        return specialRegister(cause, context);
    }
    if (message.starts_with("Unknown modifier") || message.starts_with("Not a name of any")) {
        return order(cause, context);
    }
    if (message.starts_with("Parsing error near ")) {
        const auto near = quotedText(message);
        if (auto remedy = foreignSign(cause, context, near)) {
            return remedy;
        }
        return missingComma(cause, context, near);
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
