// SPDX-License-Identifier: Apache-2.0
// bar, barrier, barrier.cluster and mbarrier.
#include "core/emulator/barriers.h"
#include "core/emulator/decoder.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

void clusterBarrier(const Statement& s, Instr& in)
{
    in.aligned = true;
    in.run = s.has(".arrive") ? clusterArrive : clusterWait;
}

void ctaBarrier(Decoder& decoder, const Statement& s, Instr& in)
{
    const bool red = s.has(".red");
    std::size_t at = 0;
    if (red) {
        const bool popc = s.has(".popc");
        in.mode = popc ? bar_mode::reducePopc : (s.has(".and") ? bar_mode::reduceAnd : bar_mode::reduceOr);
        expectOperands(s, 3, 4);
        in.d = popc ? decoder.destination(s.operands[0], ValueType::U32)
                    : decoder.predicateDestination(s.operands[0]);
        ++at;
    }
    const std::size_t last = s.operands.size() - (red ? 1 : 0);
    if (at >= last) {
        throw DecodeFault("the barrier's number is missing");
    }
    in.a = decoder.source(s.operands[at++], ValueType::U32);
    if (at < last) {
        in.b = decoder.source(s.operands[at], ValueType::U32);
        in.mode |= bar_mode::hasCount;
    }
    if (red) {
        bool negated = false;
        in.c = decoder.predicateSource(s.operands.back(), negated);
        in.mode |= negated ? bar_mode::negated : 0;
    }
    in.mode |= s.has(".arrive") ? bar_mode::arriveOnly : 0;
    in.aligned = s.opcode == "bar" || s.has(".aligned");
    in.run = namedBarrier;
}

void arrive(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 2, 3);
    in.d = noPredicate;
    if (s.operands[0].kind != Operand::Kind::Sink) {
        in.d = decoder.destination(s.operands[0], ValueType::B64);
    }
    decoder.address(s.operands[1], in);
    in.mode = (s.has(".expect_tx") ? mbarrier_mode::expectTx : 0)
        | (s.has(".arrive_drop") ? mbarrier_mode::drop : 0)
        | (s.has(".noComplete") ? mbarrier_mode::noComplete : 0);
    if (s.operands.size() > 2) {
        in.b = decoder.source(s.operands[2], ValueType::U32);
        in.mode |= mbarrier_mode::hasCount;
    } else if (s.has(".expect_tx")) {
        throw DecodeFault("the number of bytes is missing");
    }
    in.run = mbarrierArrive;
}

void wait(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 3, 4);
    in.d = decoder.predicateDestination(s.operands[0]);
    decoder.address(s.operands[1], in);
    const bool parity = s.has(".parity");
    in.b = decoder.source(s.operands[2], parity ? ValueType::U32 : ValueType::B64);
    in.mode = (parity ? mbarrier_mode::parity : 0) | (s.has(".try_wait") ? mbarrier_mode::tryWait : 0);
    in.run = mbarrierWait;
}

void onBarrier(Decoder& decoder, const Statement& s, Instr& in, Handler run, bool hasCount)
{
    expectOperands(s, hasCount ? 2 : 1, hasCount ? 2 : 1);
    decoder.address(s.operands[0], in);
    in.b = hasCount ? decoder.source(s.operands[1], ValueType::U32) : 0;
    in.run = run;
}

} // namespace

bool decodeBarrier(Decoder& decoder, const Statement& s, Instr& in)
{
    if (s.opcode == "barrier" && s.has(".cluster")) {
        clusterBarrier(s, in);
        return true;
    }
    if (s.opcode == "bar" && s.has(".warp")) {
        expectOperands(s, 1, 1);
        in.a = decoder.source(s.operands[0], ValueType::B32);
        in.run = warpBarrier;
        return true;
    }
    if (s.opcode == "bar" || s.opcode == "barrier") {
        ctaBarrier(decoder, s, in);
        return true;
    }
    if (s.opcode != "mbarrier" || s.modifiers.empty()) {
        return false;
    }
    in.space = spaceOf(s, Space::Generic);
    const auto what = s.modifiers[0];
    if (what == ".init") {
        onBarrier(decoder, s, in, mbarrierInit, true);
    } else if (what == ".inval") {
        onBarrier(decoder, s, in, mbarrierInval, false);
    } else if (what == ".expect_tx") {
        onBarrier(decoder, s, in, mbarrierExpectTx, true);
    } else if (what == ".complete_tx") {
        onBarrier(decoder, s, in, mbarrierCompleteTx, true);
    } else if (what == ".arrive" || what == ".arrive_drop") {
        arrive(decoder, s, in);
    } else if (what == ".test_wait" || what == ".try_wait") {
        wait(decoder, s, in);
    } else if (what == ".pending_count") {
        expectOperands(s, 2, 2);
        in.d = decoder.destination(s.operands[0], ValueType::U32);
        in.a = decoder.source(s.operands[1], ValueType::B64);
        in.run = mbarrierPendingCount;
    } else {
        return false;
    }
    return true;
}

} // namespace ptxwb::emulator
