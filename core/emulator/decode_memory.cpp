// SPDX-License-Identifier: Apache-2.0
// Loads, stores, atomics, address conversion, fences.
#include "core/emulator/decoder.h"
#include "core/emulator/fence_handlers.h"
#include "core/emulator/memory_handlers.h"
#include "core/emulator/tensor_map_handlers.h"
#include "core/emulator/warp_handlers.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::emulator {

namespace {

/// Whether it publishes earlier stores to other CTAs.
std::uint32_t releasesOf(const Statement& s)
{
    return (s.has(".release") || s.has(".acq_rel")) && (s.has(".gpu") || s.has(".sys")) ? load_mode::releases
                                                                                        : 0;
}

std::uint32_t vectorLength(const Statement& s)
{
    return s.has(".v8") ? 8U : s.has(".v4") ? 4U : s.has(".v2") ? 2U : 1U;
}

/// Parameters of functions and of calls live in local memory; those of the kernel in its own space.
Space spaceOfAccess(Decoder& decoder, const Statement& s, const Operand& address)
{
    Space space = spaceOf(s, Space::Generic);
    const auto& base = address.parts[0];
    if (base.kind == Operand::Kind::Variable) {
        const auto& variable = decoder.module().variables[static_cast<std::size_t>(base.index)];
        if (space == Space::Generic) {
            space = variable.space;
        }
        if (space == Space::Param) {
            const auto& parameters = decoder.function().parameters;
            const bool ofKernel = decoder.function().isEntry
                && std::find(parameters.begin(), parameters.end(), base.index) != parameters.end();
            return ofKernel ? Space::Param : Space::Local;
        }
    }
    return space == Space::Const ? Space::Global : space;
}

void elements(Decoder& decoder, const Operand& operand, const Statement& s, Instr& in, bool isLoad)
{
    const auto count = vectorLength(s);
    const bool isVector = operand.kind == Operand::Kind::Vector;
    if ((count > 1) != isVector || (isVector && operand.parts.size() != count)) {
        throw DecodeFault(fmt::format("{} registers are needed", count));
    }
    auto& extra = decoder.extra(in);
    int bits = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto& element = isVector ? operand.parts[i] : operand;
        if (isLoad && element.kind == Operand::Kind::Sink) {
            extra.rows.push_back(noPredicate);
            continue;
        }
        int mine = 0;
        extra.rows.push_back(isLoad ? decoder.wideDestination(element, in.type, mine)
                                    : decoder.wideSource(element, in.type, mine));
        if (mine < bitsOf(in.type)) {
            throw DecodeFault(
                fmt::format("{} has {} bits, but {} are accessed", element.name, mine, bitsOf(in.type)));
        }
        bits = std::max(bits, mine);
    }
    in.mode = bits == 64 ? load_mode::to64 : (bits == 16 ? load_mode::to16 : 0U);
    in.mode |= isLoad && isSigned(in.type) ? load_mode::signExtend : 0U;
}

/// The rows of the two 64-bit halves of a 128-bit register.
std::vector<std::uint32_t> halvesOf(std::uint32_t row)
{
    return {row, row + 2};
}

/// As two 64-bit elements, which together must be aligned to 16 bytes.
void wholeRegister(Decoder& decoder, const Operand& operand, Instr& in, bool isLoad)
{
    in.type = ValueType::B64;
    in.bytes = 8;
    in.count = 2;
    in.mode = load_mode::to64;
    if (isLoad && operand.kind == Operand::Kind::Sink) {
        decoder.extra(in).rows = {noPredicate, noPredicate};
        return;
    }
    decoder.extra(in).rows = halvesOf(
        isLoad ? decoder.destination(operand, ValueType::B128) : decoder.source(operand, ValueType::B128));
}

void loadOrStore(Decoder& decoder, const Statement& s, Instr& in, bool isLoad)
{
    expectOperands(s, 2, 3);
    const auto& where = s.operands[isLoad ? 0 : 1];
    const auto& address = s.operands[isLoad ? 1 : 0];
    in.type = typeOf(s);
    if (bitsOf(in.type) < 8 || (in.type == ValueType::B128 && vectorLength(s) > 1)) {
        throw FormNotEmulated(std::string(s.text));
    }
    decoder.address(address, in);
    in.space = spaceOfAccess(decoder, s, address);
    if (in.type == ValueType::B128) {
        wholeRegister(decoder, where, in, isLoad);
    } else {
        in.bytes = static_cast<std::uint8_t>(bitsOf(in.type) / 8);
        in.count = static_cast<std::uint8_t>(vectorLength(s));
        if (in.bytes * in.count > 32) {
            throw DecodeFault("a vector access has at most 32 bytes");
        }
        elements(decoder, where, s, in, isLoad);
    }
    in.run = isLoad ? loadHandler() : storeHandler();
    if (s.has(".acquire") || s.has(".release") || s.has(".relaxed") || s.has(".volatile")) {
        decoder.program().communicates = decoder.program().communicates || in.space != Space::Shared;
        in.ordered = true;
        in.mode |= releasesOf(s);
    }
}

AtomicOp operationOf(const Statement& s)
{
    static const std::map<std::string_view, AtomicOp> names{{".add", AtomicOp::Add}, {".min", AtomicOp::Min},
        {".max", AtomicOp::Max}, {".and", AtomicOp::And}, {".or", AtomicOp::Or}, {".xor", AtomicOp::Xor},
        {".exch", AtomicOp::Exch}, {".cas", AtomicOp::Cas}, {".inc", AtomicOp::Inc}, {".dec", AtomicOp::Dec}};
    for (const auto modifier : s.modifiers) {
        if (const auto found = names.find(modifier); found != names.end()) {
            return found->second;
        }
    }
    throw DecodeFault("the operation is missing");
}

/// atom.exch and atom.cas of 128 bits.
void atomic128(Decoder& decoder, const Statement& s, Instr& in, AtomicOp op)
{
    const bool swaps = op == AtomicOp::Cas;
    if (!swaps && op != AtomicOp::Exch) {
        throw DecodeFault("of 128 bits there are only .exch and .cas");
    }
    expectOperands(s, swaps ? 4 : 3, swaps ? 5 : 4);
    decoder.address(s.operands[1], in);
    in.space = spaceOfAccess(decoder, s, s.operands[1]);
    auto& extra = decoder.extra(in);
    extra.rowsB = halvesOf(decoder.source(s.operands[2], ValueType::B128));
    if (swaps) {
        extra.rowsC = halvesOf(decoder.source(s.operands[3], ValueType::B128));
    }
    if (s.operands[0].kind != Operand::Kind::Sink) {
        extra.rows = halvesOf(decoder.destination(s.operands[0], ValueType::B128));
    }
    in.type = ValueType::B64;
    in.bytes = 8;
    in.count = 2;
    in.mode = releasesOf(s);
    in.run = swaps ? compareAndSwap128() : atomicHandler(op, ValueType::B64);
    decoder.program().communicates = decoder.program().communicates || in.space != Space::Shared;
}

void atomicAccess(Decoder& decoder, const Statement& s, Instr& in, bool returns)
{
    const auto op = operationOf(s);
    const std::size_t base = returns ? 1 : 0;
    expectOperands(s, base + 2 + (op == AtomicOp::Cas ? 1 : 0), base + 4);
    in.type = typeOf(s);
    if (returns && in.type == ValueType::B128) {
        atomic128(decoder, s, in, op);
        return;
    }
    if (s.has(".async") || bitsOf(in.type) > 64) {
        throw FormNotEmulated(std::string(s.text));
    }
    in.bytes = static_cast<std::uint8_t>(bitsOf(in.type) / 8);
    in.count = static_cast<std::uint8_t>(vectorLength(s));
    decoder.address(s.operands[base], in);
    in.space = spaceOfAccess(decoder, s, s.operands[base]);
    auto& extra = decoder.extra(in);
    const auto list = [&](const Operand& operand, auto take) {
        if (operand.kind == Operand::Kind::Vector) {
            for (const auto& element : operand.parts) {
                take(element);
            }
        } else {
            take(operand);
        }
    };
    if (returns && s.operands[0].kind != Operand::Kind::Sink) {
        list(s.operands[0], [&](const Operand& o) { extra.rows.push_back(decoder.destination(o, in.type)); });
    }
    list(s.operands[base + 1], [&](const Operand& o) { extra.rowsB.push_back(decoder.source(o, in.type)); });
    if (extra.rowsB.size() != in.count || (!extra.rows.empty() && extra.rows.size() != in.count)) {
        throw DecodeFault(fmt::format("{} registers are needed", in.count));
    }
    if (op == AtomicOp::Cas) {
        in.c = decoder.source(s.operands[base + 2], in.type);
    }
    in.mode = releasesOf(s);
    in.run = atomicHandler(op, in.type);
    if (in.space == Space::Global || in.space == Space::Generic) {
        decoder.program().communicates = true;
    }
}

std::uint64_t windowOf(const Statement& s)
{
    switch (spaceOf(s, Space::Global)) {
    case Space::Shared:
    case Space::SharedCluster:
        return sharedWindow;
    case Space::Local:
        return localWindow;
    case Space::Param:
        return paramWindow;
    default:
        return 0;
    }
}

void convertAddresses(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 2, 2);
    in.type = typeOf(s);
    const bool to = s.has(".to");
    if (s.operands[1].kind == Operand::Kind::Variable && to) {
        throw DecodeFault("a variable is not a generic address: cvta.to takes a register");
    }
    in.d = decoder.destination(s.operands[0], in.type);
    in.a = decoder.source(s.operands[1], in.type);
    in.imm = to ? 0 - windowOf(s) : windowOf(s);
    in.run = convertAddress;
}

void askSpace(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 2, 2);
    in.d = decoder.predicateDestination(s.operands[0]);
    in.a = decoder.source(s.operands[1], ValueType::U64);
    in.imm = windowOf(s) == 0 ? globalWindow : windowOf(s);
    in.run = isSpace;
}

void fence(Decoder& decoder, const Statement& s, Instr& in)
{
    if (s.has(".tensormap::generic") && s.has(".acquire")) {
        expectOperands(s, 2, 2);
        decoder.address(s.operands[0], in);
        in.run = acquireTensorMaps;
        return;
    }
    const bool proxyOfAsync = s.has(".proxy") && (s.has(".async") || s.has(".async::generic"));
    const bool isWide = s.has(".gl") || s.has(".sys") || s.has(".gpu");
    in.run = s.has(".mbarrier_init") || proxyOfAsync ? proxyFence
        : isWide && !s.has(".proxy")                 ? fenceGlobal
                                                     : nothing;
}

} // namespace

bool decodeMemory(Decoder& decoder, const Statement& s, Instr& in)
{
    if (decodeTensorMap(decoder, s, in)) {
        return true;
    }
    const auto op = s.opcode;
    if (op == "ld" || op == "ldu") {
        loadOrStore(decoder, s, in, true);
    } else if (op == "st" && !s.has(".async") && !s.has(".bulk")) {
        loadOrStore(decoder, s, in, false);
    } else if (op == "atom") {
        atomicAccess(decoder, s, in, true);
    } else if (op == "red" && !s.has(".async")) {
        atomicAccess(decoder, s, in, false);
    } else if (op == "cvta") {
        convertAddresses(decoder, s, in);
    } else if (op == "isspacep") {
        askSpace(decoder, s, in);
    } else if (op == "fence" || op == "membar") {
        fence(decoder, s, in);
    } else if (op == "prefetch" || op == "prefetchu" || op == "discard" || op == "applypriority") {
        in.run = nothing;
    } else if (op == "createpolicy") {
        in.d = decoder.destination(s.operands.at(0), ValueType::B64);
        in.a = decoder.constant(0, true);
        in.type = ValueType::B64;
        in.run = laneHandler({.op = LaneOp::Mov, .type = ValueType::B64});
    } else {
        return false;
    }
    return true;
}

} // namespace ptxwb::emulator
