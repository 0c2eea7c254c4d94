// SPDX-License-Identifier: Apache-2.0
// "Unknown symbol": a register that nobody declared, or a name written wrong.
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/use_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace ptxwb::detail {

namespace {

struct Use {
    std::size_t token = 0;
    std::optional<PtxStatement> statement{};
};

std::vector<Use> usesOf(const Cause& cause, const CodeText& code, std::string_view symbol)
{
    std::vector<Use> uses;
    std::set<int> lines;
    for (const auto* said : cause.members) {
        if (said->line && quotedText(said->message) == symbol) {
            lines.insert(*said->line);
        }
    }
    for (const int line : lines) {
        for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
            if (code.text(i) == symbol) {
                uses.push_back({i, code.statementAt(i)});
            }
        }
    }
    return uses;
}

// Where a name is no register: behind a branch or call, or bare within an address.
bool mayBeRegister(std::string_view symbol, const Use& use, const CodeText& code)
{
    if (symbol.starts_with('%')) {
        return true;
    }
    const auto opcode = use.statement ? use.statement->opcode : std::string_view{};
    const bool control = opcode.starts_with("bra") || opcode.starts_with("brx") || opcode.starts_with("call");
    return !opcode.empty() && !control && (use.token == 0 || code.text(use.token - 1) != "[")
        && use.token >= use.statement->opcodeFirst;
}

struct Range {
    std::size_t number = 0; ///< token of the count in %r<9>
    int count = 0;
};

// A declared range whose name the symbol would belong to if it were longer.
std::optional<Range> rangeFor(const CodeText& code, std::string_view symbol, int fromLine, int toLine)
{
    const auto digits = symbol.find_last_not_of("0123456789") + 1;
    int index = 0;
    if (digits == symbol.size() || digits == 0
        || std::from_chars(symbol.data() + digits, symbol.data() + symbol.size(), index).ec != std::errc{}) {
        return std::nullopt;
    }
    for (auto i = code.firstOnLine(fromLine); i + 3 < code.size() && code.line(i) <= toLine; ++i) {
        if (code.text(i) == symbol.substr(0, digits) && code.text(i + 1) == "<" && code.text(i + 3) == ">") {
            Range range{.number = i + 2};
            const auto text = code.text(i + 2);
            std::from_chars(text.data(), text.data() + text.size(), range.count);
            return index >= range.count ? std::optional(range) : std::nullopt;
        }
    }
    return std::nullopt;
}

// The longest index that any message of the run asks of this range, so that fixes of several causes agree.
int countFor(const FixContext& context, std::string_view prefix, const PtxFunction& function)
{
    int count = 0;
    for (const auto& said : context.all) {
        const auto name = quotedText(said.message);
        if (!said.message.starts_with("Unknown symbol") || !name.starts_with(prefix)
            || functionAt(context.outline, said.line.value_or(0)) != &function) {
            continue;
        }
        int index = 0;
        const auto tail = name.substr(prefix.size());
        const auto parsed = std::from_chars(tail.data(), tail.data() + tail.size(), index);
        if (parsed.ec == std::errc{} && parsed.ptr == tail.data() + tail.size()) {
            count = std::max(count, index + 1);
        }
    }
    return count;
}

std::optional<std::size_t> openingBrace(const CodeText& code, const PtxFunction& function)
{
    for (auto i = code.firstOnLine(function.nameRange.line); i < code.size(); ++i) {
        const bool behindName =
            code.line(i) > function.nameRange.line || code.column(i) >= function.nameRange.column;
        if (behindName && code.text(i) == "{") {
            return i;
        }
    }
    return std::nullopt;
}

// Names that the function or the module declares, by their declarations' tokens.
std::vector<std::string> declaredNames(const FixContext& context, const PtxFunction& function)
{
    std::vector<std::string> names = function.labels;
    const auto& code = context.code;
    for (auto i = code.firstOnLine(function.range.line);
         i < code.size() && code.line(i) <= function.range.endLine; ++i) {
        if (code.text(i) != ".reg") {
            continue;
        }
        for (; i < code.size() && code.text(i) != ";"; ++i) {
            const bool name = code[i].kind == TokenKind::Register || code[i].kind == TokenKind::Identifier;
            if (name && code.text(i + 1) != "<") {
                names.emplace_back(code.text(i));
            }
        }
    }
    for (const auto& parameter : function.parameters) {
        names.push_back(parameter.name);
    }
    for (const auto* arrays : {&function.sharedArrays, &context.outline.sharedArrays}) {
        for (const auto& array : *arrays) {
            names.push_back(array.name);
        }
    }
    for (const auto& other : context.outline.functions) {
        names.push_back(other.name);
    }
    constexpr std::size_t most = 4096; // a near name among more than that is no use to look for
    names.resize(std::min(names.size(), most));
    return names;
}

std::string typeOf(const std::vector<Use>& uses, const CodeText& code)
{
    std::string found;
    for (const auto& use : uses) {
        auto type = use.statement ? registerTypeAt(code, *use.statement, use.token) : std::string();
        if (found.empty()) {
            found = type;
        } else if (!type.empty() && type != found && type.size() == found.size() && type[1] == 'b') {
            found = type; // the same width with and without a kind: untyped fits both
        }
    }
    return found;
}

// Whether an instruction among the uses gives the register a value: it stands in the first operand of one
// that has a result.
bool isWritten(const std::vector<Use>& uses, const CodeText& code)
{
    return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
        if (!use.statement || use.statement->operands.empty()) {
            return false;
        }
        const auto [first, end] = use.statement->operands.front();
        const auto opcode = use.statement->opcode.substr(0, use.statement->opcode.find('.'));
        return use.token >= first && use.token < end && code.text(first) != "[" && opcode != "st"
            && opcode != "red" && opcode != "bar" && opcode != "setmaxnreg";
    });
}

// The letters before a register's number, "%rd" of "%rd7"; empty where it has none.
std::string_view stemOf(std::string_view name)
{
    const auto digits = name.find_last_not_of("0123456789") + 1;
    return digits == name.size() ? std::string_view{} : name.substr(0, digits);
}

// Registers of the same number that are declared with another, near stem: "%rd7" for "%rdd7". Of two that are
// equally near the one whose type the uses want.
std::vector<std::string> nearNumbered(
    const FixContext& context, const std::vector<Use>& uses, std::string_view symbol)
{
    const auto stem = stemOf(symbol);
    if (stem.size() < 2) {
        return {};
    }
    const auto& registers = context.declarations();
    constexpr std::size_t most = 4096; // as of the names
    if (registers.all().size() > most) {
        return {};
    }
    const auto type = typeOf(uses, context.code);
    const auto number = symbol.substr(stem.size());
    const auto token = uses.front().token;
    std::set<std::string> stems;
    for (const auto& [name, declared] : registers.all()) {
        const auto other = declared.back().count > 0 ? name : stemOf(name);
        const auto* meant =
            other.empty() ? nullptr : registers.findName(std::string(other) + std::string(number), token);
        if (other == stem) {
            return {}; // a series of its own, which may be too short
        }
        if (meant != nullptr
            && (type.empty()
                || fitsKind(registerKindOf(context.code.text(meant->type)), registerKindOf(type)))) {
            stems.emplace(other);
        }
    }
    auto near = nearestWords(stem, {stems.begin(), stems.end()});
    for (auto& one : near) {
        one += number;
    }
    return near;
}

std::optional<Fix> renameTo(const FixContext& context, const std::vector<std::string>& names,
    const std::vector<Use>& uses, std::string_view symbol, bool written)
{
    const bool numbered = symbol.find_first_of("0123456789") != std::string_view::npos;
    const auto near = numbered ? nearNumbered(context, uses, symbol) : nearestWords(symbol, names);
    const bool mayBeNew = written && (numbered || symbol.size() < 4);
    if (near.size() != 1 || mayBeNew || symbol.size() < 3) {
        return std::nullopt;
    }
    Fix fix{.title = fmt::format("Change '{}' to '{}'", symbol, near.front())};
    for (const auto& use : uses) {
        fix.edits.push_back(context.code.replaceTokens(use.token, use.token + 1, near.front()));
    }
    return fix;
}

std::optional<Fix> declaration(
    const FixContext& context, const std::vector<Use>& uses, std::string_view symbol)
{
    const auto& code = context.code;
    std::set<const PtxFunction*> functions;
    for (const auto& use : uses) {
        functions.insert(functionAt(context.outline, code.line(use.token)));
    }
    Fix fix;
    for (const auto* function : functions) {
        if (function == nullptr) {
            return std::nullopt;
        }
        std::vector<Use> inside;
        std::copy_if(uses.begin(), uses.end(), std::back_inserter(inside),
            [&](const Use& use) { return functionAt(context.outline, code.line(use.token)) == function; });
        const auto lastLine = code.line(inside.front().token);
        if (const auto range = rangeFor(code, symbol, function->range.line, lastLine)) {
            const auto prefix = symbol.substr(0, symbol.find_last_not_of("0123456789") + 1);
            const int count = countFor(context, prefix, *function);
            constexpr int many =
                1 << 16; // beyond that, and far from what is declared, it is a misspelt number
            if (count > many && count > 4 * range->count) {
                return std::nullopt;
            }
            fix.title = fmt::format("Enlarge the range to {}<{}>", prefix, count);
            fix.edits.push_back(code.replaceTokens(range->number, range->number + 1, std::to_string(count)));
            continue;
        }
        const auto type = typeOf(inside, code);
        const auto brace = openingBrace(code, *function);
        if (type.empty() || !brace) {
            return std::nullopt;
        }
        fix.title = fmt::format("Declare {} as {}", symbol, type);
        fix.edits.push_back(code.insertBehind(*brace, fmt::format("\n    .reg {} {};", type, symbol)));
    }
    return fix;
}

// An instruction of PTX at the start of its line, read as an operand of the statement above.
bool isOpcodeWord(const FixContext& context, std::string_view symbol, std::size_t token)
{
    const auto& code = context.code;
    if (context.isa == nullptr || token == 0 || code.line(token - 1) == code.line(token)) {
        return false;
    }
    const auto& all = context.isa->instructions();
    return std::any_of(all.begin(), all.end(), [&](const IsaInstruction& one) {
        return std::string_view(one.mnemonic).substr(0, one.mnemonic.find('.')) == symbol;
    });
}

std::string meant(const std::vector<std::string>& names, std::string_view symbol)
{
    const auto near = nearestWords(symbol, names);
    return near.empty() || near.size() > 4 ? std::string()
                                           : fmt::format(" Did you mean {}?", fmt::join(near, " or "));
}

} // namespace

std::optional<Remedy> remedyOfRegister(const Cause& cause, const FixContext& context)
{
    if (!cause.root->message.starts_with("Unknown symbol")) {
        return std::nullopt;
    }
    const auto& code = context.code;
    const auto symbol = quotedText(cause.root->message);
    const auto uses = usesOf(cause, code, symbol);
    if (uses.empty()) {
        return std::nullopt;
    }
    const auto* function = functionAt(context.outline, code.line(uses.front().token));
    auto& names = context.declared[function];
    if (names.empty() && function != nullptr) {
        names = declaredNames(context, *function);
    }
    if (isOpcodeWord(context, symbol, uses.front().token)) {
        const auto last = uses.front().token - 1;
        return Remedy{.explanation = fmt::format(
                          "'{}' is an instruction, but the statement before it, up to '{}' on line {}, is "
                          "not complete: an operand, or the ';', is missing there.",
                          symbol, code.text(last), code.line(last))};
    }
    Remedy made;
    const bool written = isWritten(uses, code);
    if (auto rename = renameTo(context, names, uses, symbol, written)) {
        made.fixes.push_back(std::move(*rename));
    }
    if (!mayBeRegister(symbol, uses.front(), code)) {
        made.explanation = fmt::format(
            "No label, variable or function '{}' is declared here.{}", symbol, meant(names, symbol));
    } else {
        made.explanation = fmt::format(
            "No register {} is declared in this function; every register needs a .reg "
            "before its first use. The other messages of this group follow from it.{}",
            symbol,
            written ? ""
                    : fmt::format(" Nothing writes it either, so declaring it alone leaves its value "
                                  "undefined.{}",
                        meant(stemOf(symbol).empty() ? names : nearNumbered(context, uses, symbol), symbol)));
        if (auto declare = declaration(context, uses, symbol)) {
            // A name that is written, and used again and again, is meant so.
            const bool isMeant = written && uses.size() > 2;
            made.fixes.insert(isMeant ? made.fixes.begin() : made.fixes.end(), std::move(*declare));
        }
    }
    return made;
}

} // namespace ptxwb::detail
