// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix, movmatrix, mma.sync, wgmma.
#include "core/emulator/async_handlers.h"
#include "core/emulator/decoder.h"
#include "core/emulator/matrix_handlers.h"
#include "core/emulator/warp_handlers.h"
#include "core/emulator/wgmma.h"

#include <fmt/format.h>

#include <charconv>

namespace ptxwb::emulator {

namespace {

struct ShapeMnk {
    std::uint32_t m = 0;
    std::uint32_t n = 0;
    std::uint32_t k = 0;
};

/// ".m64n256k16".
ShapeMnk shapeOf(const Statement& s)
{
    for (const auto modifier : s.modifiers) {
        const auto n = modifier.find('n');
        const auto k = modifier.find('k');
        if (!modifier.starts_with(".m") || n == std::string_view::npos || k == std::string_view::npos) {
            continue;
        }
        ShapeMnk shape;
        const auto number = [&](std::size_t from, std::size_t to, std::uint32_t& into) {
            return std::from_chars(modifier.data() + from, modifier.data() + to, into).ptr
                == modifier.data() + to;
        };
        if (number(2, n, shape.m) && number(n + 1, k, shape.n) && number(k + 1, modifier.size(), shape.k)) {
            return shape;
        }
    }
    throw DecodeFault("the shape (.mXnYkZ) is missing");
}

const std::vector<Operand>& vectorOf(const Operand& operand, std::size_t count, const char* which)
{
    if (operand.kind != Operand::Kind::Vector || operand.parts.size() != count) {
        throw DecodeFault(fmt::format("{} takes a vector of {} registers, {} are given", which, count,
            operand.kind == Operand::Kind::Vector ? operand.parts.size() : 1));
    }
    return operand.parts;
}

void moveMatrix(Decoder& decoder, const Statement& s, Instr& in, bool isLoad)
{
    if (!s.has(".m8n8") || !s.has(".b16")) {
        throw FormNotEmulated(std::string(s.text));
    }
    expectOperands(s, 2, 2);
    const std::size_t count = s.has(".x4") ? 4 : (s.has(".x2") ? 2 : 1);
    decoder.address(s.operands[isLoad ? 1 : 0], in);
    const auto& registers = s.operands[isLoad ? 0 : 1];
    auto& extra = decoder.extra(in);
    if (registers.kind != Operand::Kind::Vector) {
        if (count != 1) {
            throw DecodeFault(fmt::format("a vector of {} registers is needed", count));
        }
        extra.rows.push_back(isLoad ? decoder.destination(registers, ValueType::B32)
                                    : decoder.source(registers, ValueType::B32));
    } else {
        for (const auto& r : vectorOf(registers, count, "it")) {
            extra.rows.push_back(
                isLoad ? decoder.destination(r, ValueType::B32) : decoder.source(r, ValueType::B32));
        }
    }
    in.space = spaceOf(s, Space::Generic);
    in.mode = s.has(".trans") ? 1 : 0;
    in.aligned = true;
    in.run = isLoad ? loadMatrix : storeMatrix;
}

std::vector<std::uint32_t> sources(
    Decoder& decoder, const Operand& operand, std::size_t count, ValueType type, const char* which)
{
    std::vector<std::uint32_t> rows;
    if (operand.kind != Operand::Kind::Vector && count == 1) {
        rows.push_back(decoder.source(operand, type));
        return rows;
    }
    for (const auto& r : vectorOf(operand, count, which)) {
        rows.push_back(decoder.source(r, type));
    }
    return rows;
}

/// Whether sm_90 has an mma of these types and rows; the columns and K are checked where they are needed.
bool isMultiplied(const std::vector<ValueType>& types, const ShapeMnk& shape)
{
    const auto a = types[1];
    const auto b = types[2];
    if (shape.k > (a == ValueType::B1 ? 256U : 64U) || types[0] != types[3]) {
        return false;
    }
    switch (a) {
    case ValueType::F64:
    case ValueType::B1:
        return a == b && (shape.m == 8 || shape.m == 16);
    case ValueType::S8:
    case ValueType::U8:
        return (b == ValueType::S8 || b == ValueType::U8) && (shape.m == 8 || shape.m == 16);
    case ValueType::S4:
    case ValueType::U4:
        return (b == ValueType::S4 || b == ValueType::U4) && (shape.m == 8 || shape.m == 16);
    case ValueType::F16:
    case ValueType::Bf16:
    case ValueType::Tf32:
        return a == b && shape.m == 16;
    case ValueType::E4m3:
    case ValueType::E5m2:
        return (b == ValueType::E4m3 || b == ValueType::E5m2) && shape.m == 16;
    default:
        return false;
    }
}

void multiplyInQuads(Decoder& decoder, const Statement& s, Instr& in)
{
    auto& extra = decoder.extra(in);
    const auto count = [](ValueType type) -> std::size_t { return type == ValueType::F16 ? 4 : 8; };
    std::vector<std::string_view> layouts;
    for (const auto modifier : s.modifiers) {
        if (modifier == ".row" || modifier == ".col") {
            layouts.push_back(modifier);
        }
    }
    if (layouts.size() != 2) {
        throw DecodeFault("the layouts of A and B (.row, .col) are missing");
    }
    in.mode =
        (layouts[0] == ".col" ? quad_mode::columnsA : 0) | (layouts[1] == ".row" ? quad_mode::rowsB : 0);
    extra.rowsA = sources(decoder, s.operands[1], 2, ValueType::B32, "A");
    extra.rowsB = sources(decoder, s.operands[2], 2, ValueType::B32, "B");
    extra.rowsC = sources(decoder, s.operands[3], count(extra.types[3]), ValueType::B32, "C");
    for (const auto& r : vectorOf(s.operands[0], count(extra.types[0]), "D")) {
        extra.rows.push_back(decoder.destination(r, ValueType::B32));
    }
    in.run = multiplyQuads;
}

void multiply(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto shape = shapeOf(s);
    const auto types = typesOf(s);
    if (types.size() != 4 || s.has(".sp") || s.has(".sp::ordered_metadata") || s.has(".block_scale")
        || s.has(".kind::f8f6f4")) {
        throw FormNotEmulated(std::string(s.text));
    }
    expectOperands(s, 4, 4);
    auto& extra = decoder.extra(in);
    extra.types = types;
    in.imm = shape.k;
    in.aligned = true;
    if (shape.m == 8 && shape.n == 8 && shape.k == 4 && types[1] == ValueType::F16 && types[2] == types[1]) {
        multiplyInQuads(decoder, s, in);
        return;
    }
    in.mode = s.has(".satfinite") ? 1 : 0;
    in.target = shape.m;
    const bool wide = types[0] == ValueType::F64;
    const auto word = wide ? ValueType::F64 : ValueType::B32;
    const auto bits = static_cast<std::uint32_t>(bitsOf(types[1]));
    const std::uint32_t chunk = wide ? 4 : 128 / bits; // columns of A that a row of registers holds
    if (!isMultiplied(types, shape) || shape.n != 8 || shape.k % chunk != 0) {
        throw FormNotEmulated(std::string(s.text));
    }
    const std::size_t registersB = shape.k / chunk;
    const std::size_t registersC = types[0] == ValueType::F16 ? 2 : shape.m / 4;
    extra.rowsA = sources(decoder, s.operands[1], registersB * (shape.m / 8), word, "A");
    extra.rowsB = sources(decoder, s.operands[2], registersB, word, "B");
    extra.rowsC = sources(decoder, s.operands[3], registersC, word, "C");
    for (const auto& r : vectorOf(s.operands[0], registersC, "D")) {
        extra.rows.push_back(decoder.destination(r, word));
    }
    if (types[1] == ValueType::B1) {
        in.count = s.has(".and") ? 1 : 0;
        in.run = multiplyBits;
        return;
    }
    const bool small = (types[1] == ValueType::F16 || types[1] == ValueType::Bf16)
        && types[0] == ValueType::F32 && (shape.k == 8 || shape.k == 16);
    in.run = wide ? multiplyDouble : small ? multiplySmall : multiplyGeneral;
}

// ---------------------------------------------------------------- wgmma

bool isOne(const Operand& operand)
{
    if (operand.kind != Operand::Kind::Integer
        || (operand.bits != 1 && operand.bits != static_cast<std::uint64_t>(-1))) {
        throw DecodeFault("imm-scale must be 1 or -1");
    }
    return operand.bits == 1;
}

bool flagOf(const Decoder& decoder, const Operand& operand)
{
    const auto value = decoder.immediate(operand);
    if (value != 0 && value != 1) {
        throw DecodeFault("imm-trans must be 0 or 1");
    }
    return value == 1;
}

void wgmmaRegisters(Decoder& decoder, const Statement& s, Instr& in, const ShapeMnk& shape)
{
    auto& extra = decoder.extra(in);
    const auto typeD = extra.types[0];
    const std::size_t registersD = typeD == ValueType::F16 ? shape.n / 4 : shape.n / 2;
    for (const auto& r : vectorOf(s.operands[0], registersD, "D")) {
        extra.rows.push_back(decoder.destination(r, ValueType::B32));
    }
    if (s.operands[1].kind == Operand::Kind::Vector) {
        in.mode |= wgmma_mode::registersA;
        for (const auto& r : vectorOf(s.operands[1], 4, "A")) {
            extra.rowsA.push_back(decoder.source(r, ValueType::B32));
        }
    }
    decoder.forgetAccesses(); // wgmma has checks of its own for these
}

void checkShape(const Statement& s, const ShapeMnk& shape, ValueType a)
{
    const std::uint32_t depth = 256U / static_cast<std::uint32_t>(bitsOf(a));
    const bool integer = a == ValueType::S8 || a == ValueType::U8 || a == ValueType::B1;
    const bool columns = integer ? (shape.n % 16 == 0 || shape.n == 8 || shape.n == 24) : shape.n % 8 == 0;
    if (shape.m != 64 || shape.n < 8 || shape.n > 256 || !columns || shape.k != depth) {
        throw DecodeFault(
            fmt::format("there is no shape m{}n{}k{} of {}", shape.m, shape.n, shape.k, s.text));
    }
}

void wgmmaMulti(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto shape = shapeOf(s);
    const auto types = typesOf(s);
    if (types.size() != 3 || s.has(".sp")) {
        throw FormNotEmulated(std::string(s.text));
    }
    checkShape(s, shape, types[1]);
    decoder.extra(in).types = types;
    const bool integer = types[0] == ValueType::S32;
    expectOperands(s, integer ? 4 : 6, 8);
    wgmmaRegisters(decoder, s, in, shape);
    const bool registersA = (in.mode & wgmma_mode::registersA) != 0;
    if (!registersA) {
        in.a = decoder.source(s.operands[1], ValueType::B64);
    }
    in.b = decoder.source(s.operands[2], ValueType::B64);
    bool negated = false;
    in.c = decoder.predicateSource(s.operands[3], negated);
    in.mode |= (negated ? wgmma_mode::negatedScale : 0) | (s.has(".satfinite") ? wgmma_mode::saturates : 0);
    if (!integer) {
        in.mode |= isOne(s.operands[4]) ? 0 : wgmma_mode::negateA;
        in.mode |= isOne(s.operands[5]) ? 0 : wgmma_mode::negateB;
        const bool small = types[1] == ValueType::F16 || types[1] == ValueType::Bf16;
        const std::size_t transposes = small ? (registersA ? 1 : 2) : 0;
        if (s.operands.size() != 6 + transposes) {
            throw DecodeFault(
                fmt::format("{} operands are needed, {} are given", 6 + transposes, s.operands.size()));
        }
        if (transposes == 2) {
            in.mode |= flagOf(decoder, s.operands[6]) ? wgmma_mode::mnMajorA : 0;
        }
        if (transposes > 0) {
            in.mode |= flagOf(decoder, s.operands.back()) ? wgmma_mode::mnMajorB : 0;
        }
    }
    in.target = shape.n;
    in.imm = shape.k;
    in.run = wgmmaMultiply;
}

} // namespace

bool decodeMatrix(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto op = s.opcode;
    if (op == "ldmatrix" || op == "stmatrix") {
        moveMatrix(decoder, s, in, op == "ldmatrix");
    } else if (op == "movmatrix") {
        expectOperands(s, 2, 2);
        in.d = decoder.destination(s.operands[0], ValueType::B32);
        in.a = decoder.source(s.operands[1], ValueType::B32);
        in.aligned = true;
        in.run = transposeMatrix;
    } else if (op == "mma") {
        multiply(decoder, s, in);
    } else if (op == "wgmma") {
        in.aligned = true;
        if (s.has(".mma_async")) {
            wgmmaMulti(decoder, s, in);
        } else if (s.has(".fence")) {
            in.run = wgmmaFence;
        } else if (s.has(".commit_group")) {
            in.mode = group_kind::wgmma;
            in.run = commitGroup;
        } else if (s.has(".wait_group")) {
            expectOperands(s, 1, 1);
            in.mode = group_kind::wgmma;
            in.imm = static_cast<std::uint64_t>(decoder.immediate(s.operands[0]));
            in.run = waitGroup;
        }
    } else {
        return false;
    }
    return true;
}

} // namespace ptxwb::emulator
