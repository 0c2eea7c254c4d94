// SPDX-License-Identifier: Apache-2.0
#include "core/sass/result_width.h"

#include "core/sass/opcode_reading.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ptxwb {

namespace {

/// The number that follows `mark` in `text`; 0 where there is none.
int numberBehind(std::string_view text, std::string_view mark)
{
    int number = 0;
    for (auto at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
        const auto digits = text.substr(at + mark.size());
        if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc()) {
            return number;
        }
    }
    return 0;
}

/// "HGMMA.64x256x16.F32.BF16": a warpgroup's 128 threads share 64 x N accumulators.
ResultWidth wgmmaWidth(std::string_view opcode)
{
    const int n = numberBehind(opcode, "x");
    const auto type = opcode.find(".F16");
    const bool half = opcode.starts_with("H") && type != std::string_view::npos
        && opcode.find(".F32") == std::string_view::npos;
    const int width = half ? n / 4 : n / 2;
    return width > 0 ? ResultWidth{width, 0} : ResultWidth{1, 127};
}

} // namespace

int tensorMemoryWidth(std::string_view opcode)
{
    const int repeated = std::max(numberBehind(opcode, ".x"), 1);
    const int bits = numberBehind(opcode, "dp");
    const int width = bits == 128 ? 2 * repeated : bits == 256 ? 4 * repeated : repeated;
    return width;
}

namespace {

/// Shapes as m8n8k4 = 884, m16n8k16 = 16816 and so on: 8 rows make 2 sums a lane, 16 make 4.
ResultWidth mmaWidth(std::string_view opcode, std::string_view base)
{
    const int shape = numberBehind(opcode, ".");
    if (shape == 0 || (base == "HMMA" && shape == 884)) {
        return {2, 6};
    }
    const bool eightRows = opcode.find(".8") != std::string_view::npos;
    const int sums = eightRows ? 2 : 4;
    const bool half =
        base != "DMMA" && base != "IMMA" && base != "BMMA" && opcode.find(".F32") == std::string_view::npos;
    return {base == "DMMA" ? 2 * sums : half ? sums / 2 : sums, 0};
}

} // namespace

ResultWidth resultWidth(std::string_view opcode)
{
    const auto base = opcode.substr(0, opcode.find('.'));
    const auto has = [opcode](std::string_view modifier) {
        for (auto at = opcode.find(modifier); at != std::string_view::npos;
             at = opcode.find(modifier, at + 1)) {
            const auto end = at + modifier.size();
            if (end == opcode.size() || opcode[end] == '.') {
                return true;
            }
        }
        return false;
    };
    if (base.find("GMMA") != std::string_view::npos) {
        return wgmmaWidth(opcode);
    }
    if (base == "LDTM") {
        return {tensorMemoryWidth(opcode), 0};
    }
    if (base.starts_with("TEX") || base.starts_with("TLD") || base.starts_with("SUL")) {
        return {1, 127};
    }
    if (base.ends_with("MMA")) {
        return mmaWidth(opcode, base);
    }
    if (base == "LDSM") {
        return has(".4") ? ResultWidth{4, 0} : has(".2") ? ResultWidth{2, 0} : ResultWidth{1, 0};
    }
    if (has(".256")) {
        return {8, 0};
    }
    if (has(".128")) {
        return {4, 0};
    }
    if (base == "SHF" || base == "USHF" || base == "MATCH" || base == "QSPC") {
        return {1, 0}; // ".U64" is what they read
    }
    if (base == "F2I" || base == "UF2I") {
        return has(".S64") || has(".U64") ? ResultWidth{2, 0} : ResultWidth{1, 0};
    }
    if (base == "F2F" || base == "UF2F") {
        return opcode.substr(base.size()).starts_with(".F64") ? ResultWidth{2, 0} : ResultWidth{1, 0};
    }
    if (base == "I2F" || base == "UI2F") {
        return has(".F64") ? ResultWidth{2, 0} : ResultWidth{1, 0};
    }
    if (has(".64") || has(".WIDE") || has(".F64") || has(".S64") || has(".U64") || has(".ALIGN64")) {
        return {2, 0};
    }
    if (base == "CS2R") {
        return has(".32") ? ResultWidth{1, 0} : ResultWidth{2, 0};
    }
    if (base == "DADD" || base == "DMUL" || base == "DFMA" || base == "FADD2" || base == "FMUL2"
        || base == "FFMA2") {
        return {2, 0};
    }
    // Of the opcodes that are read in words, these are wider in ways that the name does not say.
    static constexpr std::array<std::string_view, 12> unsure{
        "ATOM", "ATOMG", "ATOMS", "B2R", "CS2UR", "LEPC", "SULD", "TEX", "TLD", "TLD4", "TXD", "ULEPC"};
    static_assert(std::ranges::is_sorted(unsure));
    const bool single = opcodeReading(opcode) != nullptr && !std::ranges::binary_search(unsure, base);
    return single ? ResultWidth{1, 0} : ResultWidth{1, 3};
}

} // namespace ptxwb
