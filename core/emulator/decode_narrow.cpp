// SPDX-License-Identifier: Apache-2.0
// Decoding of what works on parts of registers: pairs of 16-bit integers and floats, 24-bit products, dp2a,
// pairs of 8-bit floats, cvt.pack; and of what gives two results: mad.cc, lop3 with a predicate.
#include "core/emulator/decoder.h"
#include "core/emulator/lane_form.h"

#include <algorithm>
#include <array>

namespace ptxwb::emulator {

namespace {

bool isEights(ValueType type)
{
    return type == ValueType::E4m3x2 || type == ValueType::E5m2x2;
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

bool packIntegers(Decoder& decoder, const Statement& s, Instr& in)
{
    constexpr std::array<std::pair<std::string_view, std::uint32_t>, 8> forms{
        {{".s16", 16}, {".u16", 16}, {".s8", 8}, {".u8", 8}, {".s4", 4}, {".u4", 4}, {".s2", 2}, {".u2", 2}}};
    const auto* form = std::find_if(
        forms.begin(), forms.end(), [&](const auto& candidate) { return s.has(candidate.first); });
    if (form == forms.end() || !s.has(".sat")) {
        throw DecodeFault(".sat and the type to pack are needed");
    }
    words(decoder, s, in, form->second == 16 ? 2 : 3);
    in.imm = form->second;
    in.mode = form->first[1] == 's' ? lane_mode::nan : 0;
    choose(in, {.op = LaneOp::CvtPackIntegers, .type = ValueType::B32});
    return true;
}

std::uint32_t combinedWith(Decoder& decoder, const Operand& operand, const Statement& s, Instr& in)
{
    const std::uint32_t how = s.has(".and") ? 1U : (s.has(".or") ? 2U : (s.has(".xor") ? 3U : 0U));
    if (how == 0) {
        throw DecodeFault("the predicate that it is combined with has no .and, .or or .xor");
    }
    bool negated = false;
    in.mode |= how << lane_mode::combineShift;
    const auto predicate = decoder.predicateSource(operand, negated);
    in.mode |= negated ? lane_mode::negateC : 0;
    return predicate;
}

/// One predicate by the low halves, one by the high ones.
bool comparePairs(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto type = typeOf(s);
    if (type != ValueType::F16x2 && type != ValueType::Bf16x2) {
        return false;
    }
    expectOperands(s, 3, 4);
    if (s.operands[0].kind != Operand::Kind::Pair) {
        throw DecodeFault("two predicates (p|q) are needed");
    }
    in.mode = s.has(".ftz") ? lane_mode::ftz : 0;
    in.a = decoder.source(s.operands[1], ValueType::B32);
    in.b = decoder.source(s.operands[2], ValueType::B32);
    in.c = s.operands.size() > 3 ? combinedWith(decoder, s.operands[3], s, in) : truePredicate;
    in.d = decoder.predicateDestination(s.operands[0].parts[0]);
    in.e = decoder.predicateDestination(s.operands[0].parts[1]);
    choose(in, {.op = LaneOp::SetpPair, .type = type});
    in.target = static_cast<std::uint32_t>(comparisonOf(s));
    return true;
}

/// d|p: p says whether d is not 0, combined with another predicate.
void lop3WithPredicate(Decoder& decoder, const Statement& s)
{
    if (!s.has(".or") && !s.has(".and")) {
        return;
    }
    expectOperands(s, 6, 6);
    if (s.operands[0].kind != Operand::Kind::Pair) {
        throw DecodeFault("a register and a predicate (d|p) are needed");
    }
    Instr isNotZero;
    isNotZero.a = decoder.destination(s.operands[0].parts[0], ValueType::B32);
    decoder.forgetAccesses(); // the lop3 itself notes d
    isNotZero.c = combinedWith(decoder, s.operands[5], s, isNotZero);
    isNotZero.d = decoder.predicateDestination(s.operands[0].parts[1]);
    isNotZero.e = noPredicate;
    isNotZero.b = decoder.constant(0, false);
    choose(isNotZero, {.op = LaneOp::Setp, .type = ValueType::B32, .compare = Compare::Ne});
    isNotZero.hasEffect = false;
    decoder.emitAfter(isNotZero);
}

/// Two 64-bit moves: of the halves, or of the registers that they come from or go to.
bool move128(Decoder& decoder, const Statement& s, Instr& in)
{
    if (typeOf(s) != ValueType::B128) {
        return false;
    }
    expectOperands(s, 2, 2);
    const auto rowsOf = [&](const Operand& operand, bool written) -> std::array<std::uint32_t, 2> {
        const auto row = [&](const Operand& o, ValueType type) {
            return written ? decoder.destination(o, type) : decoder.source(o, type);
        };
        if (operand.kind != Operand::Kind::Vector) {
            const auto whole = row(operand, ValueType::B128);
            return {whole, whole + 2};
        }
        if (operand.parts.size() != 2) {
            throw DecodeFault("two 64-bit registers make 128 bits");
        }
        const auto low = row(operand.parts[0], ValueType::B64);
        return {low, row(operand.parts[1], ValueType::B64)};
    };
    Instr low;
    choose(low, {.op = LaneOp::Mov, .type = ValueType::B64});
    low.hasEffect = false;
    choose(in, {.op = LaneOp::Mov, .type = ValueType::B64});
    in.undefinedPasses = true;
    // Reads and writes are noted with the second move, which is the one that counts.
    const auto from = rowsOf(s.operands[1], false);
    const auto to = rowsOf(s.operands[0], true);
    in.a = from[1];
    in.d = to[1];
    low.a = from[0];
    low.d = to[0];
    decoder.emitHidden(low);
    return true;
}

bool multiplyWithCarry(Decoder& decoder, const Statement& s, Instr& in)
{
    const bool withIn = s.opcode == "madc";
    if (!withIn && !s.has(".cc")) {
        return false;
    }
    const auto type = typeOf(s);
    expectOperands(s, 4, 4);
    if (!s.has(".lo") && !s.has(".hi")) {
        throw DecodeFault(".lo or .hi is missing");
    }
    in.d = decoder.destination(s.operands[0], type);
    in.a = decoder.source(s.operands[1], type);
    in.b = decoder.source(s.operands[2], type);
    in.c = decoder.source(s.operands[3], type);
    in.mode = (withIn ? lane_mode::carryIn : 0) | (s.has(".cc") ? lane_mode::carryOut : 0);
    choose(in, {.op = s.has(".hi") ? LaneOp::MadHiCc : LaneOp::MadLoCc, .type = type});
    return true;
}

} // namespace

bool decodeNarrow(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto op = s.opcode;
    if (op == "cvt") {
        return s.has(".pack") ? packIntegers(decoder, s, in) : convert(decoder, s, in);
    }
    if (op == "setp") {
        return comparePairs(decoder, s, in);
    }
    if (op == "mov") {
        return move128(decoder, s, in);
    }
    if (op == "lop3") {
        lop3WithPredicate(decoder, s); // the rest is as without
        return false;
    }
    if (op == "mad" || op == "madc") {
        return multiplyWithCarry(decoder, s, in);
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
    if (op == "mul24" || op == "mad24") {
        const bool add = op == "mad24";
        if (s.has(".sat") && !(add && high)) {
            throw DecodeFault(".sat belongs to mad24.hi");
        }
        words(decoder, s, in, add ? 3 : 2);
        choose(in,
            {.op = s.has(".sat") ? LaneOp::Mad24HiSat
                    : add        ? (high ? LaneOp::Mad24Hi : LaneOp::Mad24Lo)
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
