// SPDX-License-Identifier: Apache-2.0
#include "core/llm/utf8.h"

namespace ptxwb::llm {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct Sequence {
    std::size_t length = 1;
    enum { Valid, Invalid, Incomplete } kind = Invalid;
};

bool isContinuation(unsigned char byte)
{
    return (byte & 0xC0U) == 0x80U;
}

// The ranges of table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
Sequence sequenceAt(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char first = byte(0);
    if (first < 0x80U) {
        return {1, Sequence::Valid};
    }
    const std::size_t length = first >= 0xC2U && first <= 0xDFU ? 2
        : first >= 0xE0U && first <= 0xEFU                      ? 3
        : first >= 0xF0U && first <= 0xF4U                      ? 4
                                                                : 0;
    if (length == 0) {
        return {};
    }
    for (std::size_t i = 1; i < length; ++i) {
        if (at + i >= text.size()) {
            return {i, Sequence::Incomplete};
        }
        unsigned char low = 0x80;
        unsigned char high = 0xBF;
        if (i == 1) {
            low = first == 0xE0U ? 0xA0 : first == 0xF0U ? 0x90 : 0x80;
            high = first == 0xEDU ? 0x9F : first == 0xF4U ? 0x8F : 0xBF;
        }
        if (byte(i) < low || byte(i) > high) {
            return {i, Sequence::Invalid};
        }
    }
    return {length, Sequence::Valid};
}

} // namespace

std::string shieldInvalidUtf8(std::string_view bytes)
{
    std::string result;
    result.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const auto sequence = sequenceAt(bytes, at);
        if (sequence.kind == Sequence::Valid) {
            result += bytes.substr(at, sequence.length);
        } else {
            for (std::size_t i = 0; i < sequence.length; ++i) {
                const auto byte = static_cast<unsigned char>(bytes[at + i]);
                result += byte < 0xC0U ? "\xF4\x8F\xBA" : "\xF4\x8F\xBB";
                result += static_cast<char>(0x80U | (byte & 0x3FU));
            }
        }
        at += sequence.length;
    }
    return result;
}

std::string unshieldBytes(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto four = text.substr(at, 4);
        if (four.size() == 4 && (four.starts_with("\xF4\x8F\xBA") || four.starts_with("\xF4\x8F\xBB"))) {
            const auto low = static_cast<unsigned char>(four[3]) & 0x3FU;
            result += static_cast<char>((four[2] == '\xBA' ? 0x80U : 0xC0U) | low);
            at += 4;
        } else {
            result += text[at++];
        }
    }
    return result;
}

std::string Utf8Joiner::feed(std::string_view bytes)
{
    m_tail += bytes;
    std::string result;
    std::size_t at = 0;
    while (at < m_tail.size()) {
        const auto sequence = sequenceAt(m_tail, at);
        if (sequence.kind == Sequence::Incomplete) {
            break;
        }
        if (sequence.kind == Sequence::Valid) {
            result.append(m_tail, at, sequence.length);
        } else {
            result += replacement;
        }
        at += sequence.length;
    }
    m_tail.erase(0, at);
    return result;
}

std::string Utf8Joiner::finish()
{
    const bool broken = !m_tail.empty();
    m_tail.clear();
    return broken ? std::string(replacement) : std::string();
}

std::string_view utf8Prefix(std::string_view text, std::size_t maxBytes)
{
    if (text.size() <= maxBytes) {
        return text;
    }
    std::size_t end = maxBytes;
    while (end > 0 && isContinuation(static_cast<unsigned char>(text[end]))) {
        --end;
    }
    return text.substr(0, end);
}

} // namespace ptxwb::llm
