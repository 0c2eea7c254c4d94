// SPDX-License-Identifier: Apache-2.0
#include "core/sass/result_width.h"

#include <algorithm>
#include <array>

namespace ptxwb {

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
        return {1, 127};
    }
    if (base == "LDTM" || base.starts_with("TEX") || base.starts_with("TLD") || base.starts_with("SUL")) {
        return {1, 127};
    }
    if (base.ends_with("MMA")) {
        return {2, 6};
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
    static constexpr std::array<std::string_view, 41> single{"FADD", "FFMA", "FMNMX", "FMUL", "FSEL", "HADD2",
        "HFMA2", "HMUL2", "I2FP", "IABS", "IADD3", "IMAD", "IMNMX", "LDC", "LDCU", "LDG", "LDL", "LDS", "LEA",
        "LOP3", "MOV", "MUFU", "PRMT", "R2UR", "S2R", "S2UR", "SEL", "SHF", "SHFL", "UIADD3", "UIMAD", "ULDC",
        "ULEA", "ULOP3", "UMOV", "UPRMT", "USEL", "USHF", "VIADD", "VIADDMNMX", "VIMNMX"};
    static_assert(std::ranges::is_sorted(single));
    return std::ranges::binary_search(single, base) ? ResultWidth{1, 0} : ResultWidth{1, 3};
}

} // namespace ptxwb
