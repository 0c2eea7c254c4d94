// SPDX-License-Identifier: Apache-2.0
#include "core/support/base64.h"

#include <array>
#include <cstdint>

namespace ptxwb {

namespace {
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int8_t, 256> inverse = [] {
    std::array<std::int8_t, 256> table{};
    table.fill(-1);
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
        table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::int8_t>(i);
    }
    return table;
}();
} // namespace

std::string base64Encode(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](std::size_t k) {
            return i + k < bytes.size() ? std::uint32_t{static_cast<unsigned char>(bytes[i + k])} : 0U;
        };
        const std::uint32_t group = (at(0) << 16) | (at(1) << 8) | at(2);
        text += alphabet[(group >> 18) & 63U];
        text += alphabet[(group >> 12) & 63U];
        text += i + 1 < bytes.size() ? alphabet[(group >> 6) & 63U] : '=';
        text += i + 2 < bytes.size() ? alphabet[group & 63U] : '=';
    }
    return text;
}

Result<std::string> base64Decode(std::string_view text)
{
    const auto bad = [](std::size_t offset) {
        return Error{
            .code = ErrorCode::BadFormat, .message = "not base64 at offset " + std::to_string(offset)};
    };
    if (text.size() % 4 != 0) {
        return bad(text.size());
    }
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        const bool last = i + 4 == text.size();
        const std::size_t padding = !last ? 0 : (text[i + 3] != '=' ? 0 : (text[i + 2] != '=' ? 1 : 2));
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const auto value = inverse[static_cast<unsigned char>(text[i + k])];
            if (value < 0 && k < 4 - padding) {
                return bad(i + k);
            }
            group = (group << 6) | static_cast<std::uint32_t>(value < 0 ? 0 : value);
        }
        bytes += static_cast<char>(group >> 16);
        if (padding < 2) {
            bytes += static_cast<char>((group >> 8) & 255U);
        }
        if (padding < 1) {
            bytes += static_cast<char>(group & 255U);
        }
    }
    return bytes;
}

} // namespace ptxwb
