// SPDX-License-Identifier: Apache-2.0
// Decoding of what works on parts of registers: pairs of 16-bit integers, 24-bit products, dp2a, pairs of
// 8-bit floats.
#include "core/emulator/decoder.h"
#include "core/emulator/lane_form.h"

namespace ptxwb::emulator {

namespace {

bool isEights(ValueType type)
{
    return type == ValueType::E4m3x2 || type == ValueType::E5m2x2;
}

void choose(Instr& in, const LaneForm& form)
{
    in.type = form.type;
    in.run = laneHandler(form);
}

bool convert(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto types = typesOf(s);
    if (types.size() != 2 || (!isEights(types[0]) && !isEights(types[1])) || s.has(".rs")) {
        return false;
    }
    const bool singles = types[1] == ValueType::F32;
    expectOperands(s, singles ? 3 : 2, singles ? 3 : 2);
    in.mode = s.has(".relu") ? lane_mode::relu : 0;
    in.d = decoder.destination(s.operands[0], types[0]);
    in.a = decoder.source(s.operands[1], types[1]);
    in.b = singles ? decoder.source(s.operands[2], types[1]) : in.a;
    choose(in, {.op = LaneOp::CvtEights, .type = types[0], .from = types[1]});
    return true;
}

void words(Decoder& decoder, const Statement& s, Instr& in, std::size_t sources)
{
    expectOperands(s, sources + 1, sources + 1);
    in.d = decoder.destination(s.operands[0], ValueType::B32);
    in.a = decoder.source(s.operands[1], ValueType::B32);
    in.b = decoder.source(s.operands[2], ValueType::B32);
    in.c = sources > 2 ? decoder.source(s.operands[3], ValueType::B32) : in.b;
}

} // namespace

bool decodeNarrow(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto op = s.opcode;
    if (op == "cvt") {
        return convert(decoder, s, in);
    }
    const bool high = s.has(".hi");
    if (op == "dp2a") {
        const auto types = typesOf(s);
        if (types.size() != 2) {
            return false;
        }
        words(decoder, s, in, 3);
        in.mode = high ? 16 : 0;
        choose(in, {.op = LaneOp::Dp2a, .type = types[0], .from = types[1]});
        return true;
    }
    if ((op == "mul24" || op == "mad24") && !s.has(".sat")) {
        const bool add = op == "mad24";
        words(decoder, s, in, add ? 3 : 2);
        choose(in,
            {.op = add ? (high ? LaneOp::Mad24Hi : LaneOp::Mad24Lo)
                       : (high ? LaneOp::Mul24Hi : LaneOp::Mul24Lo),
                .type = typeOf(s)});
        return true;
    }
    if (op == "set") {
        const auto types = typesOf(s);
        if (types.size() != 2 || (types[1] != ValueType::F16x2 && types[1] != ValueType::Bf16x2)
            || s.operands.size() != 3) {
            return false;
        }
        words(decoder, s, in, 2);
        const bool one = types[0] == ValueType::F16x2 || types[0] == ValueType::Bf16x2;
        in.imm = !one ? 0xFFFFU : types[0] == ValueType::F16x2 ? 0x3C00U : 0x3F80U;
        in.mode = s.has(".ftz") ? lane_mode::ftz : 0;
        choose(in,
            {
                .op = LaneOp::SetPair,
                .type = types[1],
            });
        in.target = static_cast<std::uint32_t>(comparisonOf(s));
        return true;
    }
    if (op == "min" || op == "max" || op == "add") {
        const auto types = typesOf(s);
        const bool relu = s.has(".relu");
        if (types.size() != 1
            || !(types[0] == ValueType::U16x2 || types[0] == ValueType::S16x2
                || (types[0] == ValueType::S32 && relu))) {
            return false;
        }
        words(decoder, s, in, 2);
        in.mode = relu ? lane_mode::relu : 0;
        choose(in,
            {.op = op == "add" ? LaneOp::Add : (op == "min" ? LaneOp::Min : LaneOp::Max),
                .type = types[0],
                .relu = relu});
        return true;
    }
    return false;
}

} // namespace ptxwb::emulator
