// SPDX-License-Identifier: Apache-2.0
// vadd4 and its kin: four bytes or two halves of a word, each by itself. All parts are computed; masks and
// selectors of parts are not known here.
#include "core/emulator/decoder.h"
#include "core/emulator/machine.h"

#include <algorithm>
#include <bit>

namespace ptxwb::emulator {

namespace {

enum VideoOp : std::uint32_t { Add, Sub, Average, Difference, Min, Max, Set };

constexpr std::uint32_t opMask = 7;
constexpr std::uint32_t signedA = 8;
constexpr std::uint32_t signedB = 16;
constexpr std::uint32_t signedD = 32;
constexpr std::uint32_t saturates = 64;
constexpr std::uint32_t accumulates = 128;

std::int32_t partOf(std::uint32_t word, std::uint32_t at, std::uint32_t bits, bool isSigned)
{
    const std::uint32_t up = word << (32 - bits - at);
    return isSigned ? static_cast<std::int32_t>(up) >> (32 - bits)
                    : static_cast<std::int32_t>(up >> (32 - bits));
}

bool holds(Compare how, std::int32_t a, std::int32_t b)
{
    switch (how) {
    case Compare::Eq:
        return a == b;
    case Compare::Ne:
        return a != b;
    case Compare::Lt:
        return a < b;
    case Compare::Le:
        return a <= b;
    case Compare::Gt:
        return a > b;
    default:
        return a >= b;
    }
}

std::int32_t combined(const Instr& in, std::int32_t a, std::int32_t b)
{
    switch (in.mode & opMask) {
    case Add:
        return a + b;
    case Sub:
        return a - b;
    case Average: // rounds away from zero
        return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case Difference:
        return a > b ? a - b : b - a;
    case Min:
        return std::min(a, b);
    case Max:
        return std::max(a, b);
    default:
        return holds(static_cast<Compare>(in.target), a, b) ? 1 : 0;
    }
}

Step video(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const std::uint32_t bits = in.bytes * 8U;
    const std::int32_t most = (1 << ((in.mode & signedD) != 0 ? bits - 1 : bits)) - 1;
    const std::int32_t least = (in.mode & signedD) != 0 ? -(1 << (bits - 1)) : 0;
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto l = static_cast<std::uint32_t>(std::countr_zero(m));
        std::uint32_t result = (in.mode & accumulates) != 0 ? warp.row(in.c)[l] : 0;
        for (std::uint32_t at = 0; at < 32; at += bits) {
            std::int32_t value = combined(in, partOf(warp.row(in.a)[l], at, bits, (in.mode & signedA) != 0),
                partOf(warp.row(in.b)[l], at, bits, (in.mode & signedB) != 0));
            value = (in.mode & saturates) != 0 ? std::clamp(value, least, most) : value;
            if ((in.mode & accumulates) != 0) {
                result += static_cast<std::uint32_t>(value);
            } else {
                result |= (static_cast<std::uint32_t>(value) & ((1U << bits) - 1U)) << at;
            }
        }
        warp.row(in.d)[l] = result;
    }
    return Step::Next;
}

} // namespace

bool decodeVideo(Decoder& decoder, const Statement& s, Instr& in)
{
    static const std::map<std::string_view, VideoOp> names{{"vadd", Add}, {"vsub", Sub}, {"vavrg", Average},
        {"vabsdiff", Difference}, {"vmin", Min}, {"vmax", Max}, {"vset", Set}};
    if (s.opcode.empty() || (s.opcode.back() != '2' && s.opcode.back() != '4')) {
        return false;
    }
    const auto found = names.find(s.opcode.substr(0, s.opcode.size() - 1));
    if (found == names.end()) {
        return false;
    }
    const auto types = typesOf(s);
    const bool isSet = found->second == Set;
    if (types.size() != (isSet ? 2U : 3U)) {
        throw DecodeFault("the types of result and operands are needed");
    }
    expectOperands(s, 4, 4);
    in.bytes = s.opcode.back() == '4' ? 1 : 2;
    in.mode = found->second;
    in.mode |= isSigned(types[isSet ? 0 : 1]) ? signedA : 0;
    in.mode |= isSigned(types[isSet ? 1 : 2]) ? signedB : 0;
    in.mode |= !isSet && isSigned(types[0]) ? signedD : 0;
    in.mode |= s.has(".sat") ? saturates : 0;
    in.mode |= s.has(".add") ? accumulates : 0;
    in.target = isSet ? static_cast<std::uint32_t>(comparisonOf(s)) : 0;
    in.d = decoder.destination(s.operands[0], ValueType::B32);
    in.a = decoder.source(s.operands[1], ValueType::B32);
    in.b = decoder.source(s.operands[2], ValueType::B32);
    in.c = decoder.source(s.operands[3], ValueType::B32);
    in.run = video;
    return true;
}

} // namespace ptxwb::emulator
