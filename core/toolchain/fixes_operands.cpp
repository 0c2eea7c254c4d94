// SPDX-License-Identifier: Apache-2.0
// Operands that do not fit their instruction: another width, no brackets, a list of another length.
#include "core/ptx/forms_table.h"
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/register_declarations.h"
#include "core/toolchain/use_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace ptxwb::detail {

namespace {

std::string_view rootOf(std::string_view opcode)
{
    return opcode.substr(0, opcode.find('.'));
}

// The statement on the line whose opcode the message names.
std::optional<PtxStatement> namedStatement(const Diagnostic& said, const CodeText& code, int quoted = 0)
{
    auto name = quotedText(said.message, quoted);
    name = name.substr(0, name.find(' '));
    const int line = said.line.value_or(0);
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (statement && statement->opcode.starts_with(name)) {
            return statement;
        }
    }
    return std::nullopt;
}

// Whether every register of the statement fits what the opcode, written so, wants of it.
bool fitsAll(const PtxStatement& statement, std::string_view opcode, const CodeText& code,
    const RegisterDeclarations& registers)
{
    auto tried = statement;
    tried.opcode = opcode;
    bool any = false;
    for (const auto& [first, end] : statement.operands) {
        for (auto i = first; i < end; ++i) {
            const auto* declaration = registers.find(i);
            if (declaration == nullptr) {
                continue;
            }
            any = true;
            if (!fitsKind(registerKindOf(code.text(declaration->type)),
                    registerKindOf(registerTypeAt(code, tried, i)))) {
                return false;
            }
        }
    }
    return any;
}

struct OpcodeChange {
    std::size_t token = 0; ///< of the word
    std::string word{};
};

// One word of the opcode that, changed, fits the registers as they are declared.
std::optional<OpcodeChange> betterWord(
    const PtxStatement& statement, const CodeText& code, const RegisterDeclarations& registers)
{
    const auto root = rootOf(statement.opcode);
    constexpr std::array<std::string_view, 20> judged{"add", "sub", "mul", "mad", "min", "max", "and", "or",
        "xor", "not", "neg", "abs", "rem", "div", "fma", "mov", "setp", "selp", "shl", "shr"};
    if (std::find(judged.begin(), judged.end(), root) == judged.end()) {
        return std::nullopt;
    }
    std::vector<OpcodeChange> fitting;
    int types = 0;
    const auto opcodeEnd = code[statement.opcodeFirst].offset + statement.opcode.size();
    for (auto i = statement.opcodeFirst + 1; i < code.size() && code[i].offset < opcodeEnd; ++i) {
        const auto attempt = [&](std::string word) {
            std::string opcode(statement.opcode);
            opcode.replace(code[i].offset - code[statement.opcodeFirst].offset, code[i].length, word);
            if (word != code.text(i) && fitsAll(statement, opcode, code, registers)) {
                fitting.push_back({i, std::move(word)});
            }
        };
        const auto word = code.text(i);
        if (word == ".lo") {
            attempt(".wide");
        }
        if (code[i].kind != TokenKind::Type) {
            continue;
        }
        ++types;
        if (word.starts_with(".bf") || word.ends_with("x2")) {
            continue; // formats have no other widths
        }
        for (const char* bits : {"16", "32", "64"}) {
            attempt(fmt::format(".{}{}", word[1], bits));
        }
        if (root == "and" || root == "or" || root == "xor" || root == "not" || root == "mov") {
            attempt(".pred");
        }
    }
    return fitting.size() == 1 && types == 1 ? std::optional(fitting.front()) : std::nullopt;
}

// The operand that must be an address.
std::optional<std::size_t> addressOperand(std::string_view opcode)
{
    const auto root = rootOf(opcode);
    if (root == "ld" || root == "ldu" || root == "ldmatrix" || root == "atom") {
        return 1;
    }
    if (root == "st" || root == "red" || root == "prefetch" || root == "stmatrix") {
        return 0;
    }
    if (opcode.starts_with("mbarrier.init") || opcode.starts_with("mbarrier.inval")
        || opcode.starts_with("mbarrier.expect_tx")) {
        return 0;
    }
    return opcode.starts_with("mbarrier.") ? std::optional<std::size_t>(1) : std::nullopt;
}

std::string textOf(const CodeText& code, std::pair<std::size_t, std::size_t> operand)
{
    const auto from = code[operand.first].offset;
    const auto to = code[operand.second - 1].offset + code[operand.second - 1].length;
    return std::string(code.source().substr(from, to - from));
}

// One is missing then, and no order or shape of the others is right.
bool lacksOperands(const PtxStatement& statement)
{
    const auto forms = FormsTable::shared();
    const auto* form = forms ? (*forms)->find(statement.opcode) : nullptr;
    return form != nullptr
        && statement.operands.size() < static_cast<std::size_t>(std::max(form->minOperands, 0));
}

// `st.global.f32 %f4, [%rd1]`: the address stands where the value belongs.
std::optional<Fix> swapped(const PtxStatement& statement, const CodeText& code)
{
    const auto place = addressOperand(statement.opcode);
    if (!place || *place > 1 || statement.operands.size() < 2) {
        return std::nullopt;
    }
    const auto address = statement.operands[*place];
    const auto other = statement.operands[1 - *place];
    if (code.text(address.first) == "[" || code.text(other.first) != "[") {
        return std::nullopt;
    }
    if (lacksOperands(statement) || (*place == 1 && code[address.first].kind == TokenKind::Number)) {
        return std::nullopt;
    }
    const auto first = textOf(code, statement.operands[1]);
    const auto second = textOf(code, statement.operands[0]);
    return Fix{.title = fmt::format("Swap the operands: {}, {}", first, second),
        .edits = {code.replaceTokens(statement.operands[0].first, statement.operands[1].second,
            fmt::format("{}, {}", first, second))}};
}

std::optional<Fix> brackets(const PtxStatement& statement, const CodeText& code)
{
    const auto place = addressOperand(statement.opcode);
    if (!place || *place >= statement.operands.size() || lacksOperands(statement)) {
        return std::nullopt;
    }
    const auto [first, end] = statement.operands[*place];
    const bool bare = end > first && code.text(first) != "[" && code.text(first) != "{"
        && (code[first].kind == TokenKind::Register || code[first].kind == TokenKind::Identifier);
    if (!bare) {
        return std::nullopt;
    }
    const auto from = code[first].offset;
    const auto to = code[end - 1].offset + code[end - 1].length;
    const auto text = std::string(code.source().substr(from, to - from));
    return Fix{.title = fmt::format("Write [{}]", text),
        .edits = {code.replaceTokens(first, end, "[" + text + "]")}};
}

std::optional<Remedy> mismatch(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto statement = namedStatement(*cause.root, code);
    if (!statement) {
        return std::nullopt;
    }
    if (auto fix = swapped(*statement, code)) {
        const bool isLoad = addressOperand(statement->opcode) == std::size_t{1};
        return Remedy{.explanation = isLoad
                ? "The result of a load is the first operand, the address in brackets the second."
                : "The address in brackets is the first operand of a store, the value the second.",
            .fixes = {std::move(*fix)}};
    }
    if (auto fix = brackets(*statement, code)) {
        return Remedy{.explanation = "An address stands in brackets; without them the name is a value.",
            .fixes = {std::move(*fix)}};
    }
    if (const auto better = betterWord(*statement, code, context.declarations())) {
        Remedy made{.explanation = explanationOf(*cause.root, context)};
        made.fixes.push_back({.title = fmt::format("Change {} to {}", code.text(better->token), better->word),
            .edits = {code.replaceTokens(better->token, better->token + 1, better->word)}});
        return made;
    }
    return std::nullopt;
}

int numberBehind(std::string_view text, char letter)
{
    // The shape word: ".m64n256k16".
    const auto shape = text.find(".m64n");
    const auto at = shape == std::string_view::npos ? shape : text.find(letter, shape + 1);
    int value = 0;
    if (at != std::string_view::npos) {
        std::from_chars(text.data() + at + 1, text.data() + text.size(), value);
    }
    return value;
}

struct Series {
    std::string prefix{};
    int last = 0;
};

// %acc0 ... %acc123 in order: what would come next.
std::optional<Series> seriesOf(const CodeText& code, std::size_t first, std::size_t end)
{
    Series made;
    int wanted = -1;
    for (auto i = first + 1; i + 1 < end; i += 2) {
        const auto name = code.text(i);
        const auto digits = name.find_last_not_of("0123456789") + 1;
        int index = -1;
        std::from_chars(name.data() + std::min(digits, name.size()), name.data() + name.size(), index);
        const bool follows = wanted < 0 || (index == wanted && name.substr(0, digits) == made.prefix);
        if (index < 0 || !follows) {
            return std::nullopt;
        }
        made = {.prefix = std::string(name.substr(0, digits)), .last = index};
        wanted = index + 1;
    }
    return wanted < 0 ? std::nullopt : std::optional(made);
}

// "Argument vector size mismatch for instruction 'wgmma.mma_async with floating point types'"
std::optional<Remedy> accumulators(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto statement = namedStatement(*cause.root, code);
    if (!statement || !statement->opcode.starts_with("wgmma.mma_async") || statement->operands.empty()) {
        return std::nullopt;
    }
    const auto [first, end] = statement->operands.front();
    const int columns = numberBehind(statement->opcode, 'n');
    if (columns == 0 || code.text(first) != "{") {
        return std::nullopt;
    }
    const bool half = statement->opcode.find(".f16.f16.f16") != std::string_view::npos
        || statement->opcode.find(".f16.e") != std::string_view::npos;
    const int wanted = half ? columns / 4 : columns / 2;
    const auto here = static_cast<int>((end - first) / 2);
    if (wanted == here) {
        return std::nullopt;
    }
    Remedy made{.explanation = fmt::format("A tile of 64 x {} has {} registers of D in each of the 128 "
                                           "threads; here are {}.",
                    columns, wanted, here)};
    const auto series = seriesOf(code, first, end);
    if (series && wanted > here) {
        const auto* declaration = context.declarations().find(first + 1);
        const int lastWanted = series->last + wanted - here;
        if (declaration != nullptr && declaration->count > lastWanted) {
            std::string more;
            for (int i = series->last + 1; i <= lastWanted; ++i) {
                more += fmt::format(", {}{}", series->prefix, i);
            }
            made.fixes.push_back({.title = fmt::format("Add {}{} to {}{}", series->prefix, series->last + 1,
                                      series->prefix, lastWanted),
                .edits = {code.insertBehind(end - 2, more)}});
        }
    } else if (series && wanted < here) {
        const auto from = first + 1 + 2 * static_cast<std::size_t>(wanted) - 1; // the comma
        made.fixes.push_back({.title = fmt::format("Remove the last {} registers", here - wanted),
            .edits = {code.replaceTokens(from, end - 1, "")}});
    }
    return made;
}

// `{%s0, %s1, %s3}`: the register that the series lacks, or that would come next.
std::optional<Remedy> oneRegisterShort(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto statement = namedStatement(*cause.root, code);
    if (!statement) {
        return std::nullopt;
    }
    for (const auto& [first, end] : statement->operands) {
        std::optional<std::pair<std::size_t, int>> lacking; // behind which token, which number
        std::string prefix;
        int last = -1;
        bool isSeries = first < end && code.text(first) == "{" && end > first + 2;
        for (auto i = first + 1; isSeries && i + 1 < end; i += 2) {
            const auto name = code.text(i);
            const auto digits = name.find_last_not_of("0123456789") + 1;
            int index = -1;
            std::from_chars(name.data() + std::min(digits, name.size()), name.data() + name.size(), index);
            const bool isFirst = i == first + 1;
            const bool isGap = !isFirst && index == last + 2 && !lacking;
            isSeries = index >= 0 && (isFirst || isGap || index == last + 1)
                && (isFirst || name.substr(0, digits) == prefix);
            lacking = isGap ? std::optional(std::pair(i - 2, last + 1)) : lacking;
            prefix = name.substr(0, digits);
            last = index;
        }
        if (!isSeries) {
            continue;
        }
        const auto [behind, number] = lacking.value_or(std::pair(end - 2, last + 1));
        const auto name = fmt::format("{}{}", prefix, number);
        if (context.declarations().findName(name, first) == nullptr) {
            return std::nullopt;
        }
        return Remedy{.explanation = fmt::format("The braces hold {} registers, another number than the "
                                                 "shape and the .x count of the opcode need.",
                          (end - first) / 2),
            .fixes = {{.title = fmt::format("Insert {}", name),
                .edits = {code.insertBehind(behind, fmt::format(", {}", name))}}}};
    }
    return std::nullopt;
}

// "Argument 5 of instruction 'wgmma...'": counted from 0; the coordinates of a tensor map count for
// themselves.
std::optional<Remedy> argumentElsewhere(const Cause& cause, const FixContext& context)
{
    const auto& said = *cause.root;
    constexpr std::string_view shape = "Argument ";
    int wanted = -1;
    std::from_chars(said.message.data() + shape.size(), said.message.data() + said.message.size(), wanted);
    const auto& code = context.code;
    const auto statement = namedStatement(said, code);
    if (wanted < 0 || !statement) {
        return std::nullopt;
    }
    std::vector<std::size_t> arguments;
    for (const auto& [first, end] : statement->operands) {
        arguments.push_back(first);
        for (auto i = first + 1; code.text(first) == "[" && i < end; ++i) {
            if (code.text(i) == "{") {
                arguments.push_back(i);
            }
        }
    }
    if (static_cast<std::size_t>(wanted) >= arguments.size()) {
        return std::nullopt;
    }
    const auto at = arguments[static_cast<std::size_t>(wanted)];
    if (code.line(at) == said.line) {
        return std::nullopt;
    }
    Remedy made{.explanation = explanationOf(said, context)};
    made.betterRoot = Diagnostic{.severity = said.severity,
        .message = said.message,
        .file = said.file,
        .line = code.line(at),
        .column = code.column(at),
        .endColumn = code.endColumn(at),
        .tool = "ptxwb"};
    made.explanation += fmt::format("{}The instruction begins in line {}; this operand stands here.",
        made.explanation.empty() ? "" : " ", *said.line);
    return made;
}

} // namespace

std::optional<Remedy> remedyOfOperands(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (!cause.root->line) {
        return std::nullopt;
    }
    if (message.starts_with("Arguments mismatch")) {
        return mismatch(cause, context);
    }
    if (message.starts_with("Argument vector size mismatch")) {
        return accumulators(cause, context);
    }
    if (message.find("vector size mismatch") != std::string_view::npos) {
        return oneRegisterShort(cause, context);
    }
    return message.starts_with("Argument ") ? argumentElsewhere(cause, context) : std::nullopt;
}

} // namespace ptxwb::detail
