// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"

#include <cstdint>

namespace ptxwb {

/// The parts of one address-prefixed line of a disassembly.
struct SassRow {
    std::uint64_t address = 0;
    std::string_view predicate{};
    std::string_view opcode{};
    std::string_view operands{};
    std::optional<std::uint64_t> lowWord{};
};

std::string_view trimmed(std::string_view text);

/// `/*00a0*/  @!P0 BRA `(.L_x_1) ;  /* 0x... */`; nothing when the line does not begin with an address
/// comment.
std::optional<SassRow> parseSassRow(std::string_view line);

/// The second line of a row: only `/* 0x... */`, the high word of the encoding.
std::optional<std::uint64_t> parseEncodingLine(std::string_view line);

/// `//## File "x.cu", line 3 inlined at "y.cu", line 9`
struct LineMarker {
    std::string_view file{};
    int line = 0;
    std::string_view callerFile{}; ///< empty unless inlined
    int callerLine = 0;
};
std::optional<LineMarker> parseLineMarker(std::string_view line);

} // namespace ptxwb
