// SPDX-License-Identifier: Apache-2.0
// Calls: by name, through pointers, with arguments in parameters or in registers.
#include "core/emulator/call_graph.h"
#include "core/emulator/call_handlers.h"
#include "core/emulator/decoder.h"
#include "core/emulator/memory_handlers.h"

#include <fmt/format.h>

namespace ptxwb::emulator {

namespace {

LocalRange rangeOf(Decoder& decoder, const Operand& operand)
{
    const auto v = static_cast<std::size_t>(operand.index);
    return {decoder.program().placements[v].address, decoder.module().variables[v].bytes};
}

/// A load or store of a parameter in local memory.
Instr accessOf(Decoder& decoder, int formal)
{
    const auto& variable = decoder.module().variables[static_cast<std::size_t>(formal)];
    Instr access;
    access.type = variable.type;
    access.bytes = static_cast<std::uint8_t>(bitsOf(variable.type) / 8);
    access.space = Space::Local;
    Operand where;
    where.kind = Operand::Kind::Variable;
    where.index = formal;
    access.a = decoder.addressRow(where, access.wideAddress, access.offset);
    return access;
}

Instr moveOf(ValueType type, std::uint32_t to, std::uint32_t from)
{
    Instr move;
    move.type = bitsOf(type) == 64 ? ValueType::B64 : ValueType::B32;
    move.d = to;
    move.a = from;
    move.undefinedPasses = true;
    move.run = laneHandler({.op = LaneOp::Mov, .type = move.type});
    return move;
}

std::uint32_t modeFor(int registerBits)
{
    return registerBits == 64 ? load_mode::to64 : (registerBits == 16 ? load_mode::to16 : 0U);
}

void passArgument(Decoder& decoder, const Function& callee, const Operand& actual, int formal)
{
    int bits = 0;
    if (formal < 0) {
        ValueType type{};
        const auto row = decoder.formalRow(callee, -1 - formal, type);
        if (actual.kind == Operand::Kind::Variable) {
            Instr load = accessOf(decoder, actual.index);
            decoder.extra(load).rows.push_back(row);
            load.mode = modeFor(bitsOf(type));
            load.run = loadHandler();
            decoder.noteWrite(row);
            decoder.emitBefore(load);
            return;
        }
        const auto from = decoder.wideSource(actual, type, bits);
        decoder.noteWrite(row);
        decoder.emitBefore(moveOf(type, row, from));
        return;
    }
    if (actual.kind == Operand::Kind::Variable) {
        const auto from = rangeOf(decoder, actual);
        Instr copy;
        copy.run = copyLocal;
        copy.offset = static_cast<std::int64_t>(from.address);
        copy.target = static_cast<std::uint32_t>(
            decoder.program().placements[static_cast<std::size_t>(formal)].address);
        copy.imm = decoder.module().variables[static_cast<std::size_t>(formal)].bytes;
        decoder.emitBefore(copy);
        return;
    }
    Instr store = accessOf(decoder, formal);
    decoder.extra(store).rows.push_back(decoder.wideSource(actual, store.type, bits));
    store.mode = bits == 64 ? load_mode::to64 : 0;
    store.run = storeHandler();
    decoder.emitBefore(store);
}

void takeResult(Decoder& decoder, const Function& callee, const Operand& actual, int formal)
{
    int bits = 0;
    if (formal < 0) {
        ValueType type{};
        const auto row = decoder.formalRow(callee, -1 - formal, type);
        if (actual.kind == Operand::Kind::Variable) {
            Instr store = accessOf(decoder, actual.index);
            decoder.extra(store).rows.push_back(row);
            store.mode = modeFor(bitsOf(type));
            store.run = storeHandler();
            decoder.emitAfter(store);
            return;
        }
        decoder.noteRead(row);
        decoder.emitAfter(moveOf(type, decoder.wideDestination(actual, type, bits), row));
        return;
    }
    if (actual.kind != Operand::Kind::Variable) {
        Instr load = accessOf(decoder, formal);
        decoder.extra(load).rows.push_back(decoder.wideDestination(actual, load.type, bits));
        load.mode = modeFor(bits);
        load.run = loadHandler();
        decoder.emitAfter(load);
        return;
    }
    Instr copy;
    copy.run = copyLocal;
    copy.offset =
        static_cast<std::int64_t>(decoder.program().placements[static_cast<std::size_t>(formal)].address);
    copy.target = static_cast<std::uint32_t>(rangeOf(decoder, actual).address);
    copy.imm = decoder.module().variables[static_cast<std::size_t>(formal)].bytes;
    decoder.emitAfter(copy);
}

void listParameters(Decoder& decoder, Extra& extra, const Operand* list)
{
    for (std::size_t i = 0; list != nullptr && i < list->parts.size(); ++i) {
        if (list->parts[i].kind != Operand::Kind::Variable) {
            throw FormNotEmulated("a call through a pointer with arguments in registers");
        }
        const auto range = rangeOf(decoder, list->parts[i]);
        extra.addresses.push_back({.row = static_cast<std::uint32_t>(range.bytes),
            .offset = static_cast<std::int64_t>(range.address)});
    }
}

void saveAround(Decoder& decoder, const Function* callee, const Operand* results)
{
    if (!decoder.mayComeBack(callee)) {
        return;
    }
    Instr save;
    save.run = saveFunction;
    save.target = decoder.functionIndex(decoder.function());
    decoder.emitFirst(save);
    Instr restore;
    restore.run = restoreFunction;
    restore.target = save.target;
    auto& extra = decoder.extra(restore);
    for (std::size_t i = 0; results != nullptr && i < results->parts.size(); ++i) {
        const auto& result = results->parts[i];
        if (result.kind == Operand::Kind::Variable) {
            const auto range = rangeOf(decoder, result);
            extra.addresses.push_back({.row = static_cast<std::uint32_t>(range.bytes),
                .offset = static_cast<std::int64_t>(range.address)});
        } else {
            int bits = 0;
            extra.rows.push_back(decoder.wideDestination(result, ValueType::B32, bits));
        }
    }
    decoder.forgetAccesses();
    decoder.emitAfter(restore);
}

void callThroughPointer(
    Decoder& decoder, const Operand& pointer, const Operand* arguments, const Operand* results, Instr& in)
{
    if (results != nullptr && results->parts.size() == 1) {
        if (results->parts[0].kind != Operand::Kind::Variable) {
            throw FormNotEmulated("a call through a pointer with its result in a register");
        }
        const auto range = rangeOf(decoder, results->parts[0]);
        Instr take;
        take.run = takePointerResult;
        take.a = decoder.source(pointer, ValueType::U64);
        take.offset = static_cast<std::int64_t>(range.address);
        take.imm = range.bytes;
        decoder.emitAfter(take);
    }
    saveAround(decoder, nullptr, results);
    in.a = decoder.source(pointer, ValueType::U64);
    listParameters(decoder, decoder.extra(in), arguments);
    in.run = callPointer;
}

void callOfSystem(
    Decoder& decoder, std::string_view name, const Operand* arguments, const Operand* results, Instr& in)
{
    const std::size_t given = arguments == nullptr ? 0 : arguments->parts.size();
    if (name == "vprintf" && given == 2) {
        in.run = printFormatted;
    } else if (name == "__assertfail" && given == 5) {
        in.run = failAssertion;
    } else {
        throw FormNotEmulated(fmt::format("a call of '{}', which has no body here", name));
    }
    listParameters(decoder, decoder.extra(in), arguments);
    if (results != nullptr && results->parts.size() == 1
        && results->parts[0].kind == Operand::Kind::Variable) {
        in.target = static_cast<std::uint32_t>(rangeOf(decoder, results->parts[0]).address);
    }
}

} // namespace

bool decodeCall(Decoder& decoder, const Statement& s, Instr& in)
{
    if (s.opcode != "call") {
        return false;
    }
    std::size_t at = 0;
    const Operand* results = nullptr;
    if (!s.operands.empty() && s.operands[0].kind == Operand::Kind::Vector) {
        results = &s.operands[at++];
    }
    if (at >= s.operands.size()) {
        throw DecodeFault("the function is missing");
    }
    const auto& target = s.operands[at++];
    const Operand* arguments =
        at < s.operands.size() && s.operands[at].kind == Operand::Kind::Vector ? &s.operands[at] : nullptr;
    if (target.kind == Operand::Kind::Register) {
        callThroughPointer(decoder, target, arguments, results, in);
        return true;
    }
    if (target.kind != Operand::Kind::Label) {
        throw DecodeFault("a function's name, or a register with its address, is needed");
    }
    const Function* callee = decoder.module().find(target.name);
    if (callee == nullptr || !callee->hasBody) {
        callOfSystem(decoder, target.name, arguments, results, in);
        return true;
    }
    const std::size_t given = arguments == nullptr ? 0 : arguments->parts.size();
    const std::size_t taken = results == nullptr ? 0 : results->parts.size();
    if (given != callee->parameters.size() || taken > callee->results.size()) {
        throw DecodeFault(fmt::format("{} takes {} arguments and gives {} results", target.name,
            callee->parameters.size(), callee->results.size()));
    }
    for (std::size_t i = 0; i < given; ++i) {
        passArgument(decoder, *callee, arguments->parts[i], callee->parameters[i]);
    }
    for (std::size_t i = 0; i < taken; ++i) {
        takeResult(decoder, *callee, results->parts[i], callee->results[i]);
    }
    saveAround(decoder, callee, results);
    decoder.wantFunction(in, target.name);
    in.run = callFunction;
    return true;
}

} // namespace ptxwb::emulator
