// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/plain_characters.h"

#include <algorithm>
#include <array>

namespace ptxwb::detail {

namespace {

struct Plain {
    char32_t first = 0;
    char32_t last = 0;
    std::string_view text{};
};

// Of Unicode's chart, by code point.
constexpr std::array<Plain, 86> plainTexts{{
    {0x85, 0x85, "\n"},
    {0xA0, 0xA0, " "},
    {0xAB, 0xAB, "\""},
    {0xAD, 0xAD, ""}, // soft hyphen
    {0xB4, 0xB4, "'"},
    {0xB5, 0xB5, "u"},
    {0xB7, 0xB7, "*"},
    {0xBB, 0xBB, "\""},
    {0xD7, 0xD7, "x"},
    {0xF7, 0xF7, "/"},
    {0x2B9, 0x2BC, "'"},
    {0x2DC, 0x2DC, "~"},
    {0x37E, 0x37E, ";"}, // the Greek question mark
    {0x391, 0x391, "A"},
    {0x392, 0x392, "B"},
    {0x395, 0x395, "E"},
    {0x397, 0x397, "H"},
    {0x39A, 0x39A, "K"},
    {0x39C, 0x39C, "M"},
    {0x39D, 0x39D, "N"},
    {0x39F, 0x39F, "O"},
    {0x3A1, 0x3A1, "P"},
    {0x3A4, 0x3A4, "T"},
    {0x3B1, 0x3B1, "a"},
    {0x3BC, 0x3BC, "u"},
    {0x3BD, 0x3BD, "v"},
    {0x3BF, 0x3BF, "o"},
    {0x3C1, 0x3C1, "p"},
    {0x410, 0x410, "A"}, // Cyrillic
    {0x412, 0x412, "B"},
    {0x415, 0x415, "E"},
    {0x41A, 0x41A, "K"},
    {0x41C, 0x41C, "M"},
    {0x41D, 0x41D, "H"},
    {0x41E, 0x41E, "O"},
    {0x420, 0x420, "P"},
    {0x421, 0x421, "C"},
    {0x422, 0x422, "T"},
    {0x425, 0x425, "X"},
    {0x430, 0x430, "a"},
    {0x435, 0x435, "e"},
    {0x43E, 0x43E, "o"},
    {0x440, 0x440, "p"},
    {0x441, 0x441, "c"},
    {0x443, 0x443, "y"},
    {0x445, 0x445, "x"},
    {0x455, 0x455, "s"},
    {0x456, 0x456, "i"},
    {0x458, 0x458, "j"},
    {0x501, 0x501, "d"},
    {0x60C, 0x60C, ","},
    {0x61B, 0x61B, ";"},
    {0x66A, 0x66A, "%"},
    {0x2000, 0x200A, " "},
    {0x200B, 0x200F, ""}, // without width
    {0x2010, 0x2015, "-"},
    {0x2016, 0x2016, "|"},
    {0x2018, 0x2019, "'"},
    {0x201A, 0x201A, ","},
    {0x201B, 0x201B, "'"},
    {0x201C, 0x201F, "\""},
    {0x2022, 0x2022, "*"},
    {0x2024, 0x2024, "."},
    {0x2026, 0x2026, "..."},
    {0x2028, 0x2029, "\n"},
    {0x202A, 0x202E, ""},
    {0x202F, 0x202F, " "},
    {0x2032, 0x2032, "'"},
    {0x2033, 0x2033, "\""},
    {0x2044, 0x2044, "/"},
    {0x205F, 0x205F, " "},
    {0x2060, 0x206F, ""},
    {0x2190, 0x2190, "<-"},
    {0x2192, 0x2192, "->"},
    {0x2212, 0x2212, "-"},
    {0x2215, 0x2215, "/"},
    {0x2217, 0x2217, "*"},
    {0x2223, 0x2223, "|"},
    {0x2236, 0x2236, ":"},
    {0x2248, 0x2248, "~"},
    {0x2260, 0x2260, "!="},
    {0x2264, 0x2264, "<="},
    {0x2265, 0x2265, ">="},
    {0x3000, 0x3000, " "},
    {0x3001, 0x3001, ","},
    {0x3002, 0x3002, "."},
}};

// Above the sorted part.
constexpr std::array<Plain, 16> highTexts{{
    {0x3010, 0x3010, "["},
    {0x3011, 0x3011, "]"},
    {0xFE50, 0xFE50, ","},
    {0xFE52, 0xFE52, "."},
    {0xFE54, 0xFE54, ";"},
    {0xFE55, 0xFE55, ":"},
    {0xFE59, 0xFE59, "("},
    {0xFE5A, 0xFE5A, ")"},
    {0xFE5B, 0xFE5B, "{"},
    {0xFE5C, 0xFE5C, "}"},
    {0xFE62, 0xFE62, "+"},
    {0xFE63, 0xFE63, "-"},
    {0xFE6A, 0xFE6A, "%"},
    {0xFE6B, 0xFE6B, "@"},
    {0xFEFF, 0xFEFF, ""}, // the byte order mark
    {0xFF64, 0xFF64, ","},
}};

template <std::size_t N> const Plain* find(const std::array<Plain, N>& sorted, char32_t character)
{
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), character,
        [](const Plain& one, char32_t wanted) { return one.last < wanted; });
    return found != sorted.end() && found->first <= character ? &*found : nullptr;
}

constexpr bool isBefore(const Plain& a, const Plain& b)
{
    return a.last < b.first;
}

static_assert(std::is_sorted(plainTexts.begin(), plainTexts.end(), isBefore));
static_assert(std::is_sorted(highTexts.begin(), highTexts.end(), isBefore));

} // namespace

std::optional<char32_t> codePointOf(std::string_view bytes)
{
    if (bytes.empty()) {
        return std::nullopt;
    }
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const std::size_t length = byte(0) < 0x80 ? 1
        : byte(0) < 0xC0                      ? 0
        : byte(0) < 0xE0                      ? 2
        : byte(0) < 0xF0                      ? 3
        : byte(0) < 0xF8                      ? 4
                                              : 0;
    if (length == 0 || length != bytes.size()) {
        return std::nullopt;
    }
    char32_t code = length == 1 ? byte(0) : byte(0) & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) {
            return std::nullopt;
        }
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    const bool isSurrogate = code >= 0xD800 && code < 0xE000;
    return code < least[length] || isSurrogate || code > 0x10FFFF ? std::nullopt : std::optional(code);
}

std::optional<std::string> plainFor(char32_t character, bool inComment)
{
    if (character == 0xD7 && !inComment) {
        return "*";
    }
    if (character >= 0xFF01 && character <= 0xFF5E) { // full width: ASCII moved up
        return std::string(1, static_cast<char>(character - 0xFEE0));
    }
    const auto* found = find(plainTexts, character);
    found = found != nullptr ? found : find(highTexts, character);
    return found == nullptr ? std::nullopt : std::optional(std::string(found->text));
}

} // namespace ptxwb::detail
