// SPDX-License-Identifier: Apache-2.0
// Numbers as other languages write them, of the wrong kind, or beyond what an operand takes.
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace ptxwb::detail {

namespace {

bool isWordByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// "0f3FC00000" or "0d3FF8000000000000"
std::string hexFloat(double value, bool isDouble)
{
    return isDouble ? fmt::format("0d{:016X}", std::bit_cast<std::uint64_t>(value))
                    : fmt::format("0f{:08X}", std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

std::optional<double> decimalOf(std::string_view text)
{
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() ? std::optional(value)
                                                                               : std::nullopt;
}

// Whether the statement around token i, or the declaration, is of double precision.
bool isDoubleAt(const CodeText& code, std::size_t i)
{
    for (auto at = i; at-- > 0;) {
        const auto word = code.text(at);
        if (word == ";" || word == ":") {
            return false;
        }
        if (word == ".f64" || word == ".f32") {
            return word == ".f64";
        }
    }
    return false;
}

struct Literal {
    std::size_t first = 0; ///< token, with a sign before it
    std::string written{};
    std::string better{};
    TextEdit edit{};
};

// What C++ writes as 1.0f, 10u or 100L, at the token of a number.
std::optional<Literal> foreignLiteral(const CodeText& code, std::size_t i)
{
    const auto source = code.source();
    const auto start = code[i].offset;
    auto end = start;
    const auto isExponentSign = [&](std::size_t at) {
        return (source[at] == '+' || source[at] == '-') && (source[at - 1] == 'e' || source[at - 1] == 'E')
            && !source.substr(start).starts_with("0x");
    };
    while (end < source.size()
        && (isWordByte(source[end]) || source[end] == '.' || (end > start && isExponentSign(end)))) {
        ++end;
    }
    const auto text = source.substr(start, end - start);
    const auto suffixAt = text.find_last_not_of("fFuUlL") + 1;
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const auto suffix = isHex ? text.substr(text.find_last_not_of("uUlL") + 1) : text.substr(suffixAt);
    const auto digits = text.substr(0, text.size() - suffix.size());
    if (suffix.empty() || suffix.size() > 3 || digits.empty()) {
        return std::nullopt;
    }
    Literal made{.first = i};
    const bool isFloat = suffix == "f" || suffix == "F";
    if (isFloat) {
        auto value = decimalOf(digits.ends_with('.') ? digits.substr(0, digits.size() - 1) : digits);
        if (!value) {
            return std::nullopt;
        }
        const auto before = i > 1 ? code.text(i - 2) : std::string_view{};
        const bool isSigned =
            i > 1 && code.text(i - 1) == "-" && (before == "," || before == "{" || before == "=");
        made.first = isSigned ? i - 1 : i;
        made.better = hexFloat(isSigned ? -*value : *value, isDoubleAt(code, i));
    } else if (suffix.find_first_of("lL") != std::string_view::npos || suffix == "u") {
        if (!std::all_of(digits.begin(), digits.end(), isWordByte)) {
            return std::nullopt;
        }
        made.better = std::string(digits);
    } else {
        return std::nullopt;
    }
    const int column = code.column(i) + codePointsOf(text);
    made.written = fmt::format("{}{}", made.first < i ? "-" : "", text);
    made.edit = {code.line(made.first), code.column(made.first), code.line(i), column, made.better};
    return made;
}

// All of the text at once: ptxas stops at the first.
std::optional<Remedy> foreignLiterals(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    const int line = *cause.root->line;
    std::optional<Literal> here;
    Fix fix;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].kind != TokenKind::Number) {
            continue;
        }
        if (auto literal = foreignLiteral(code, i)) {
            fix.edits.push_back(literal->edit);
            if (!here && code.line(i) == line) {
                here = std::move(literal);
            }
        }
    }
    if (!here) {
        return std::nullopt;
    }
    fix.title = fmt::format("Write {} for {}", here->better, here->written);
    if (fix.edits.size() > 1) {
        fix.title += fmt::format(", and {} more like it", fix.edits.size() - 1);
    }
    Remedy made{.explanation = fmt::format(
                    "'{}' is a number of C++. PTX writes a float as its bits (0f3F800000 is 1.0), "
                    "or in decimal without a suffix.",
                    here->written),
        .fixes = {std::move(fix)}};
    made.betterRoot = Diagnostic{.severity = cause.root->severity,
        .message = fmt::format("'{}' is no number of PTX", here->written),
        .file = std::string(context.displayName),
        .line = here->edit.line,
        .column = here->edit.startColumn,
        .endColumn = here->edit.endColumn,
        .tool = "ptxwb"};
    return made;
}

// `inf`, `INFINITY`, `FLT_MAX`: names of C++ for floats.
std::optional<Remedy> namedFloat(const Cause& cause, const FixContext& context)
{
    struct Name {
        std::string_view name;
        double value;
    };
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::array<Name, 12> names{{{"inf", infinity}, {"INF", infinity}, {"Inf", infinity},
        {"INFINITY", infinity}, {"CUDART_INF_F", infinity}, {"NAN", std::numeric_limits<double>::quiet_NaN()},
        {"nan", std::numeric_limits<double>::quiet_NaN()}, {"FLT_MAX", std::numeric_limits<float>::max()},
        {"FLT_MIN", std::numeric_limits<float>::min()}, {"DBL_MAX", std::numeric_limits<double>::max()},
        {"M_PI", 3.14159265358979323846}, {"M_LOG2E", 1.44269504088896340736}}};
    const auto symbol = quotedText(cause.root->message);
    const auto name =
        std::find_if(names.begin(), names.end(), [&](const Name& one) { return one.name == symbol; });
    const auto& code = context.code;
    const int line = *cause.root->line;
    if (name == names.end()) {
        return std::nullopt;
    }
    for (auto i = std::max<std::size_t>(code.firstOnLine(line), 1); i < code.size() && code.line(i) == line;
         ++i) {
        if (code.text(i) != symbol) {
            continue;
        }
        const bool isSigned = code.text(i - 1) == "-";
        const auto better = hexFloat(isSigned ? -name->value : name->value, isDoubleAt(code, i));
        return Remedy{.explanation = "PTX has no names for floats; it writes their bits.",
            .fixes = {{.title = fmt::format("Write {} for {}{}", better, isSigned ? "-" : "", symbol),
                .edits = {code.replaceTokens(isSigned ? i - 1 : i, i + 1, better)}}}};
    }
    return std::nullopt;
}

std::optional<PtxStatement> statementOf(const CodeText& code, int line, std::string_view name)
{
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (statement && statement->opcode.starts_with(name)) {
            return statement;
        }
    }
    return std::nullopt;
}

// An integer where the instruction is of floats: `add.f32 %f1, %f1, 1;`, `add.f32 %f1, %f1, 0x3f800000;`; and
// a float where it is of integers: `add.u32 %r1, %r1, 1.0;`
std::optional<Remedy> numberOfOtherKind(const Cause& cause, const FixContext& context)
{
    const auto& code = context.code;
    auto named = quotedText(cause.root->message);
    named = named.substr(0, named.find(' '));
    const auto statement = statementOf(code, *cause.root->line, named);
    if (!statement) {
        return std::nullopt;
    }
    const auto dot = statement->opcode.rfind('.');
    const auto type = dot == std::string_view::npos ? std::string_view{} : statement->opcode.substr(dot);
    const bool isFloat = type == ".f32" || type == ".f64";
    const bool isInteger = type.size() > 2 && (type[1] == 'u' || type[1] == 's' || type[1] == 'b');
    for (const auto& [first, end] : statement->operands) {
        const bool isSigned = code.text(first) == "-";
        const auto number = first + (isSigned ? 1 : 0);
        if (number + 1 != end || code[number].kind != TokenKind::Number) {
            continue;
        }
        const auto text = code.text(number);
        std::string better;
        const bool isHex = text.starts_with("0x") || text.starts_with("0X");
        if (isFloat && isHex && text.size() == (type == ".f64" ? 18U : 10U) && !isSigned) {
            better = fmt::format("{}{}", type == ".f64" ? "0d" : "0f", text.substr(2));
        } else if (isFloat && text.find_first_not_of("0123456789") == std::string_view::npos) {
            const auto value = decimalOf(text).value_or(0);
            better = hexFloat(isSigned ? -value : value, type == ".f64");
        } else if (isInteger && text.find('.') != std::string_view::npos) {
            const auto value = decimalOf(text.ends_with('.') ? text.substr(0, text.size() - 1) : text);
            if (value && *value == std::floor(*value) && *value < 2147483648.0) {
                better = fmt::format("{}{}", isSigned ? "-" : "", static_cast<std::int64_t>(*value));
            }
        }
        if (better.empty()) {
            continue;
        }
        return Remedy{.explanation = fmt::format("{} takes {}, and '{}{}' is {}.", statement->opcode,
                          isFloat ? "a float" : "an integer", isSigned ? "-" : "", text,
                          isFloat ? "an integer to ptxas" : "a float"),
            .fixes = {{.title = fmt::format("Write {} for {}{}", better, isSigned ? "-" : "", text),
                .edits = {code.replaceTokens(first, end, better)}}}};
    }
    return std::nullopt;
}

struct Limits {
    std::int64_t value = 0;
    std::optional<std::int64_t> least{};
    std::optional<std::int64_t> most{};
    std::int64_t multipleOf = 1;
    std::vector<std::int64_t> choices{};
};

std::optional<std::int64_t> integerBehind(std::string_view message, std::string_view words)
{
    const auto at = message.find(words);
    std::int64_t value = 0;
    if (at == std::string_view::npos
        || std::from_chars(message.data() + at + words.size(), message.data() + message.size(), value).ec
            != std::errc{}) {
        return std::nullopt;
    }
    return value;
}

std::optional<Limits> limitsOf(const Cause& cause)
{
    Limits made;
    bool any = false;
    for (const auto* said : cause.members) {
        const std::string_view message = said->message;
        if (message.find("value '") == std::string_view::npos
            && message.find("number '") == std::string_view::npos) {
            continue;
        }
        made.value =
            integerBehind(message, message.find("value '") != std::string_view::npos ? "value '" : "number '")
                .value_or(0);
        made.least = integerBehind(message, "in range [").has_value() ? integerBehind(message, "in range [")
                                                                      : made.least;
        made.most = integerBehind(message, "..").has_value() ? integerBehind(message, "..") : made.most;
        made.multipleOf = integerBehind(message, "multiple of ").value_or(made.multipleOf);
        constexpr std::string_view shape = "expected to be ";
        if (const auto at = message.find(shape); at != std::string_view::npos) {
            auto rest = message.substr(at + shape.size());
            std::vector<std::int64_t> choices;
            while (const auto one = integerBehind(rest, "")) {
                choices.push_back(*one);
                const auto next = rest.find(" or ");
                if (next == std::string_view::npos) {
                    break;
                }
                rest.remove_prefix(next + 4);
            }
            made.choices = choices.empty() ? made.choices : choices;
        }
        any = any || made.most || made.multipleOf > 1 || !made.choices.empty();
    }
    return any ? std::optional(made) : std::nullopt;
}

std::optional<std::int64_t> nearestAllowed(const Limits& limits)
{
    auto value = limits.value;
    if (!limits.choices.empty()) {
        const auto distance = [&](std::int64_t one) { return std::abs(one - limits.value); };
        const auto best = std::min_element(limits.choices.begin(), limits.choices.end(),
            [&](std::int64_t a, std::int64_t b) { return distance(a) < distance(b); });
        const auto ties = std::count_if(limits.choices.begin(), limits.choices.end(),
            [&](std::int64_t one) { return distance(one) == distance(*best); });
        return ties == 1 ? std::optional(*best) : std::nullopt;
    }
    value = limits.most ? std::min(value, *limits.most) : value;
    value = limits.least ? std::max(value, *limits.least) : value;
    const auto step = std::max<std::int64_t>(limits.multipleOf, 1);
    const auto beyond = value % step;
    value -= beyond;
    if (2 * beyond > step && (!limits.most || value + step <= *limits.most)) {
        value += step;
    }
    return value == limits.value ? std::nullopt : std::optional(value);
}

// "Argument 1 of instruction 'tcgen05.alloc': value '1024' out of range, expected to be in range [32..512]"
std::optional<Remedy> outOfRange(const Cause& cause, const FixContext& context)
{
    const auto limits = limitsOf(cause);
    const auto allowed = limits ? nearestAllowed(*limits) : std::nullopt;
    if (!allowed) {
        return std::nullopt;
    }
    const auto& code = context.code;
    const int line = *cause.root->line;
    const auto written = std::to_string(limits->value);
    for (auto i = code.firstOnLine(line); i < code.size(); ++i) {
        if (code.text(i) == ";" && code.line(i) >= line) {
            break;
        }
        const bool isThere = code[i].kind == TokenKind::Number && code.text(i) == written && i > 0
            && (code.text(i - 1) == "," || code[i - 1].kind == TokenKind::Type
                || code[i - 1].kind == TokenKind::Modifier || code[i - 1].kind == TokenKind::Opcode);
        if (!isThere) {
            continue;
        }
        Remedy made{.explanation = fmt::format(
                        "The operand takes {} only; {} is the nearest to {}. What the code around "
                        "it counts on must follow.",
                        limits->multipleOf > 1 ? fmt::format("multiples of {}", limits->multipleOf)
                            : limits->choices.empty()
                            ? fmt::format("{} to {}", limits->least.value_or(0), limits->most.value_or(0))
                            : std::string("some values"),
                        *allowed, written),
            .fixes = {{.title = fmt::format("Write {} for {}", *allowed, written),
                .edits = {code.replaceTokens(i, i + 1, std::to_string(*allowed))}}}};
        if (code.line(i) != line) {
            made.explanation +=
                fmt::format(" The instruction begins in line {}; this operand stands here.", line);
            made.betterRoot = Diagnostic{.severity = cause.root->severity,
                .message = cause.root->message,
                .file = cause.root->file,
                .line = code.line(i),
                .column = code.column(i),
                .endColumn = code.endColumn(i),
                .tool = "ptxwb"};
        }
        return made;
    }
    return std::nullopt;
}

} // namespace

std::optional<Remedy> remedyOfNumber(const Cause& cause, const FixContext& context)
{
    const std::string_view message = cause.root->message;
    if (!cause.root->line || context.code.size() == 0) {
        return std::nullopt;
    }
    if (message.starts_with("Parsing error near ")) {
        return foreignLiterals(cause, context);
    }
    if (message.starts_with("Unknown symbol")) {
        return namedFloat(cause, context);
    }
    if (message.starts_with("Arguments mismatch")) {
        return numberOfOtherKind(cause, context);
    }
    const bool isLimit = message.find("out of range, expected") != std::string_view::npos
        || message.find("unexpected value '") != std::string_view::npos;
    return isLimit ? outOfRange(cause, context) : std::nullopt;
}

} // namespace ptxwb::detail
