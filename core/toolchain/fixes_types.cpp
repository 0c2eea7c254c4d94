// SPDX-License-Identifier: Apache-2.0
// Types of an opcode: the one that an instruction has, `.bf16x2` for a conversion of two numbers; and bits of
// a float with too few digits.
#include "core/ptx/forms_table.h"
#include "core/ptx/vocabulary.h"
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace ptxwb::detail {

namespace {

struct Opcode {
    PtxStatement statement{};
    std::size_t last = 0; ///< token of the opcode
};

std::optional<Opcode> opcodeOn(const CodeText& code, int line, std::string_view name)
{
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (!statement || statement->opcodeFirst != i || !statement->opcode.starts_with(name)) {
            continue;
        }
        const auto end = code[i].offset + statement->opcode.size();
        auto last = i;
        while (last + 1 < code.size() && code[last + 1].offset < end) {
            ++last;
        }
        return Opcode{.statement = std::move(*statement), .last = last};
    }
    return std::nullopt;
}

// `mbarrier.init.b32`: the only type that the instruction has.
std::optional<Remedy> onlyType(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto name = quotedText(cause.root->message);
    const auto opcode = opcodeOn(code, *cause.root->line, name);
    const auto forms = FormsTable::shared();
    const auto* form = opcode && forms ? (*forms)->find(opcode->statement.opcode) : nullptr;
    if (form == nullptr) {
        return std::nullopt;
    }
    std::vector<std::string_view> types;
    for (const auto& [word, need] : form->words) {
        if (isPtxTypeWord(word)) {
            types.push_back(word);
        }
    }
    if (types.size() != 1) {
        return std::nullopt;
    }
    Remedy made{.explanation = fmt::format("{} has one type: {}.", form->mnemonic, types.front())};
    for (auto i = opcode->statement.opcodeFirst; i <= opcode->last; ++i) {
        if (code[i].kind == TokenKind::Type && code.text(i) != types.front()) {
            made.fixes.push_back({.title = fmt::format("Change {} to {}", code.text(i), types.front()),
                .edits = {code.replaceTokens(i, i + 1, std::string(types.front()))}});
            return made;
        }
    }
    made.fixes.push_back({.title = fmt::format("Insert {}", types.front()),
        .edits = {code.insertBehind(opcode->last, std::string(types.front()))}});
    return made;
}

// `cvt.rn.bf16.f32 %r1, %f1, %f2`: two numbers make a pair.
std::optional<Remedy> pairOfConversion(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto opcode = opcodeOn(code, *cause.root->line, "cvt.");
    if (!opcode) {
        return std::nullopt;
    }
    const auto operands = opcode->statement.operands.size();
    for (auto i = opcode->statement.opcodeFirst; i <= opcode->last; ++i) {
        const auto word = code.text(i);
        const bool isSingle = word == ".bf16" || word == ".f16";
        const bool isPair = word == ".bf16x2" || word == ".f16x2";
        if (operands == 3 && isSingle) {
            const auto pair = fmt::format("{}x2", word);
            return Remedy{
                .explanation = fmt::format("Two numbers become one register as a pair: {}. The first "
                                           "source is its upper half.",
                    pair),
                .fixes = {{.title = fmt::format("Change {} to {}", word, pair),
                    .edits = {code.replaceTokens(i, i + 1, pair)}}}};
        }
        if (operands == 2 && isPair && code.text(i + 1) == ".f32") {
            const auto single = std::string(word.substr(0, word.size() - 2));
            return Remedy{.explanation = fmt::format("{} takes two sources, the upper half first. One number "
                                                     "becomes {}, in a register of 16 bits.",
                              word, single),
                .fixes = {{.title = fmt::format("Change {} to {}", word, single),
                    .edits = {code.replaceTokens(i, i + 1, single)}}}};
        }
        if (isSingle || isPair) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

// `0fFF8000`: 0f takes 8 digits, 0d 16.
std::optional<Remedy> bitsOfFloat(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const int line = *cause.root->line;
    const auto near = quotedText(cause.root->message);
    const auto source = code.source();
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto start = code[i].offset;
        const auto head = source.substr(start, 2);
        const bool isFloat = head == "0f" || head == "0F";
        if (!isFloat && head != "0d" && head != "0D") {
            continue;
        }
        std::size_t end = start + 2;
        while (end < source.size() && std::isxdigit(static_cast<unsigned char>(source[end])) != 0) {
            ++end;
        }
        const auto whole = source.substr(start, end - start);
        std::string digits(whole.substr(2));
        const std::size_t wanted = isFloat ? 8 : 16;
        if (digits.size() == wanted || (near != whole.substr(1) && !whole.ends_with(near))) {
            continue;
        }
        auto last = i;
        while (last < code.size() && code[last].offset < end) {
            ++last;
        }
        Remedy made{.explanation = fmt::format("Behind {} stand {} hexadecimal digits; here are {}.",
                        whole.substr(0, 2), wanted, digits.size())};
        std::string better;
        if (!isFloat && digits.size() == 8) {
            better = "0f" + digits;
        } else if (digits.size() > wanted && digits.find_first_not_of('0', wanted) == std::string::npos) {
            better = std::string(whole.substr(0, 2 + wanted));
        } else if (digits.size() < wanted && digits.size() > 1) {
            better = std::string(whole) + std::string(wanted - digits.size(), '0');
        }
        made.betterRoot = ownError(context, fmt::format("{} is no number", whole), i);
        made.betterRoot->endColumn = code.endColumn(last - 1);
        if (!better.empty()) {
            made.fixes.push_back(
                {.title = fmt::format("Write {}", better), .edits = {code.replaceTokens(i, last, better)}});
        }
        return made;
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfType(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (!cause.root->line || context.code.size() == 0) {
        return std::nullopt;
    }
    if (message.starts_with("Unexpected instruction types")) {
        return onlyType(cause, context);
    }
    if (message.starts_with("Arguments mismatch for instruction 'cvt")) {
        return pairOfConversion(cause, context);
    }
    return message.starts_with("Parsing error near ") ? bitsOfFloat(cause, context) : std::nullopt;
}

} // namespace ptxwb::detail
