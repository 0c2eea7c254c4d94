// SPDX-License-Identifier: Apache-2.0
// Branches, calls, exits; exchange within a warp; barriers.
#include "core/emulator/call_handlers.h"
#include "core/emulator/decoder.h"
#include "core/emulator/memory_handlers.h"
#include "core/emulator/warp_handlers.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

bool decodeJump(Decoder& decoder, const Statement& s, Instr& in)
{
    if (s.opcode == "bra") {
        expectOperands(s, 1, 1);
        decoder.wantLabel(in, s.operands[0].name);
        in.run = branch;
    } else if (s.opcode == "brx") {
        expectOperands(s, 2, 2);
        in.a = decoder.source(s.operands[0], ValueType::U32);
        decoder.extra(in);
        decoder.wantLabel(in, s.operands[1].name);
        in.run = branchIndexed;
    } else if (s.opcode == "ret") {
        in.run = returnOrExit;
    } else if (s.opcode == "exit") {
        in.run = exitLanes;
    } else {
        return false;
    }
    return true;
}

} // namespace

bool decodeControl(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto op = s.opcode;
    if (decodeCall(decoder, s, in) || decodeJump(decoder, s, in)) {
        return true;
    }
    if (op == "trap" || op == "brkpt") {
        in.run = op == "trap" ? trap : nothing;
    } else if (op == "nanosleep") {
        in.run = yieldWarp;
    } else if (op == "griddepcontrol" || op == "pmevent") {
        in.run = nothing;
    } else if (op == "setmaxnreg") {
        expectOperands(s, 1, 1);
        const auto wanted = decoder.immediate(s.operands[0]);
        if (wanted < 24 || wanted > 256 || wanted % 8 != 0) {
            throw DecodeFault("the number of registers must be a multiple of 8 from 24 to 256");
        }
        in.imm = static_cast<std::uint64_t>(wanted);
        in.mode = s.has(".inc") ? 1 : 0;
        in.aligned = true;
        in.run = setMaxRegisters;
    } else {
        return false;
    }
    return true;
}

// ---------------------------------------------------------------- between lanes

namespace {

void decodeShuffle(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 5, 5);
    in.target = noPredicate;
    const Operand* d = &s.operands[0];
    if (d->kind == Operand::Kind::Pair) {
        in.target = decoder.predicateDestination(d->parts[1]);
        d = &d->parts[0];
    }
    in.d = decoder.destination(*d, ValueType::B32);
    in.a = decoder.source(s.operands[1], ValueType::B32);
    in.b = decoder.source(s.operands[2], ValueType::B32);
    in.c = decoder.source(s.operands[3], ValueType::B32);
    in.e = decoder.source(s.operands[4], ValueType::B32);
    in.mode = s.has(".up") ? shuffle_mode::up
        : s.has(".down")   ? shuffle_mode::down
        : s.has(".bfly")   ? shuffle_mode::butterfly
                           : shuffle_mode::index;
    in.run = shuffle;
}

void decodeVote(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 3, 3);
    const bool ballot = s.has(".ballot");
    in.mode = s.has(".all") ? vote_mode::all
        : s.has(".any")     ? vote_mode::any
        : s.has(".uni")     ? vote_mode::uniform
                            : vote_mode::ballot;
    in.d = ballot ? decoder.destination(s.operands[0], ValueType::B32)
                  : decoder.predicateDestination(s.operands[0]);
    bool negated = false;
    in.a = decoder.predicateSource(s.operands[1], negated);
    in.mode |= negated ? vote_mode::negated : 0;
    in.b = decoder.source(s.operands[2], ValueType::B32);
    in.run = vote;
}

void decodeMatch(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 3, 3);
    in.type = typeOf(s);
    in.mode = s.has(".all") ? 1 : 0;
    in.e = noPredicate;
    const Operand* d = &s.operands[0];
    if (d->kind == Operand::Kind::Pair) {
        in.e = decoder.predicateDestination(d->parts[1]);
        d = &d->parts[0];
    }
    in.d = decoder.destination(*d, ValueType::B32);
    in.a = decoder.source(s.operands[1], in.type);
    in.b = decoder.source(s.operands[2], ValueType::B32);
    in.run = match;
}

void decodeRedux(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 3, 3);
    in.type = typeOf(s);
    if (bitsOf(in.type) != 32 || s.has(".abs") || s.has(".NaN")) {
        throw FormNotEmulated(std::string(s.text));
    }
    const AtomicOp op = s.has(".add") ? AtomicOp::Add
        : s.has(".min")               ? AtomicOp::Min
        : s.has(".max")               ? AtomicOp::Max
        : s.has(".and")               ? AtomicOp::And
        : s.has(".or")                ? AtomicOp::Or
                                      : AtomicOp::Xor;
    in.mode = static_cast<std::uint32_t>(op);
    in.d = decoder.destination(s.operands[0], in.type);
    in.a = decoder.source(s.operands[1], in.type);
    in.b = decoder.source(s.operands[2], ValueType::B32);
    in.run = redux;
}

void decodeElect(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 2, 2);
    if (s.operands[0].kind != Operand::Kind::Pair) {
        throw DecodeFault("elect.sync gives a register (or _) and a predicate: d|p");
    }
    const auto& d = s.operands[0].parts[0];
    in.d = d.kind == Operand::Kind::Sink ? noPredicate : decoder.destination(d, ValueType::B32);
    in.e = decoder.predicateDestination(s.operands[0].parts[1]);
    in.b = decoder.source(s.operands[1], ValueType::B32);
    in.run = elect;
}

void decodeMapa(Decoder& decoder, const Statement& s, Instr& in)
{
    in.type = typeOf(s);
    if (s.opcode == "mapa") {
        expectOperands(s, 3, 3);
        in.d = decoder.destination(s.operands[0], in.type);
        in.a = decoder.source(s.operands[1], in.type);
        in.b = decoder.source(s.operands[2], ValueType::U32);
        in.run = mapShared;
        return;
    }
    expectOperands(s, 2, 2);
    in.d = decoder.destination(s.operands[0], ValueType::U32);
    in.a = decoder.source(s.operands[1], in.type);
    in.wideAddress = bitsOf(in.type) == 64;
    in.run = rankOfShared;
}

} // namespace

bool decodeExchange(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto op = s.opcode;
    const bool sync = s.has(".sync");
    if (op == "shfl" && sync) {
        decodeShuffle(decoder, s, in);
    } else if (op == "vote" && sync) {
        decodeVote(decoder, s, in);
    } else if (op == "match" && sync) {
        decodeMatch(decoder, s, in);
    } else if (op == "redux" && sync) {
        decodeRedux(decoder, s, in);
    } else if (op == "activemask") {
        expectOperands(s, 1, 1);
        in.d = decoder.destination(s.operands[0], ValueType::B32);
        in.run = activeMask;
    } else if (op == "elect") {
        decodeElect(decoder, s, in);
    } else if (op == "mapa" || op == "getctarank") {
        decodeMapa(decoder, s, in);
    } else {
        return false;
    }
    return true;
}

} // namespace ptxwb::emulator
