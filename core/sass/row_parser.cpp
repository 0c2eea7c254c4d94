// SPDX-License-Identifier: Apache-2.0
#include "core/sass/row_parser.h"

#include <array>
#include <charconv>

namespace ptxwb {

namespace {

constexpr bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

constexpr std::array<signed char, 256> hexDigits = [] {
    std::array<signed char, 256> table{};
    table.fill(-1);
    for (int i = 0; i < 16; ++i) {
        table[static_cast<unsigned char>("0123456789abcdef"[i])] = static_cast<signed char>(i);
        table[static_cast<unsigned char>("0123456789ABCDEF"[i])] = static_cast<signed char>(i);
    }
    return table;
}();

std::optional<std::uint64_t> hexNumber(std::string_view digits)
{
    if (digits.empty() || digits.size() > 16) {
        return {};
    }
    std::uint64_t value = 0;
    for (const char c : digits) {
        const int digit = hexDigits[static_cast<unsigned char>(c)];
        if (digit < 0) {
            return {};
        }
        value = (value << 4U) | static_cast<std::uint64_t>(digit);
    }
    return value;
}

/// The number in a whole comment ` 0x0123456789abcdef `.
std::optional<std::uint64_t> encodingComment(std::string_view inside)
{
    inside = trimmed(inside);
    if (!inside.starts_with("0x")) {
        return {};
    }
    return hexNumber(inside.substr(2));
}

/// Consumes `"name", line 12` from the front of `rest`.
bool takeFileAndLine(std::string_view& rest, std::string_view& file, int& line)
{
    // A quoted name may itself hold quotes, so the separator that follows it ends it.
    constexpr std::string_view separator = "\", line ";
    if (rest.empty() || rest.front() != '"') {
        return false;
    }
    const auto end = rest.find(separator);
    if (end == std::string_view::npos) {
        return false;
    }
    file = rest.substr(1, end - 1);
    rest.remove_prefix(end + separator.size());
    const auto [next, error] = std::from_chars(rest.data(), rest.data() + rest.size(), line);
    if (error != std::errc{} || line < 0) {
        return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(next - rest.data()));
    return true;
}

} // namespace

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isBlank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::optional<SassRow> parseSassRow(std::string_view line)
{
    while (!line.empty() && isBlank(line.front())) {
        line.remove_prefix(1);
    }
    if (!line.starts_with("/*")) {
        return {};
    }
    const auto close = line.find("*/", 2);
    if (close == std::string_view::npos) {
        return {};
    }
    const auto address = hexNumber(line.substr(2, close - 2));
    if (!address) {
        return {};
    }
    SassRow row;
    row.address = *address;

    std::string_view code = line.substr(close + 2);
    // The encoding is the only slash of a row, bar a live-range column.
    auto comment = code.find('/');
    while (comment != std::string_view::npos && !code.substr(comment).starts_with("/*")) {
        comment = code.find('/', comment + 1);
    }
    if (comment != std::string_view::npos) {
        const auto inside = code.substr(comment + 2);
        row.lowWord = encodingComment(inside.substr(0, inside.find("*/")));
        code = code.substr(0, comment);
    }
    // What follows the semicolon is not part of the instruction (live-range columns of `-plr`).
    code = trimmed(code.substr(0, code.find(';')));
    // Paired instructions of older targets are in braces.
    if (code.starts_with('{')) {
        code = trimmed(code.substr(1));
    }
    if (code.ends_with('}') && code.find('{') == std::string_view::npos) {
        code = trimmed(code.substr(0, code.size() - 1));
    }

    const auto word = [&code] {
        std::size_t end = 0;
        while (end < code.size() && !isBlank(code[end])) {
            ++end;
        }
        const auto taken = code.substr(0, end);
        code = trimmed(code.substr(end));
        return taken;
    };
    if (code.starts_with('@')) {
        row.predicate = word();
    }
    row.opcode = word();
    row.operands = code;
    return row;
}

std::optional<std::uint64_t> parseEncodingLine(std::string_view line)
{
    line = trimmed(line);
    if (!line.starts_with("/*") || !line.ends_with("*/") || line.size() < 4) {
        return {};
    }
    return encodingComment(line.substr(2, line.size() - 4));
}

std::optional<LineMarker> parseLineMarker(std::string_view line)
{
    constexpr std::string_view prefix = "//## File ";
    constexpr std::string_view inlined = " inlined at ";
    line = trimmed(line);
    if (!line.starts_with(prefix)) {
        return {};
    }
    line.remove_prefix(prefix.size());
    LineMarker marker;
    if (!takeFileAndLine(line, marker.file, marker.line)) {
        return {};
    }
    if (line.starts_with(inlined)) {
        line.remove_prefix(inlined.size());
        if (!takeFileAndLine(line, marker.callerFile, marker.callerLine)) {
            marker.callerFile = {};
            marker.callerLine = 0;
        }
    }
    return marker;
}

} // namespace ptxwb
