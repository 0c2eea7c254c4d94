// SPDX-License-Identifier: Apache-2.0
// tensormap.replace, tensormap.cp_fenceproxy and the fence that makes their changes known.
#include "core/emulator/tensor_map_handlers.h"

#include "core/emulator/addressing.h"
#include "core/emulator/bulk_receivers.h"
#include "core/emulator/decoder.h"
#include "core/emulator/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t mapAlignment = 64;
constexpr auto mapSize = static_cast<std::uint32_t>(tensorMapBytes);

/// A map in shared memory that the warp reads or writes as ordinary memory. nullptr: reported.
std::byte* sharedMap(Warp& warp, const Instr& in, std::uint64_t address, bool writes)
{
    Cta* owner = nullptr;
    std::uint32_t offset = 0;
    auto* bytes = resolveShared(warp, in, address, mapSize, mapAlignment, owner, offset);
    if (bytes == nullptr) {
        return nullptr;
    }
    if (writes) {
        owner->shared.noteWrite(
            offset, mapSize, static_cast<std::uint16_t>(warp.index + 1), warp.cta->cluster->step, in.line);
    }
    if (auto& races = warp.cta->cluster->races) {
        races->access(warp, *owner, offset, mapSize,
            writes ? RaceDetector::Kind::Write : RaceDetector::Kind::Read, races->clockOf(warp),
            races->now(warp, in.line));
    }
    return bytes;
}

bool isGlobal(const Instr& in, std::uint64_t address)
{
    return in.space == Space::Global || (in.space == Space::Generic && address >= globalWindow);
}

struct FieldName {
    std::string_view modifier;
    TensorMapField field;
    bool hasOrdinal;
    bool isImmediate;
};

constexpr std::array fields{FieldName{".global_address", TensorMapField::GlobalAddress, false, false},
    FieldName{".rank", TensorMapField::Rank, false, false},
    FieldName{".box_dim", TensorMapField::BoxDim, true, false},
    FieldName{".global_dim", TensorMapField::GlobalDim, true, false},
    FieldName{".global_stride", TensorMapField::GlobalStride, true, false},
    FieldName{".element_stride", TensorMapField::ElementStride, true, false},
    FieldName{".elemtype", TensorMapField::ElementType, false, true},
    FieldName{".interleave_layout", TensorMapField::InterleaveLayout, false, true},
    FieldName{".swizzle_mode", TensorMapField::SwizzleMode, false, true},
    FieldName{".fill_mode", TensorMapField::FillMode, false, true}};

void replace(Decoder& decoder, const Statement& s, Instr& in)
{
    const auto* name =
        std::find_if(fields.begin(), fields.end(), [&](const FieldName& f) { return s.has(f.modifier); });
    if (name == fields.end() || !s.has(".tile")) {
        throw FormNotEmulated(std::string(s.text));
    }
    const std::size_t count = name->hasOrdinal ? 3 : 2;
    expectOperands(s, count, count);
    decoder.address(s.operands[0], in);
    in.space = spaceOf(s, Space::Generic);
    in.imm = name->hasOrdinal ? static_cast<std::uint64_t>(decoder.immediate(s.operands[1])) : 0;
    if (name->isImmediate) {
        decoder.immediate(s.operands.back());
    }
    const bool wide = s.has(".b64");
    if (wide
        != (name->field == TensorMapField::GlobalAddress || name->field == TensorMapField::GlobalStride)) {
        throw DecodeFault("addresses and strides are .b64, all else .b32");
    }
    in.b = decoder.source(s.operands.back(), wide ? ValueType::B64 : ValueType::B32);
    in.mode = wide ? 1 : 0;
    in.target = static_cast<std::uint32_t>(name->field);
    in.run = replaceTensorMap;
}

AddressOperand addressOf(Decoder& decoder, const Operand& operand)
{
    AddressOperand a;
    a.row = decoder.addressRow(operand, a.wide, a.offset);
    return a;
}

} // namespace

bool decodeTensorMap(Decoder& decoder, const Statement& s, Instr& in)
{
    if (s.opcode != "tensormap") {
        return false;
    }
    if (!s.has(".shared::cta") || s.has(".cp_fenceproxy")) {
        decoder.program().communicates = true; // CTAs may hand maps to each other
    }
    if (s.has(".replace")) {
        replace(decoder, s, in);
        return true;
    }
    if (!s.has(".cp_fenceproxy")) {
        return false;
    }
    expectOperands(s, 3, 3);
    if (decoder.immediate(s.operands[2]) != static_cast<std::int64_t>(tensorMapBytes)) {
        throw DecodeFault("the size must be 128");
    }
    decoder.extra(in).addresses = {addressOf(decoder, s.operands[0]), addressOf(decoder, s.operands[1])};
    in.aligned = true;
    in.run = copyTensorMap;
    return true;
}

Step replaceTensorMap(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(m));
        const auto address = laneAddress(warp, in, in.a, lane);
        auto* bytes = isGlobal(in, address) ? resolveGlobal(warp, in, address, mapSize, mapAlignment, true)
                                            : sharedMap(warp, in, address, true);
        if (bytes == nullptr) {
            return Step::Stop;
        }
        const std::uint64_t value = in.mode != 0 ? warp.row64(in.b)[lane] : warp.row(in.b)[lane];
        const auto wrong = replaceInTensorMap(bytes, static_cast<TensorMapField>(in.target),
            static_cast<std::uint32_t>(in.imm), value, in.line);
        if (!wrong.empty()) {
            return stopWith(warp, in,
                {.rule = RuleId::DescriptorMismatch,
                    .message =
                        fmt::format("the tensor map at 0x{:x} cannot be changed so: {}", address, wrong),
                    .fix =
                        "copy a tensor map of the launch plan there first (or zeros), and give a value that "
                        "the field can hold"});
        }
    }
    return Step::Next;
}

Step copyTensorMap(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const auto to = operandAddress(warp, in.extra->addresses[0], lane);
    const auto* from = sharedMap(warp, in, operandAddress(warp, in.extra->addresses[1], lane), false);
    auto* bytes = from == nullptr ? nullptr : resolveGlobal(warp, in, to, mapSize, mapAlignment, true);
    if (bytes == nullptr) {
        return Step::Stop;
    }
    std::memcpy(bytes, from, tensorMapBytes);
    return Step::Next;
}

Step acquireTensorMaps(Warp& warp, const Instr& in, std::uint32_t mask)
{
    for (std::uint32_t m = mask; m != 0; m &= m - 1) {
        const auto address = laneAddress(warp, in, in.a, static_cast<std::uint32_t>(std::countr_zero(m)));
        if (address - paramWindow < windowBytes) {
            continue; // no kernel changes its parameters
        }
        auto* bytes = resolveGlobal(warp, in, address, mapSize, mapAlignment, false);
        if (bytes == nullptr) {
            return Step::Stop;
        }
        acquireTensorMap(bytes);
    }
    return Step::Next;
}

} // namespace ptxwb::emulator
