// SPDX-License-Identifier: Apache-2.0
// Lists of registers and of numbers that are written as in other languages: `%acc[128]`, `%acc0-%acc127`,
// `.maxntid 384 1 1`.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace ptxwb::detail {

namespace {

constexpr int mostRegisters = 4096; // of a list that is taken for one

std::optional<int> numberOf(std::string_view text)
{
    int value = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(value) : std::nullopt;
}

bool isName(const CodeText& code, std::size_t i)
{
    return code[i].kind == TokenKind::Register || code[i].kind == TokenKind::Identifier;
}

// The `.reg` of the list that token i belongs to.
std::optional<std::size_t> listOf(const CodeText& code, std::size_t i)
{
    while (i > 0 && code.text(i) != ".reg" && code.text(i) != ";") {
        --i;
    }
    return code.text(i) == ".reg" ? std::optional(i) : std::nullopt;
}

void addSeries(Remedy& made, std::string_view base, int count)
{
    for (int i = 0; i < std::min(count, mostRegisters); ++i) {
        made.symbols.push_back(fmt::format("{}{}", base, i));
    }
}

// `.reg .f32 %acc[128];`, and the uses `%acc[3]` of it
std::optional<Remedy> arrayOfRegisters(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const auto name = quotedText(cause.root->message);
    for (auto i = code.firstOnLine(*cause.root->line);
         i + 3 < code.size() && code.line(i) == *cause.root->line; ++i) {
        const auto count = code.text(i) == name && code.text(i + 1) == "[" && code.text(i + 3) == "]"
            ? numberOf(code.text(i + 2))
            : std::nullopt;
        if (!count || *count < 1 || !listOf(code, i)) {
            continue;
        }
        const auto series = fmt::format("{}<{}>", name, *count);
        Remedy made{.explanation = fmt::format("PTX has no arrays of registers: {} declares {}0 to {}{}.",
                        series, name, name, *count - 1)};
        Fix fix{.title = fmt::format("Write {}", series), .edits = {code.replaceTokens(i, i + 4, series)}};
        for (auto at = i + 4; at + 3 < code.size(); ++at) {
            const auto index = code.text(at) == name && code.text(at + 1) == "[" && code.text(at + 3) == "]"
                ? numberOf(code.text(at + 2))
                : std::nullopt;
            if (index && *index < *count) {
                fix.edits.push_back(code.replaceTokens(at, at + 4, fmt::format("{}{}", name, *index)));
            }
        }
        made.fixes.push_back(std::move(fix));
        made.symbols.emplace_back(name);
        made.takesUses = true;
        addSeries(made, name, *count);
        return made;
    }
    return std::nullopt;
}

struct Numbered {
    std::string_view base;
    int number = 0;
};

// "%acc12" -> %acc, 12
std::optional<Numbered> numbered(std::string_view text)
{
    const auto last = text.find_last_not_of("0123456789");
    const auto digits = last == std::string_view::npos ? 0 : last + 1;
    const auto number = numberOf(text.substr(digits));
    return number ? std::optional(Numbered{.base = text.substr(0, digits), .number = *number}) : std::nullopt;
}

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
}

struct Series {
    std::string base{};
    int count = 0;
};

// "%acc0-%acc127", "%acc0..127", "%acc(128)", "%acc{128}", "%acc<0..127>"
std::optional<Series> seriesOf(std::string_view text)
{
    text = trimmed(text);
    constexpr std::string_view open = "<({";
    const auto bracket = text.find_first_of(open);
    std::string_view head = text;
    std::string_view range = text;
    if (bracket != std::string_view::npos) {
        constexpr std::string_view close = ">)}";
        if (text.back() != close[open.find(text[bracket])]) {
            return std::nullopt;
        }
        head = trimmed(text.substr(0, bracket));
        range = trimmed(text.substr(bracket + 1, text.size() - bracket - 2));
        if (const auto count = numberOf(range)) {
            return head.empty() ? std::nullopt : std::optional(Series{std::string(head), *count});
        }
    }
    const auto sign = range.find_first_of("-.:~", 1);
    if (sign == std::string_view::npos) {
        return std::nullopt;
    }
    const auto behind = range.find_first_not_of("-.:~ ", sign);
    const auto first = numbered(trimmed(range.substr(0, sign)));
    const auto last = behind == std::string_view::npos ? std::nullopt : numbered(range.substr(behind));
    if (!first || !last || last->number <= first->number) {
        return std::nullopt;
    }
    const auto base = bracket != std::string_view::npos ? head : first->base;
    const bool isSame = bracket != std::string_view::npos ? first->base.empty() && last->base.empty()
                                                          : last->base.empty() || last->base == first->base;
    return isSame && !base.empty() ? std::optional(Series{std::string(base), last->number + 1})
                                   : std::nullopt;
}

// The part of a list that the token of a parsing error belongs to.
std::optional<Remedy> rangeOfRegisters(const CodeText& code, std::size_t i)
{
    const auto list = listOf(code, i);
    if (!list) {
        return std::nullopt;
    }
    auto first = i;
    while (first > *list && code.text(first - 1) != "," && code[first - 1].kind != TokenKind::Type) {
        --first;
    }
    auto end = i;
    while (end < code.size() && code.text(end) != "," && code.text(end) != ";") {
        ++end;
    }
    if (first <= *list || end <= first || end >= code.size() || !isName(code, first)) {
        return std::nullopt;
    }
    const auto written = code.source().substr(code[first].offset, code[end].offset - code[first].offset);
    const auto series = seriesOf(written);
    if (!series || series->count < 1 || series->count > mostRegisters) {
        return std::nullopt;
    }
    const auto better = fmt::format("{}<{}>", series->base, series->count);
    Remedy made{.explanation = fmt::format("PTX declares a series of registers by their number: {} is {}0 to "
                                           "{}{}.",
                    better, series->base, series->base, series->count - 1),
        .fixes = {
            {.title = fmt::format("Write {}", better), .edits = {code.replaceTokens(first, end, better)}}}};
    addSeries(made, series->base, series->count);
    return made;
}

// `.maxntid 384 1 1`
std::optional<Remedy> numbersWithoutCommas(const CodeText& code, std::size_t i)
{
    constexpr std::array<std::string_view, 4> directives{
        ".maxntid", ".reqntid", ".reqnctapercluster", ".blocksareclusters"};
    auto first = i;
    while (first > 0 && (code[first].kind == TokenKind::Number || code.text(first) == ",")) {
        --first;
    }
    if (std::find(directives.begin(), directives.end(), code.text(first)) == directives.end()) {
        return std::nullopt;
    }
    Fix fix{.title = "Insert commas between the numbers"};
    std::string shown(code.text(first));
    std::string_view comma = " ";
    for (auto at = first + 1;
         at < code.size() && (code[at].kind == TokenKind::Number || code.text(at) == ","); ++at) {
        if (code[at].kind != TokenKind::Number) {
            continue;
        }
        if (code[at - 1].kind == TokenKind::Number) {
            fix.edits.push_back(code.insertBehind(at - 1, ","));
        }
        shown += fmt::format("{}{}", comma, code.text(at));
        comma = ", ";
    }
    if (fix.edits.empty()) {
        return std::nullopt;
    }
    return Remedy{.explanation = fmt::format("Commas stand between the numbers of a directive: {}.", shown),
        .fixes = {std::move(fix)}};
}

} // namespace

std::optional<Remedy> remedyOfList(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const std::string_view message = cause.root->message;
    if (!cause.root->line || code.size() == 0) {
        return std::nullopt;
    }
    if (message.starts_with("Variable '") && message.ends_with("cannot be allocated into a register")) {
        return arrayOfRegisters(cause, context);
    }
    if (!message.starts_with("Parsing error near ")) {
        return std::nullopt;
    }
    const auto near = quotedText(message);
    for (auto i = std::max<std::size_t>(code.firstOnLine(*cause.root->line), 1);
         i < code.size() && code.line(i) == *cause.root->line; ++i) {
        const bool isHere = code.text(i) == near || (near.size() > 1 && near.starts_with(code.text(i)));
        if (!isHere) {
            continue;
        }
        if (auto remedy = rangeOfRegisters(code, i)) {
            return remedy;
        }
        if (auto remedy = code[i].kind == TokenKind::Number ? numbersWithoutCommas(code, i) : std::nullopt) {
            return remedy;
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
