// SPDX-License-Identifier: Apache-2.0
// Opcodes with a word twice, or without one that they need: a type that the registers tell, .sync, .aligned.
#include "core/ptx/forms_table.h"
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/register_declarations.h"
#include "core/toolchain/word_aliases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxwb::detail {

namespace {

bool holds(std::string_view text, std::string_view words)
{
    return text.find(words) != std::string_view::npos;
}

bool isInstruction(const FixContext& context, std::string_view word)
{
    const auto& all = context.isa->instructions();
    return std::any_of(all.begin(), all.end(), [&](const IsaInstruction& one) {
        return one.mnemonic == word
            || std::string_view(one.mnemonic).substr(0, one.mnemonic.find('.')) == word;
    });
}

Remedy removeSecond(const CodeText& code, std::size_t i)
{
    const auto word = code.text(i);
    return Remedy{.explanation = fmt::format("'{}' stands here twice.", word),
        .fixes = {{.title = fmt::format("Remove the second {}", word),
            .edits = {code.replaceTokens(i, i + 1, "")}}}};
}

enum class Doubled { Instruction, Type, Word };

// `mov mov.f32`, `.f32 .f32` where one is meant: neighbours with the same text. `only`: the word, if it is
// known.
std::optional<Remedy> doubled(const FixContext& context, int line, Doubled what, std::string_view only = {})
{
    const auto& code = context.code;
    for (auto i = std::max<std::size_t>(code.firstOnLine(line), 1); i < code.size() && code.line(i) == line;
         ++i) {
        const auto word = code.text(i);
        const bool isOnly = only.empty() || word == only;
        if (word != code.text(i - 1) || code.line(i - 1) != line || word.size() < 2 || !isOnly) {
            continue;
        }
        const bool isType = code[i].kind == TokenKind::Type;
        const bool isWanted = what == Doubled::Instruction ? isInstruction(context, word)
            : what == Doubled::Type                        ? isType
                                    : word.front() == '.' && !isType && aliasOfModifier(word).empty();
        if (isWanted) {
            return removeSecond(code, i);
        }
    }
    return std::nullopt;
}

std::optional<PtxStatement> statementOn(const CodeText& code, int line, std::string_view name)
{
    name = name.substr(0, name.find(' '));
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (statement && statement->opcode.starts_with(name)) {
            return statement;
        }
    }
    return std::nullopt;
}

std::size_t lastOfOpcode(const CodeText& code, const PtxStatement& statement)
{
    const auto end = code[statement.opcodeFirst].offset + statement.opcode.size();
    auto last = statement.opcodeFirst;
    while (last + 1 < code.size() && code[last + 1].offset < end) {
        ++last;
    }
    return last;
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

// More types than the instruction has: one, and more for what converts or multiplies matrices.
bool hasTypesTooMany(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto statement = statementOn(code, *cause.root->line, quotedText(cause.root->message));
    if (!statement) {
        return false;
    }
    const auto root = statement->opcode.substr(0, statement->opcode.find('.'));
    const int wanted = root == "wgmma"   ? 3
        : isOneOf(root, {"mma", "wmma"}) ? 4
        : isOneOf(root, {"cvt", "set"})  ? 2
                                         : 1;
    int types = 0;
    const auto last = lastOfOpcode(code, *statement);
    for (auto i = statement->opcodeFirst; i <= last; ++i) {
        types += code[i].kind == TokenKind::Type ? 1 : 0;
    }
    return types > wanted;
}

// The type that the declared registers of the operands give; empty where they do not, or the sign would
// matter.
std::string typeOfRegisters(
    const PtxStatement& statement, const CodeText& code, const RegisterDeclarations& registers)
{
    const auto root = statement.opcode.substr(0, statement.opcode.find('.'));
    const auto rest = statement.opcode.substr(root.size());
    std::optional<RegisterKind> found;
    for (std::size_t k = 0; k < statement.operands.size(); ++k) {
        const auto [first, end] = statement.operands[k];
        const bool isResultOfSetp = root == "setp" && k == 0;
        if (isResultOfSetp || end != first + 1) {
            continue;
        }
        const auto* declared = registers.find(first);
        if (declared == nullptr) {
            continue;
        }
        const auto kind = registerKindOf(code.text(declared->type));
        if (found && (found->bits != kind.bits || found->kind != kind.kind)) {
            return {};
        }
        found = kind;
    }
    if (!found || found->kind == '?') {
        return {};
    }
    const bool anySign = isOneOf(root, {"add", "sub"})
        || (isOneOf(root, {"mul", "mad"}) && holds(rest, ".lo"))
        || (root == "setp" && (holds(rest, ".eq") || holds(rest, ".ne")));
    const bool isUntyped =
        isOneOf(root, {"mov", "ld", "st", "and", "or", "xor", "not", "shl", "selp", "ldu"});
    if (found->kind == 'f') {
        return isOneOf(root, {"and", "or", "xor", "not", "shl"}) ? std::string()
                                                                 : fmt::format(".f{}", found->bits);
    }
    if (found->kind == 'p') {
        return isOneOf(root, {"mov", "and", "or", "xor", "not"}) ? ".pred" : "";
    }
    return isUntyped ? fmt::format(".b{}", found->bits)
                     : (anySign ? fmt::format(".u{}", found->bits) : std::string());
}

// "Unexpected instruction types specified for 'mov'"
std::optional<Remedy> missingType(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto statement = statementOn(code, *cause.root->line, quotedText(cause.root->message));
    if (!statement) {
        return std::nullopt;
    }
    const auto last = lastOfOpcode(code, *statement);
    for (auto i = statement->opcodeFirst; i <= last; ++i) {
        if (code[i].kind == TokenKind::Type) {
            return std::nullopt; // it has one
        }
    }
    Remedy made{.explanation = fmt::format("The opcode {} names no type.", statement->opcode)};
    if (const auto type = typeOfRegisters(*statement, code, context.declarations()); !type.empty()) {
        made.explanation += fmt::format(" Its registers are of {}.", type);
        made.fixes.push_back({.title = fmt::format("Write {}{}", statement->opcode, type),
            .edits = {code.insertBehind(last, type)}});
    }
    return made;
}

// `shl.u32` is shl.b32, `and.s64` is and.b64.
std::optional<Remedy> untypedOnly(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto statement = statementOn(code, *cause.root->line, quotedText(cause.root->message));
    const auto root =
        statement ? statement->opcode.substr(0, statement->opcode.find('.')) : std::string_view{};
    if (!statement || !isOneOf(root, {"shl", "and", "or", "xor", "not", "cnot", "popc", "clz", "brev"})) {
        return std::nullopt;
    }
    const auto last = lastOfOpcode(code, *statement);
    const auto type = code.text(last);
    const bool isSigned = type.size() > 2 && (type[1] == 'u' || type[1] == 's');
    if (code[last].kind != TokenKind::Type || !isSigned) {
        return std::nullopt;
    }
    const auto better = fmt::format(".b{}", type.substr(2));
    return Remedy{.explanation = fmt::format("{} works on bits: its types are .b16, .b32 and .b64.", root),
        .fixes = {{.title = fmt::format("Change {} to {}", type, better),
            .edits = {code.replaceTokens(last, last + 1, better)}}}};
}

// ".aligned modifier required for instruction 'stmatrix'", ".approx modifier required for instruction 'ex2'"
std::optional<Remedy> requiredWord(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    const auto word = message.substr(0, message.find(' '));
    const auto& code = context.code;
    const auto statement = statementOn(code, *cause.root->line, quotedText(message));
    if (!statement || !isOneOf(word, {".sync", ".aligned", ".approx", ".num"})) {
        return std::nullopt;
    }
    const auto last = lastOfOpcode(code, *statement);
    auto behind = statement->opcodeFirst;
    std::string inserted(word);
    for (auto i = statement->opcodeFirst; i <= last; ++i) {
        const auto part = code.text(i);
        behind = (word == ".aligned" && part == ".sync") || (word == ".num" && part == ".m8n8") ? i : behind;
    }
    if (word == ".num") {
        const bool isMatrix =
            isOneOf(statement->opcode.substr(0, statement->opcode.find('.')), {"ldmatrix", "stmatrix"});
        const std::size_t place = statement->opcode.starts_with("st") ? 1 : 0;
        if (!isMatrix || place >= statement->operands.size()) {
            return std::nullopt;
        }
        const auto [first, end] = statement->operands[place];
        const auto count = code.text(first) == "{" ? (end - first) / 2 : 1;
        if (count != 1 && count != 2 && count != 4) {
            return std::nullopt;
        }
        inserted = fmt::format(".x{}", count);
    }
    const auto forms = FormsTable::shared();
    const auto* form = forms ? (*forms)->find(statement->opcode) : nullptr;
    if (word == ".sync" && form != nullptr && form->word(".aligned") != nullptr
        && !holds(statement->opcode, ".aligned")) {
        inserted = ".sync.aligned"; // ptxas does not ask for it always, the manual does
    }
    return Remedy{.explanation = fmt::format("{} is incomplete without {}.", statement->opcode, inserted),
        .fixes = {
            {.title = fmt::format("Insert {}", inserted), .edits = {code.insertBehind(behind, inserted)}}}};
}

} // namespace

std::optional<Remedy> remedyOfOpcode(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (!cause.root->line || context.isa == nullptr || context.code.size() == 0) {
        return std::nullopt;
    }
    const int line = *cause.root->line;
    if (message.starts_with("Unknown field") || message.starts_with("Parsing error near ")) {
        return doubled(context, line, Doubled::Instruction);
    }
    if (holds(message, "Unexpected instruction types")) {
        if (hasTypesTooMany(cause, context)) {
            return doubled(context, line, Doubled::Type);
        }
        if (auto remedy = untypedOnly(cause, context)) {
            return remedy;
        }
        return missingType(cause, context);
    }
    if (message.starts_with("Unknown modifier")) {
        return doubled(context, line, Doubled::Word, quotedText(message));
    }
    if (message.starts_with("Duplicate .") || message.starts_with("Multiple ")
        || message.starts_with("Unexpected number of state spaces")) {
        return doubled(context, line, Doubled::Word);
    }
    return holds(message, " modifier required for instruction") ? requiredWord(cause, context) : std::nullopt;
}

} // namespace ptxwb::detail
