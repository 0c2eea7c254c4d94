// SPDX-License-Identifier: Apache-2.0
#include "core/sass/read_width.h"

#include "core/sass/result_width.h"

namespace ptxwb {

namespace {

bool holds(std::string_view opcode, std::string_view word)
{
    return opcode.find(word) != std::string_view::npos;
}

int accessWidth(std::string_view opcode)
{
    const bool pair =
        holds(opcode, ".64") || holds(opcode, ".F64") || holds(opcode, ".S64") || holds(opcode, ".U64");
    return holds(opcode, ".256") ? 8 : holds(opcode, ".128") ? 4 : pair ? 2 : 1;
}

/// Of a conversion: F2I reads a float, I2F an integer, "F2F.F32.F64" names what it reads last.
int convertedWidth(std::string_view base, std::string_view opcode)
{
    if (base == "I2F") {
        return holds(opcode, ".S64") || holds(opcode, ".U64") ? 2 : 1;
    }
    if (base == "F2F") {
        const auto at = opcode.rfind(".F");
        return at != std::string_view::npos && opcode.substr(at).starts_with(".F64") ? 2 : 1;
    }
    return holds(opcode, ".F64") ? 2 : 1;
}

/// Registers of A and B by the shape m16n8k.. and m8n8k..; the sums are as wide as the result.
int factorWidth(std::string_view opcode, bool ofA)
{
    const auto has = [opcode](std::string_view word) { return holds(opcode, word); };
    if (opcode.starts_with("DMMA")) {
        return has(".884") || has(".8x8x4") ? 2 : 1;
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
    // Sums of 64 bits: the last operand, also where the factor before it is a constant.
    if ((base == "IMAD" || base == "UIMAD") && (holds(opcode, ".WIDE") || holds(opcode, ".HI")) && place.final
        && place.fromFront >= 2) {
        return 2;
    }
    if (base == "SYNCS" && holds(opcode, ".64")) {
        return 2;
    }
    if (place.uniform) {
        return 1;
    }
    if (base == "F2I" || base == "F2F" || base == "I2F" || base == "FRND") {
        return convertedWidth(base, opcode);
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

namespace {

/// Coordinates of "UTMALDG.3D": 3.
int coordinatesOf(std::string_view opcode)
{
    const auto at = opcode.find("D.", 1);
    const auto digit = at == std::string_view::npos ? opcode.size() - 2 : at - 1;
    return opcode[digit] >= '1' && opcode[digit] <= '5' ? opcode[digit] - '0' : 0;
}

/// Of tensor copies (UTMALDG, UTMASTG, UTMAREDG, UTMAPF) and bulk ones (UBLKCP, UBLKRED, UBLKPF).
int copyWidth(std::string_view base, std::string_view opcode, int index)
{
    if (base.starts_with("UBLK")) {
        return index == 1 && (holds(opcode, ".S.S") || holds(opcode, ".G.S")) ? 1 : 2;
    }
    if (index > 0) {
        return 2; // the tensor map
    }
    const int before = base == "UTMALDG" ? 2 : base == "UTMAPF" ? 0 : 1;
    const int coordinates = coordinatesOf(opcode);
    return coordinates == 0 ? 1 : before + coordinates;
}

} // namespace

int bracketWidth(std::string_view opcode, const BracketPlace& place)
{
    if (place.before.ends_with("idesc")) {
        return 1;
    }
    if (place.before.ends_with("gdesc")) {
        return place.matrixPair || holds(place.behind, ".tnsp") ? 4 : 2;
    }
    if (place.before.ends_with("desc")) {
        return 2;
    }
    const auto base = opcode.substr(0, opcode.find('.'));
    if (place.uniform && (base.starts_with("UTMA") || base.starts_with("UBLK"))) {
        return copyWidth(base, opcode, place.index);
    }
    return base == "ATOMG" && !place.uniform ? 2 : 1;
}

} // namespace ptxwb
