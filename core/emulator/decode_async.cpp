// SPDX-License-Identifier: Apache-2.0
// cp.async, cp.async.bulk, cp.async.bulk.tensor and their groups.
#include "core/emulator/async_handlers.h"
#include "core/emulator/decoder.h"
#include "core/emulator/warp_handlers.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

void addAddress(Decoder& decoder, const Operand& operand, Instr& in)
{
    if (operand.kind != Operand::Kind::Address) {
        throw DecodeFault("an address in [ ] is needed");
    }
    AddressOperand a;
    a.row = decoder.addressRow(operand, a.wide, a.offset);
    decoder.extra(in).addresses.push_back(a);
}

void smallCopy(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 3, 5);
    addAddress(decoder, s.operands[0], in);
    addAddress(decoder, s.operands[1], in);
    const auto size = decoder.immediate(s.operands[2]);
    if (size != 4 && size != 8 && size != 16) {
        throw DecodeFault("cp.async copies 4, 8 or 16 bytes");
    }
    in.imm = static_cast<std::uint64_t>(size);
    const std::size_t extra = s.operands.size() - (s.has(".L2::cache_hint") ? 1U : 0U);
    if (extra > 3) {
        if (decoder.isPredicate(s.operands[3])) {
            bool negated = false;
            in.c = decoder.predicateSource(s.operands[3], negated);
            in.mode = 2;
        } else {
            in.c = decoder.source(s.operands[3], ValueType::U32);
            in.mode = 1;
        }
    }
    in.run = copyAsync;
}

AtomicOp reductionOf(const Statement& s)
{
    return s.has(".add") ? AtomicOp::Add
        : s.has(".min")  ? AtomicOp::Min
        : s.has(".max")  ? AtomicOp::Max
        : s.has(".inc")  ? AtomicOp::Inc
        : s.has(".dec")  ? AtomicOp::Dec
        : s.has(".and")  ? AtomicOp::And
        : s.has(".or")   ? AtomicOp::Or
                         : AtomicOp::Xor;
}

/// The operands behind the fixed ones: CTA mask and cache policy.
void trailing(Decoder& decoder, const Statement& s, Instr& in, std::size_t at)
{
    if (s.has(".multicast::cluster")) {
        if (at >= s.operands.size()) {
            throw DecodeFault("the CTA mask of the multicast is missing");
        }
        in.mode |= bulk_mode::multicast;
        in.c = decoder.source(s.operands[at++], ValueType::U16);
    }
    if (s.has(".L2::cache_hint")) {
        if (at >= s.operands.size()) {
            throw DecodeFault("the cache policy is missing");
        }
        decoder.source(s.operands[at++], ValueType::B64);
    }
    if (at != s.operands.size()) {
        throw DecodeFault(fmt::format("{} operands are given, {} are needed", s.operands.size(), at));
    }
}

void bulkCopy(Decoder& decoder, const Statement& s, Instr& in)
{
    if (s.has(".prefetch")) {
        in.run = nothing;
        return;
    }
    if (s.has(".cp_mask")) {
        throw FormNotEmulated(std::string(s.text));
    }
    const bool barrier = s.has(".mbarrier::complete_tx::bytes");
    const std::size_t fixed = barrier ? 4 : 3;
    expectOperands(s, fixed, fixed + 2);
    in.mode = s.has(".bulk_group") ? bulk_mode::toGlobal : !s.has(".global") ? bulk_mode::fromShared : 0;
    if (s.has(".reduce")) {
        in.mode |= bulk_mode::reduce;
        in.target = static_cast<std::uint32_t>(reductionOf(s));
        in.type = typeOf(s);
        decoder.program().communicates =
            decoder.program().communicates || (in.mode & bulk_mode::toGlobal) != 0;
    }
    addAddress(decoder, s.operands[0], in);
    addAddress(decoder, s.operands[1], in);
    in.b = decoder.source(s.operands[2], ValueType::U32);
    if (barrier) {
        addAddress(decoder, s.operands[3], in);
    }
    trailing(decoder, s, in, fixed);
    in.run = copyBulk;
}

void storeAhead(Decoder& decoder, const Statement& s, Instr& in)
{
    if (!s.has(".mbarrier::complete_tx::bytes")) {
        throw FormNotEmulated(std::string(s.text)); // stores to global memory, sm_100
    }
    expectOperands(s, 3, 3);
    in.type = typeOf(s);
    in.bytes = static_cast<std::uint8_t>(bitsOf(in.type) / 8);
    if (s.opcode == "red") {
        in.mode = bulk_mode::reduce;
        in.target = static_cast<std::uint32_t>(reductionOf(s));
    }
    addAddress(decoder, s.operands[0], in);
    addAddress(decoder, s.operands[2], in);
    const auto& values = s.operands[1];
    auto& rows = decoder.extra(in).rows;
    if (values.kind == Operand::Kind::Vector) {
        for (const auto& value : values.parts) {
            rows.push_back(decoder.source(value, in.type));
        }
    } else {
        rows.push_back(decoder.source(values, in.type));
    }
    in.count = static_cast<std::uint8_t>(rows.size());
    if (rows.size() != (s.has(".v4") ? 4U : s.has(".v2") ? 2U : 1U)) {
        throw DecodeFault("another number of registers is needed");
    }
    in.run = storeAsync;
}

void tensorCopy(Decoder& decoder, const Statement& s, Instr& in)
{
    if (s.text.find(".im2col") != std::string_view::npos || s.text.find("::gather4") != std::string_view::npos
        || s.text.find("::scatter4") != std::string_view::npos
        || s.text.find(".cta_group") != std::string_view::npos) {
        throw FormNotEmulated(std::string(s.text));
    }
    const bool prefetch = s.has(".prefetch");
    const bool store = s.has(".bulk_group");
    const std::size_t mapAt = store || prefetch ? 0 : 1;
    const std::size_t fixed = prefetch ? 1 : (store ? 2 : 3);
    expectOperands(s, fixed, fixed + 2);
    const auto& map = s.operands[mapAt];
    if (map.kind != Operand::Kind::Address || map.parts.size() != 2
        || map.parts[1].kind != Operand::Kind::Vector) {
        throw DecodeFault("[map, {coordinates}] is needed");
    }
    in.mode = (store ? bulk_mode::toGlobal : 0) | (prefetch ? bulk_mode::prefetch : 0);
    if (s.has(".reduce")) {
        in.mode |= bulk_mode::reduce;
        in.target = static_cast<std::uint32_t>(reductionOf(s));
        decoder.program().communicates = true;
    }
    if (prefetch) {
        decoder.extra(in).addresses.push_back({decoder.constant(0, true), true, 0});
    } else {
        addAddress(decoder, s.operands[store ? 1 : 0], in);
    }
    addAddress(decoder, map, in);
    if (!store && !prefetch) {
        addAddress(decoder, s.operands[2], in);
    }
    for (const auto& coordinate : map.parts[1].parts) {
        decoder.extra(in).rows.push_back(decoder.source(coordinate, ValueType::S32));
    }
    trailing(decoder, s, in, fixed);
    in.run = copyTensor;
}

bool groups(Decoder& decoder, const Statement& s, Instr& in)
{
    const std::uint32_t kind = s.has(".bulk") ? group_kind::bulk : group_kind::copies;
    if (s.has(".commit_group")) {
        in.mode = kind;
        in.run = commitGroup;
    } else if (s.has(".wait_group")) {
        expectOperands(s, 1, 1);
        in.mode = kind | (s.has(".read") ? group_kind::readOnly : 0);
        in.imm = static_cast<std::uint64_t>(decoder.immediate(s.operands[0]));
        in.run = waitGroup;
    } else if (s.has(".wait_all")) {
        in.mode = kind | group_kind::everything;
        in.run = waitGroup;
    } else {
        return false;
    }
    return true;
}

} // namespace

bool decodeAsync(Decoder& decoder, const Statement& s, Instr& in)
{
    if ((s.opcode == "st" || s.opcode == "red") && s.has(".async")) {
        storeAhead(decoder, s, in);
        return true;
    }
    if (s.opcode != "cp" || !s.has(".async")) {
        return false;
    }
    if (groups(decoder, s, in)) {
        return true;
    }
    if (s.has(".mbarrier") && s.has(".arrive")) {
        expectOperands(s, 1, 1);
        decoder.address(s.operands[0], in);
        in.space = Space::Shared;
        in.mode = s.has(".noinc") ? 1 : 0;
        in.run = copyAsyncArrive;
    } else if (s.has(".tensor")) {
        tensorCopy(decoder, s, in);
    } else if (s.has(".bulk")) {
        bulkCopy(decoder, s, in);
    } else {
        smallCopy(decoder, s, in);
    }
    return true;
}

} // namespace ptxwb::emulator
