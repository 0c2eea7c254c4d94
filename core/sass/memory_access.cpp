// SPDX-License-Identifier: Apache-2.0
#include "core/sass/memory_access.h"

#include "core/sass/operands.h"

#include <algorithm>
#include <charconv>

namespace ptxwb {

namespace {

/// Bytes by the modifiers of a plain access; 0 when one is unknown.
int widthOf(std::string_view modifiers)
{
    constexpr std::array harmless{"E", "CONSTANT", "EF", "EL", "LU", "U", "LTC64B", "LTC128B", "LTC256B"};
    struct Width {
        std::string_view name;
        int bytes;
    };
    constexpr std::array widths{
        Width{"U8", 1}, Width{"S8", 1}, Width{"U16", 2}, Width{"S16", 2}, Width{"64", 8}, Width{"128", 16}};
    int bytes = 4;
    while (!modifiers.empty()) {
        const auto end = std::min(modifiers.find('.'), modifiers.size());
        const auto word = modifiers.substr(0, end);
        modifiers.remove_prefix(std::min(end + 1, modifiers.size()));
        const auto* const width = std::ranges::find(widths, word, &Width::name);
        if (width != widths.end()) {
            bytes = width->bytes;
        } else if (std::ranges::find(harmless, word) == harmless.end()) {
            return 0;
        }
    }
    return bytes;
}

int bytesOf(std::string_view opcode)
{
    constexpr std::array plain{"LD", "LDG", "LDS", "LDL", "ST", "STG", "STS", "STL"};
    constexpr int bytesOfMbarrier = 8;
    if (opcode == "SYNCS.EXCH.64") {
        return bytesOfMbarrier;
    }
    const auto end = std::min(opcode.find('.'), opcode.size());
    return std::ranges::find(plain, opcode.substr(0, end)) == plain.end()
        ? 0
        : widthOf(opcode.substr(std::min(end + 1, opcode.size())));
}

/// "0x10", "-0x10".
std::optional<std::int64_t> numberOf(std::string_view text)
{
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    std::int64_t value = 0;
    if (!text.starts_with("0x")) {
        return {};
    }
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size() || value > INT32_MAX) {
        return {};
    }
    return negative ? -value : value;
}

/// Hash of an address without the numbers of its registers.
std::uint64_t formOf(std::string_view address)
{
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < address.size(); ++i) {
        const bool ofRegister = address[i] >= '0' && address[i] <= '9' && i > 0
            && (address[i - 1] == 'R' || (i > 1 && address[i - 2] == 'R')
                || (i > 2 && address[i - 3] == 'R'));
        hash = ofRegister ? hash : mixed(hash, static_cast<unsigned char>(address[i]));
    }
    return hash;
}

} // namespace

std::optional<MemoryAccess> memoryAccess(const SassInstruction& row)
{
    MemoryAccess access{.bytes = bytesOf(row.opcode)};
    const auto text = row.operands;
    const auto first = text.find('[');
    const auto last = text.rfind('[');
    const auto close = text.rfind(']');
    if (access.bytes == 0 || first == std::string_view::npos || close == std::string_view::npos
        || close < last) {
        return {};
    }
    constexpr std::string_view descriptor = "desc";
    const bool described =
        first >= descriptor.size() && text.substr(first - descriptor.size(), descriptor.size()) == descriptor;
    const auto begin = described ? first - descriptor.size() : first;
    if (std::ranges::count(text, '[') != (described ? 2 : 1)
        || (begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != ',')) { // a constant bank
        return {};
    }
    auto address = text.substr(begin, close - begin);
    const auto plus = address.rfind('+');
    const auto inner = address.rfind('[');
    if (plus != std::string_view::npos && plus > inner) {
        if (const auto offset = numberOf(address.substr(plus + 1))) {
            access.offset = *offset;
            address = address.substr(0, plus);
        }
    } else if (const auto offset = numberOf(address.substr(inner + 1))) {
        access.offset = *offset;
        address = address.substr(0, inner + 1);
    }
    access.form = formOf(address);
    return access;
}

std::uint64_t MemoryValue::whole() const
{
    return m_written ? mixed(m_root, m_sum) : m_root;
}

std::uint64_t MemoryValue::keyOf(std::int64_t word) const
{
    return mixed(m_epoch, static_cast<std::uint64_t>(word));
}

std::uint64_t MemoryValue::of(const MemoryAccess& access, std::uint64_t base) const
{
    if (!m_written || base != m_base) {
        return whole();
    }
    auto number = m_root;
    auto last = m_root;
    std::int64_t looked = INT64_MIN;
    auto at = m_words.end();
    for (auto byte = access.offset; byte < access.offset + access.bytes; ++byte) {
        const auto word = byte >> 2;
        if (word != looked) {
            looked = word;
            at = m_words.find(keyOf(word));
        }
        const auto value = at == m_words.end() ? 0 : at->second[static_cast<std::size_t>(byte & 3)];
        if (value != 0 && value != last) {
            number = mixed(number, mixed(value, static_cast<std::uint64_t>(byte - access.offset)));
        }
        last = value;
    }
    return number;
}

void MemoryValue::write(const MemoryAccess& access, std::uint64_t base, std::uint64_t number)
{
    if (m_written && base != m_base) {
        m_root = whole();
        m_written = false;
    }
    if (!m_written) {
        m_written = true;
        m_base = base;
        m_sum = 0;
        ++m_epoch;
    }
    m_sum += number;
    for (auto byte = access.offset; byte < access.offset + access.bytes; ++byte) {
        m_words[keyOf(byte >> 2)][static_cast<std::size_t>(byte & 3)] = number;
    }
}

void MemoryValue::writeAnywhere(std::uint64_t number)
{
    m_root = mixed(whole(), number);
    m_written = false;
}

} // namespace ptxwb
