// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/outline.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Where bytes of a text stand; lines and columns (code points) from 1.
class TextPlaces {
public:
    explicit TextPlaces(std::string_view text);
    int lineOf(std::uint32_t offset) const;
    int columnOf(std::uint32_t offset) const;
    /// The byte of a place; the line's end for a column behind it.
    std::size_t offsetOf(int line, int column) const;
    TextRange rangeOf(std::uint32_t first, std::uint32_t end) const;

private:
    std::string_view m_text;
    std::vector<std::uint32_t> m_starts;
};

} // namespace ptxwb
