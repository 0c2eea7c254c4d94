// SPDX-License-Identifier: Apache-2.0
#include "core/sass/read_width.h"

#include "core/sass/result_width.h"

namespace ptxwb {

namespace {

int accessWidth(std::string_view opcode)
{
    const auto has = [opcode](std::string_view word) { return opcode.find(word) != std::string_view::npos; };
    return has(".256") ? 8 : has(".128") ? 4 : has(".64") ? 2 : 1;
}

/// Registers of A and B by the shape m16n8k.. and m8n8k..; the sums are as wide as the result.
int factorWidth(std::string_view opcode, bool ofA)
{
    const auto has = [opcode](std::string_view word) { return opcode.find(word) != std::string_view::npos; };
    if (opcode.starts_with("DMMA")) {
        return has(".884") ? 2 : 1;
    }
    if (has(".16816") && opcode.starts_with("IMMA")) {
        return ofA ? 2 : 1;
    }
    if (has(".16816") || has(".16832") || has(".16864") || (has(".1688") && has(".TF32"))) {
        return ofA ? 4 : 2;
    }
    return has(".1688") ? (ofA ? 2 : 1) : 1;
}

} // namespace

int operandWidth(std::string_view opcode, OperandPlace place)
{
    const auto base = opcode.substr(0, opcode.find('.'));
    if (place.uniform) {
        return 1;
    }
    if (base == "ST" || base == "STG" || base == "STS" || base == "STL" || base.starts_with("ATOM")
        || base == "RED" || base == "REDG") {
        return accessWidth(opcode);
    }
    if (base == "STSM") {
        return opcode.find(".4") != std::string_view::npos ? 4
            : opcode.find(".2") != std::string_view::npos  ? 2
                                                           : 1;
    }
    if (base == "DADD" || base == "DMUL" || base == "DFMA" || base == "DSETP" || base == "FADD2"
        || base == "FMUL2" || base == "FFMA2") {
        return 2;
    }
    if (base == "IMAD" && opcode.find(".WIDE") != std::string_view::npos && place.last
        && place.fromFront == 3) {
        return 2;
    }
    if (base == "STTM") {
        return tensorMemoryWidth(opcode);
    }
    if (base.find("GMMA") != std::string_view::npos) {
        return place.last ? resultWidth(opcode).exact : place.fromFront == 1 ? 4 : 1;
    }
    if (base.ends_with("MMA") && !base.starts_with("UTC")) {
        return place.fromFront == 3 ? resultWidth(opcode).exact : factorWidth(opcode, place.fromFront == 1);
    }
    return 1;
}

int bracketWidth(std::string_view before, bool matrixPair)
{
    return before.ends_with("gdesc") ? (matrixPair ? 4 : 2) : before.ends_with("desc") ? 2 : 1;
}

} // namespace ptxwb
