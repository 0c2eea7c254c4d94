// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/non_ascii.h"

#include "core/toolchain/plain_characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ptxwb::detail {

namespace {

bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

bool isNamePart(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'
        || c == '%';
}

struct Replaced {
    std::string text{};
    std::string words{};
    bool isBytes = false; ///< no UTF-8
};

// The longest start of the bytes that is one character; the rest are strays.
std::string_view characterOf(std::string_view bytes)
{
    for (std::size_t length = std::min<std::size_t>(bytes.size(), 4); length > 0; --length) {
        if (codePointOf(bytes.substr(0, length))) {
            return bytes.substr(0, length);
        }
    }
    return {};
}

Replaced replacementOf(std::string_view source, std::size_t at, std::size_t end, bool inComment)
{
    const auto character = characterOf(source.substr(at, end - at));
    if (character.empty() || character.size() == 1) { // strays behind an ASCII character count to it
        const auto stray = static_cast<unsigned char>(source[at + character.size()]);
        return {.text = std::string(character),
            .words = fmt::format("the byte {:02X}, which is no UTF-8", stray),
            .isBytes = true};
    }
    const auto code = *codePointOf(character);
    auto plain = plainFor(code, inComment);
    if (plain && inComment && *plain == "\n") {
        plain = " ";
    }
    Replaced made{.words = fmt::format("U+{:04X}", static_cast<std::uint32_t>(code))};
    if (plain) {
        made.text = *plain;
        made.words += plain->empty() ? ", which nobody sees"
            : *plain == " "          ? ", a blank of another kind"
            : *plain == "\n"         ? ", a line end of another kind"
                                     : fmt::format(", for which ASCII has {}", *plain);
        return made;
    }
    const bool inName =
        (at > 0 && isNamePart(source[at - 1])) || (end < source.size() && isNamePart(source[end]));
    made.text = inComment ? "?" : (inName ? "_" : "");
    return made;
}

std::string counted(int count, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string titleOf(int characters, int bytes)
{
    if (characters == 0) {
        return fmt::format("Remove {}", counted(bytes, "byte that is no UTF-8", "bytes that are no UTF-8"));
    }
    const auto replace =
        fmt::format("Replace {}", counted(characters, "character beyond ASCII", "characters beyond ASCII"));
    return bytes == 0 ? replace
                      : fmt::format("{} and remove {}", replace, counted(bytes, "stray byte", "stray bytes"));
}

} // namespace

NonAscii replaceNonAscii(std::string_view source, const std::function<TextPart(std::size_t)>& partAt)
{
    NonAscii made;
    int characters = 0;
    int bytes = 0;
    int line = 1;
    int column = 1;
    std::size_t start = 0;
    while (start < source.size() && isContinuation(source[start])) { // no column reaches them
        ++start;
    }
    for (auto i = start; i < source.size();) {
        auto end = i + 1;
        while (end < source.size() && isContinuation(source[end])) {
            ++end;
        }
        const bool isAscii = static_cast<unsigned char>(source[i]) < 0x80;
        const bool ends = source[i] == '\n' || (source[i] == '\r' && !source.substr(i + 1).starts_with('\n'));
        if (!isAscii || end > i + 1) {
            const auto part = partAt(i);
            if (part != TextPart::Untouched) {
                auto plain = replacementOf(source, i, end, part == TextPart::Comment);
                auto* last = made.fix.edits.empty() ? nullptr : &made.fix.edits.back();
                if (ends) { // the edit takes in the line end
                    made.fix.edits.push_back({line, column, line + 1, 1, std::move(plain.text)});
                } else if (last != nullptr && last->endLine == line && last->endColumn == column
                    && last->line == line) {
                    ++last->endColumn;
                    last->text += plain.text;
                } else {
                    made.fix.edits.push_back({line, column, line, column + 1, std::move(plain.text)});
                }
                ++(plain.isBytes ? bytes : characters);
                if (made.firstWords.empty()) {
                    made.firstWords = std::move(plain.words);
                }
            }
        }
        line += ends ? 1 : 0;
        column = ends ? 1 : column + 1;
        i = end;
    }
    made.fix.title = titleOf(characters, bytes);
    return made;
}

} // namespace ptxwb::detail
