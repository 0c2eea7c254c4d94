// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/text_places.h"

#include <algorithm>

namespace ptxwb {

namespace {

bool startsCodePoint(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

} // namespace

TextPlaces::TextPlaces(std::string_view text)
    : m_text(text)
    , m_starts{0}
{
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' || (text[i] == '\r' && !text.substr(i + 1).starts_with('\n'))) {
            m_starts.push_back(static_cast<std::uint32_t>(i + 1));
        }
    }
}

int TextPlaces::lineOf(std::uint32_t offset) const
{
    return static_cast<int>(std::upper_bound(m_starts.begin(), m_starts.end(), offset) - m_starts.begin());
}

int TextPlaces::columnOf(std::uint32_t offset) const
{
    const auto start = m_starts[static_cast<std::size_t>(lineOf(offset)) - 1];
    const auto before = m_text.substr(start, std::min<std::size_t>(offset, m_text.size()) - start);
    return 1 + static_cast<int>(std::count_if(before.begin(), before.end(), startsCodePoint));
}

std::size_t TextPlaces::offsetOf(int line, int column) const
{
    const auto row = static_cast<std::size_t>(std::max(line, 1)) - 1;
    if (row >= m_starts.size()) {
        return m_text.size();
    }
    std::size_t at = m_starts[row];
    const std::size_t end = row + 1 < m_starts.size() ? m_starts[row + 1] - 1 : m_text.size();
    for (int current = 1; current < column && at < end; ++current) {
        ++at;
        while (at < end && !startsCodePoint(m_text[at])) {
            ++at;
        }
    }
    return at;
}

TextRange TextPlaces::rangeOf(std::uint32_t first, std::uint32_t end) const
{
    return {lineOf(first), columnOf(first), lineOf(end), columnOf(end)};
}

} // namespace ptxwb
