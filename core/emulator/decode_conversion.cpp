// SPDX-License-Identifier: Apache-2.0
// cvt between integers and floats of any width.
#include "core/emulator/decoder.h"

namespace ptxwb::emulator {

bool decodeConversion(Decoder& decoder, const Statement& s, Instr& in)
{
    if (s.opcode != "cvt") {
        return false;
    }
    const auto types = typesOf(s);
    if (types.size() < 2 || s.has(".rs") || s.has(".pack")) {
        throw FormNotEmulated(std::string(s.text));
    }
    const auto to = types[0];
    const auto from = types[1];
    in.mode = flagsOf(s);
    const bool pair = to == ValueType::F16x2 || to == ValueType::Bf16x2;
    if (pair) {
        expectOperands(s, 3, 3);
        in.d = decoder.destination(s.operands[0], to);
        in.a = decoder.source(s.operands[1], from);
        in.b = decoder.source(s.operands[2], from);
        LaneForm form = formOf(s, LaneOp::CvtPack, to);
        form.relu = form.relu || s.has(".satfinite");
        if (s.has(".satfinite") || from != ValueType::F32) {
            throw FormNotEmulated(std::string(s.text));
        }
        choose(in, form);
        return true;
    }
    expectOperands(s, 2, 2);
    int bits = 0;
    in.d = decoder.wideDestination(s.operands[0], to, bits);
    if (bits > 32 && bitsOf(to) <= 32) {
        throw FormNotEmulated(std::string(s.text) + " into a wider register");
    }
    const bool wide = bits == 32;
    in.a = decoder.wideSource(s.operands[1], from, bits);
    if (bits > 32 && bitsOf(from) <= 32) {
        if (isFloat(from) || isFloat(to) || bitsOf(to) != 64 || bits != 64 || s.has(".sat")) {
            throw FormNotEmulated(std::string(s.text) + " from a wider register");
        }
        // The low bits of the register, extended as `from` says.
        in.b = decoder.constant(0, false);
        in.c = decoder.constant(static_cast<std::uint64_t>(bitsOf(from)), false);
        choose(in, {.op = LaneOp::Bfe, .type = isSigned(from) ? ValueType::S64 : ValueType::U64});
        return true;
    }
    LaneForm form = formOf(s, LaneOp::Cvt, to);
    form.from = from;
    form.wide = wide;
    if (to == from && isFloat(to) && form.rounding == Rounding::None && !form.ftz && !form.sat) {
        form.op = LaneOp::Mov;
    }
    choose(in, form);
    return true;
}

} // namespace ptxwb::emulator
