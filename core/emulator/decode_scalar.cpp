// SPDX-License-Identifier: Apache-2.0
// Arithmetic, logic, comparison and moves.
#include "core/emulator/decoder.h"
#include "core/emulator/warp_handlers.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

std::uint32_t flagsOf(const Statement& s)
{
    std::uint32_t mode = 0;
    mode |= s.has(".ftz") ? lane_mode::ftz : 0;
    mode |= s.has(".sat") ? lane_mode::sat : 0;
    mode |= s.has(".relu") ? lane_mode::relu : 0;
    mode |= s.has(".NaN") ? lane_mode::nan : 0;
    mode |= s.has(".xorsign") ? lane_mode::xorsign : 0;
    mode |= s.has(".abs") && (s.opcode == "min" || s.opcode == "max") ? lane_mode::absolute : 0;
    return mode | static_cast<std::uint32_t>(roundingOf(s)) << lane_mode::roundingShift;
}

LaneForm formOf(const Statement& s, LaneOp op, ValueType type)
{
    return {.op = op,
        .type = type,
        .rounding = roundingOf(s),
        .ftz = s.has(".ftz"),
        .sat = s.has(".sat"),
        .approx = s.has(".approx"),
        .nan = s.has(".NaN"),
        .relu = s.has(".relu")};
}

void choose(Instr& in, const LaneForm& form)
{
    in.type = form.type;
    in.run = laneHandler(form);
}

namespace {

struct Shape {
    LaneOp op;
    std::size_t sources;
};

std::optional<Shape> shapeOf(const Statement& s)
{
    static const std::map<std::string_view, Shape> shapes{{"add", {LaneOp::Add, 2}},
        {"sub", {LaneOp::Sub, 2}}, {"div", {LaneOp::Div, 2}}, {"rem", {LaneOp::Rem, 2}},
        {"abs", {LaneOp::Abs, 1}}, {"neg", {LaneOp::Neg, 1}}, {"min", {LaneOp::Min, 2}},
        {"max", {LaneOp::Max, 2}}, {"brev", {LaneOp::Brev, 1}}, {"and", {LaneOp::And, 2}},
        {"or", {LaneOp::Or, 2}}, {"xor", {LaneOp::Xor, 2}}, {"not", {LaneOp::Not, 1}},
        {"cnot", {LaneOp::Cnot, 1}}, {"sad", {LaneOp::Sad, 3}}, {"fma", {LaneOp::Fma, 3}},
        {"rcp", {LaneOp::Rcp, 1}}, {"sqrt", {LaneOp::Sqrt, 1}}, {"rsqrt", {LaneOp::Rsqrt, 1}},
        {"sin", {LaneOp::Sin, 1}}, {"cos", {LaneOp::Cos, 1}}, {"lg2", {LaneOp::Lg2, 1}},
        {"ex2", {LaneOp::Ex2, 1}}, {"tanh", {LaneOp::Tanh, 1}}, {"copysign", {LaneOp::Copysign, 2}}};
    const auto found = shapes.find(s.opcode);
    return found == shapes.end() ? std::nullopt : std::optional(found->second);
}

bool isInteger(ValueType type)
{
    return !isFloat(type);
}

void arithmetic(Decoder& decoder, const Statement& s, Instr& in, Shape shape)
{
    const auto type = typeOf(s);
    const bool extreme = shape.op == LaneOp::Min || shape.op == LaneOp::Max;
    const std::size_t most = extreme && type == ValueType::F32 ? 3 : shape.sources;
    expectOperands(s, shape.sources + 1, most + 1);
    if (typesOf(s).size() > 1 && isFloat(type)) {
        throw FormNotEmulated(std::string(s.text)); // mixed precision of sm_100
    }
    in.mode = flagsOf(s);
    if (s.has(".cc") || s.opcode == "addc" || s.opcode == "subc") {
        throw FormNotEmulated(std::string(s.text));
    }
    in.d = decoder.destination(s.operands[0], type);
    in.a = decoder.source(s.operands[1], type);
    in.b = s.operands.size() > 2 ? decoder.source(s.operands[2], type) : in.a;
    in.c = s.operands.size() > 3 ? decoder.source(s.operands[3], type) : in.b;
    LaneForm form = formOf(s, shape.op, type);
    if (extreme && type == ValueType::F32) {
        // "relu" asks for the fast path here: no flag at all.
        form.relu = s.operands.size() == 3
            && (in.mode & (lane_mode::ftz | lane_mode::nan | lane_mode::xorsign | lane_mode::absolute)) == 0;
    } else if (s.has(".relu") && !isFloat(type)) {
        throw FormNotEmulated(std::string(s.text));
    }
    choose(in, form);
}

void multiply(Decoder& decoder, const Statement& s, Instr& in)
{
    const bool add = s.opcode == "mad";
    const auto type = typeOf(s);
    expectOperands(s, add ? 4 : 3, add ? 4 : 3);
    if (s.has(".cc")) {
        throw FormNotEmulated(std::string(s.text));
    }
    in.mode = flagsOf(s);
    const bool wide = s.has(".wide");
    const ValueType result = wide ? (bitsOf(type) == 16 ? (isSigned(type) ? ValueType::S32 : ValueType::U32)
                                                        : (isSigned(type) ? ValueType::S64 : ValueType::U64))
                                  : type;
    in.d = decoder.destination(s.operands[0], result);
    in.a = decoder.source(s.operands[1], type);
    in.b = decoder.source(s.operands[2], type);
    in.c = add ? decoder.source(s.operands[3], result) : in.b;
    LaneOp op = add ? LaneOp::Fma : LaneOp::Mul;
    if (isInteger(type)) {
        if (!wide && !s.has(".hi") && !s.has(".lo")) {
            throw DecodeFault(".lo, .hi or .wide is missing");
        }
        op = wide          ? (add ? LaneOp::MadWide : LaneOp::MulWide)
            : s.has(".hi") ? (add ? LaneOp::MadHi : LaneOp::MulHi)
                           : (add ? LaneOp::MadLo : LaneOp::MulLo);
    }
    choose(in, formOf(s, op, type));
}

void carry(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto type = typeOf(s);
    expectOperands(s, 3, 3);
    in.d = decoder.destination(s.operands[0], type);
    in.a = decoder.source(s.operands[1], type);
    in.b = decoder.source(s.operands[2], type);
    const bool withIn = s.opcode == "addc" || s.opcode == "subc";
    in.mode = (withIn ? lane_mode::carryIn : 0) | (s.has(".cc") ? lane_mode::carryOut : 0);
    choose(in, {.op = s.opcode.starts_with("add") ? LaneOp::AddCc : LaneOp::SubCc, .type = type});
}

void shift(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto type = typeOf(s);
    expectOperands(s, 3, 3);
    in.d = decoder.destination(s.operands[0], type);
    in.a = decoder.source(s.operands[1], type);
    in.b = decoder.source(s.operands[2], ValueType::U32);
    choose(in, {.op = s.opcode == "shl" ? LaneOp::Shl : LaneOp::Shr, .type = type});
}

void count(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto type = typeOf(s);
    expectOperands(s, 2, 2);
    in.d = decoder.destination(s.operands[0], ValueType::U32);
    in.a = decoder.source(s.operands[1], type);
    in.mode = s.has(".shiftamt") ? lane_mode::shiftAmount : 0;
    choose(in,
        {.op = s.opcode == "popc" ? LaneOp::Popc : (s.opcode == "clz" ? LaneOp::Clz : LaneOp::Bfind),
            .type = type});
}

void field(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto type = typeOf(s);
    const bool insert = s.opcode == "bfi";
    expectOperands(s, insert ? 5 : 4, insert ? 5 : 4);
    in.d = decoder.destination(s.operands[0], type);
    in.a = decoder.source(s.operands[1], type);
    in.b = decoder.source(s.operands[2], insert ? type : ValueType::U32);
    in.c = decoder.source(s.operands[3], ValueType::U32);
    in.e = insert ? decoder.source(s.operands[4], ValueType::U32) : 0;
    choose(in, {.op = insert ? LaneOp::Bfi : LaneOp::Bfe, .type = type});
}

void threeWords(Decoder& decoder, const Statement& s, Instr& in, LaneOp op)
{
    expectOperands(s, 4, 4);
    in.d = decoder.destination(s.operands[0], ValueType::B32);
    in.a = decoder.source(s.operands[1], ValueType::B32);
    in.b = decoder.source(s.operands[2], ValueType::B32);
    in.c = decoder.source(s.operands[3], ValueType::B32);
    choose(in, {.op = op, .type = ValueType::B32});
}

void lop3(Decoder& decoder, const Statement& s, Instr& in)
{
    const bool pair = s.operands.at(0).kind == Operand::Kind::Pair; // its predicate is decoded before
    expectOperands(s, pair ? 6 : 5, pair ? 6 : 5);
    in.d = decoder.destination(pair ? s.operands[0].parts[0] : s.operands[0], ValueType::B32);
    in.a = decoder.source(s.operands[1], ValueType::B32);
    in.b = decoder.source(s.operands[2], ValueType::B32);
    in.c = decoder.source(s.operands[3], ValueType::B32);
    in.imm = static_cast<std::uint64_t>(decoder.immediate(s.operands[4]));
    choose(in, {.op = LaneOp::Lop3, .type = ValueType::B32});
}

void permute(Decoder& decoder, const Statement& s, Instr& in)
{
    threeWords(decoder, s, in, LaneOp::Prmt);
    static const std::map<std::string_view, std::uint32_t> modes{
        {".f4e", 1}, {".b4e", 2}, {".rc8", 3}, {".ecl", 4}, {".ecr", 5}, {".rc16", 6}};
    for (const auto modifier : s.modifiers) {
        if (const auto found = modes.find(modifier); found != modes.end()) {
            in.mode = found->second;
        }
    }
}

void select(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 4, 4);
    const bool byPredicate = s.opcode == "selp";
    const auto type = byPredicate ? typeOf(s) : typeOf(s, 0);
    in.d = decoder.destination(s.operands[0], type);
    in.a = decoder.source(s.operands[1], type);
    in.b = decoder.source(s.operands[2], type);
    if (byPredicate) {
        bool negated = false;
        in.c = decoder.predicateSource(s.operands[3], negated);
        if (negated) {
            std::swap(in.a, in.b);
        }
    } else {
        const auto by = typeOf(s, 1);
        in.c = decoder.source(s.operands[3], by);
        in.mode = by == ValueType::F32 ? lane_mode::nan | (s.has(".ftz") ? lane_mode::ftz : 0) : 0;
    }
    choose(in, {.op = byPredicate ? LaneOp::Selp : LaneOp::Slct, .type = type});
}

} // namespace

Compare comparisonOf(const Statement& s)
{
    static const std::map<std::string_view, Compare> names{{".eq", Compare::Eq}, {".ne", Compare::Ne},
        {".lt", Compare::Lt}, {".le", Compare::Le}, {".gt", Compare::Gt}, {".ge", Compare::Ge},
        {".lo", Compare::Lt}, {".ls", Compare::Le}, {".hi", Compare::Gt}, {".hs", Compare::Ge},
        {".equ", Compare::Equ}, {".neu", Compare::Neu}, {".ltu", Compare::Ltu}, {".leu", Compare::Leu},
        {".gtu", Compare::Gtu}, {".geu", Compare::Geu}, {".num", Compare::Num}, {".nan", Compare::Nan}};
    for (const auto modifier : s.modifiers) {
        if (const auto found = names.find(modifier); found != names.end()) {
            return found->second;
        }
    }
    throw DecodeFault("the comparison is missing");
}

namespace {

std::uint32_t combination(const Statement& s)
{
    const std::uint32_t how = s.has(".and") ? 1U : (s.has(".or") ? 2U : (s.has(".xor") ? 3U : 0U));
    return how << lane_mode::combineShift;
}

void compare(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto type = typeOf(s);
    const bool set = s.opcode == "set";
    in.mode = combination(s) | (s.has(".ftz") ? lane_mode::ftz : 0);
    expectOperands(s, in.mode >> lane_mode::combineShift != 0 ? 4 : 3, 4);
    in.a = decoder.source(s.operands[1], type);
    in.b = decoder.source(s.operands[2], type);
    if (s.operands.size() > 3) {
        bool negated = false;
        in.c = decoder.predicateSource(s.operands[3], negated);
        in.mode |= negated ? lane_mode::negateC : 0;
    }
    in.e = noPredicate;
    if (set) {
        const auto result = typeOf(s, 0);
        in.d = decoder.destination(s.operands[0], result);
        in.imm = result == ValueType::F32 ? 0x3F800000U
            : result == ValueType::F16    ? 0x3C00U
            : result == ValueType::Bf16   ? 0x3F80U
            : bitsOf(result) == 16        ? 0xFFFFU
                                          : 0xFFFFFFFFU;
        if (bitsOf(result) > 32) {
            throw FormNotEmulated(std::string(s.text));
        }
    } else if (s.operands[0].kind == Operand::Kind::Pair) {
        in.d = decoder.predicateDestination(s.operands[0].parts[0]);
        in.e = decoder.predicateDestination(s.operands[0].parts[1]);
    } else {
        in.d = decoder.predicateDestination(s.operands[0]);
    }
    choose(in, {.op = set ? LaneOp::Set : LaneOp::Setp, .type = type, .compare = comparisonOf(s)});
}

void testProperty(Decoder& decoder, const Statement& s, Instr& in)
{
    static const std::map<std::string_view, std::uint32_t> names{{".finite", 0}, {".infinite", 1},
        {".number", 2}, {".notanumber", 3}, {".normal", 4}, {".subnormal", 5}};
    const auto type = typeOf(s);
    expectOperands(s, 2, 2);
    for (const auto modifier : s.modifiers) {
        if (const auto found = names.find(modifier); found != names.end()) {
            in.mode = found->second;
        }
    }
    in.d = decoder.predicateDestination(s.operands[0]);
    in.a = decoder.source(s.operands[1], type);
    choose(in, {.op = LaneOp::Testp, .type = type});
}

// ---------------------------------------------------------------- predicates and moves

void predicates(Decoder& decoder, const Statement& s, Instr& in)
{
    const bool one = s.opcode == "not" || s.opcode == "mov";
    expectOperands(s, one ? 2 : 3, one ? 2 : 3);
    bool negatedA = false;
    bool negatedB = false;
    in.d = decoder.predicateDestination(s.operands[0]);
    if (s.operands[1].kind == Operand::Kind::Special) {
        throw FormNotEmulated(fmt::format("mov.pred from {}", s.operands[1].name));
    }
    in.a = decoder.predicateSource(s.operands[1], negatedA);
    in.b = one ? in.a : decoder.predicateSource(s.operands[2], negatedB);
    in.mode = s.opcode == "and" ? predicate_mode::both
        : s.opcode == "or"      ? predicate_mode::either
        : s.opcode == "xor"     ? predicate_mode::exclusive
        : s.opcode == "not"     ? predicate_mode::opposite
                                : predicate_mode::move;
    in.mode |= (negatedA ? predicate_mode::negateA : 0) | (negatedB ? predicate_mode::negateB : 0);
    in.run = predicateLogic;
}

ValueType partType(ValueType whole, std::size_t parts)
{
    const auto bits = static_cast<std::size_t>(bitsOf(whole)) / parts;
    return bits == 8 ? ValueType::B8
        : bits == 16 ? ValueType::B16
        : bits == 32 ? ValueType::B32
                     : ValueType::None;
}

void moveVector(Decoder& decoder, const Statement& s, Instr& in, ValueType type)
{
    const bool packs = s.operands[1].kind == Operand::Kind::Vector;
    const auto& vector = packs ? s.operands[1] : s.operands[0];
    const auto part = vector.parts.empty() ? ValueType::None : partType(type, vector.parts.size());
    if (part == ValueType::None || bitsOf(type) > 64) {
        throw FormNotEmulated(std::string(s.text) + " with this number of elements");
    }
    in.bytes = static_cast<std::uint8_t>(bitsOf(part) / 8);
    auto& extra = decoder.extra(in);
    for (const auto& element : vector.parts) {
        if (packs) {
            extra.rows.push_back(decoder.source(element, part));
        } else {
            extra.rows.push_back(
                element.kind == Operand::Kind::Sink ? noPredicate : decoder.destination(element, part));
        }
    }
    if (packs) {
        in.d = decoder.destination(s.operands[0], type);
        in.run = packRegisters;
    } else {
        in.a = decoder.source(s.operands[1], type);
        in.run = unpackRegister;
    }
    in.undefinedPasses = true;
}

void move(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto type = typeOf(s);
    expectOperands(s, 2, 2);
    if (type == ValueType::Pred) {
        predicates(decoder, s, in);
        return;
    }
    if (s.operands[1].kind == Operand::Kind::Vector || s.operands[0].kind == Operand::Kind::Vector) {
        moveVector(decoder, s, in, type);
        return;
    }
    in.d = decoder.destination(s.operands[0], type);
    const auto name = s.operands[1].kind == Operand::Kind::Special ? s.operands[1].name : std::string_view();
    if (name == "%clock" || name == "%clock64" || name == "%clock_hi" || name.starts_with("%globaltimer")) {
        in.type = type;
        in.mode = name == "%clock_hi" || name == "%globaltimer_hi" ? 1 : 0;
        in.run = readClock;
        return;
    }
    in.a = decoder.source(s.operands[1], type);
    in.undefinedPasses = true;
    choose(in, {.op = LaneOp::Mov, .type = type});
}

bool decodeBits(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto op = s.opcode;
    if (op == "shl" || op == "shr") {
        shift(decoder, s, in);
    } else if (op == "popc" || op == "clz" || op == "bfind") {
        count(decoder, s, in);
    } else if (op == "bfe" || op == "bfi") {
        field(decoder, s, in);
    } else if (op == "lop3") {
        lop3(decoder, s, in);
    } else if (op == "prmt") {
        permute(decoder, s, in);
    } else if (op == "shf") {
        threeWords(decoder, s, in, s.has(".l") ? LaneOp::ShfL : LaneOp::ShfR);
        in.mode = s.has(".clamp") ? lane_mode::clamp : 0;
    } else if (op == "fns") {
        threeWords(decoder, s, in, LaneOp::Fns);
    } else if (op == "dp4a") {
        threeWords(decoder, s, in, LaneOp::Dp4a);
        in.mode = typeOf(s, 1) == ValueType::S32 ? 1 : 0;
        choose(in, {.op = LaneOp::Dp4a, .type = typeOf(s, 0)});
    } else if (op == "szext" || op == "bmsk") {
        expectOperands(s, 3, 3);
        in.d = decoder.destination(s.operands[0], ValueType::B32);
        in.a = decoder.source(s.operands[1], ValueType::B32);
        in.b = decoder.source(s.operands[2], ValueType::B32);
        in.mode = (s.has(".clamp") ? lane_mode::clamp : 0)
            | (op == "szext" && typeOf(s) == ValueType::S32 ? lane_mode::nan : 0);
        choose(in, {.op = op == "szext" ? LaneOp::Szext : LaneOp::Bmsk, .type = ValueType::B32});
    } else {
        return false;
    }
    return true;
}

} // namespace

bool decodeScalar(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto op = s.opcode;
    if (op == "mov") {
        move(decoder, s, in);
    } else if ((op == "and" || op == "or" || op == "xor" || op == "not") && s.has(".pred")) {
        predicates(decoder, s, in);
    } else if (op == "addc" || op == "subc" || ((op == "add" || op == "sub") && s.has(".cc"))) {
        carry(decoder, s, in);
    } else if (op == "mul" || op == "mad") {
        multiply(decoder, s, in);
    } else if (op == "setp" || op == "set") {
        compare(decoder, s, in);
    } else if (op == "selp" || op == "slct") {
        select(decoder, s, in);
    } else if (op == "testp") {
        testProperty(decoder, s, in);
    } else if (const auto shape = shapeOf(s)) {
        arithmetic(decoder, s, in, *shape);
    } else {
        return decodeBits(decoder, s, in);
    }
    return true;
}

} // namespace ptxwb::emulator
