// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/decoder.h"

#include <fmt/format.h>

#include <bit>
#include <map>

namespace ptxwb::emulator {

namespace {

std::uint64_t floatConstant(double value, ValueType type)
{
    switch (type) {
    case ValueType::F64:
    case ValueType::B64:
        return std::bit_cast<std::uint64_t>(value);
    default:
        return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
}

std::optional<SpecialRegister> specialOf(std::string_view name)
{
    using S = SpecialRegister;
    static const std::map<std::string_view, S> names{{"%tid.x", S::TidX}, {"%tid.y", S::TidY},
        {"%tid.z", S::TidZ}, {"%ntid.x", S::NtidX}, {"%ntid.y", S::NtidY}, {"%ntid.z", S::NtidZ},
        {"%ctaid.x", S::CtaidX}, {"%ctaid.y", S::CtaidY}, {"%ctaid.z", S::CtaidZ}, {"%nctaid.x", S::NctaidX},
        {"%nctaid.y", S::NctaidY}, {"%nctaid.z", S::NctaidZ}, {"%laneid", S::LaneId}, {"%warpid", S::WarpId},
        {"%nwarpid", S::NwarpId}, {"%smid", S::SmId}, {"%nsmid", S::NsmId}, {"%gridid", S::GridId},
        {"%lanemask_eq", S::LanemaskEq}, {"%lanemask_le", S::LanemaskLe}, {"%lanemask_lt", S::LanemaskLt},
        {"%lanemask_ge", S::LanemaskGe}, {"%lanemask_gt", S::LanemaskGt}, {"%clusterid.x", S::ClusterIdX},
        {"%clusterid.y", S::ClusterIdY}, {"%clusterid.z", S::ClusterIdZ}, {"%nclusterid.x", S::NclusterIdX},
        {"%nclusterid.y", S::NclusterIdY}, {"%nclusterid.z", S::NclusterIdZ},
        {"%cluster_ctaid.x", S::ClusterCtaidX}, {"%cluster_ctaid.y", S::ClusterCtaidY},
        {"%cluster_ctaid.z", S::ClusterCtaidZ}, {"%cluster_nctaid.x", S::ClusterNctaidX},
        {"%cluster_nctaid.y", S::ClusterNctaidY}, {"%cluster_nctaid.z", S::ClusterNctaidZ},
        {"%cluster_ctarank", S::ClusterCtarank}, {"%cluster_nctarank", S::ClusterNctarank},
        {"%total_smem_size", S::TotalSmem}, {"%dynamic_smem_size", S::DynamicSmem},
        {"%aggr_smem_size", S::AggrSmem}, {"%envreg1", S::GridBarrierHigh}, {"%envreg2", S::GridBarrierLow}};
    const auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

Decoder::Place Decoder::newPlace(const RegisterDeclaration& declared, FunctionPlace& owner)
{
    if (declared.type == ValueType::Pred) {
        const Place made{true, m_program.predicateCount++};
        m_program.names.push_back("p" + declared.name); // sorted out in finish()
        owner.predicates.push_back(made.number);
        return made;
    }
    const int bits = bitsOf(declared.type);
    const std::uint32_t rows = bits <= 32 ? 1U : static_cast<std::uint32_t>(bits / 32);
    const Place made{false, m_program.rowCount};
    m_program.rowCount += rows;
    m_program.names.push_back("r" + std::to_string(made.number) + " " + declared.name);
    owner.registers.emplace_back(made.number, rows);
    return made;
}

Decoder::Place Decoder::place(int registerIndex)
{
    const auto index = static_cast<std::size_t>(registerIndex);
    if (!m_placed[index]) {
        m_placed[index] = true;
        m_places[index] =
            newPlace(m_function->registers[index], m_program.functions[functionIndex(*m_function)]);
    }
    return m_places[index];
}

std::uint32_t Decoder::formalRow(const Function& function, int registerIndex, ValueType& type)
{
    const auto& declared = function.registers[static_cast<std::size_t>(registerIndex)];
    type = declared.type;
    if (type == ValueType::Pred) {
        throw FormNotEmulated("a call with a predicate as argument");
    }
    if (&function == m_function) {
        return place(registerIndex).number;
    }
    const auto [at, isNew] = m_formals.try_emplace({&function, registerIndex});
    if (isNew) {
        at->second = newPlace(declared, m_program.functions[functionIndex(function)]);
    }
    return at->second.number;
}

ValueType Decoder::registerType(const Operand& operand) const
{
    return operand.kind == Operand::Kind::Register
        ? m_function->registers[static_cast<std::size_t>(operand.index)].type
        : ValueType::None;
}

bool Decoder::isPredicate(const Operand& operand) const
{
    return registerType(operand) == ValueType::Pred;
}

std::uint32_t Decoder::constant(std::uint64_t bits, bool wide)
{
    const auto [at, isNew] = m_constants.try_emplace({bits, wide}, m_program.rowCount);
    if (isNew) {
        m_program.presets.push_back(
            {.kind = PresetRow::Kind::Constant, .row = m_program.rowCount, .wide = wide, .bits = bits});
        m_program.rowCount += wide ? 2 : 1;
    }
    return at->second;
}

std::uint32_t Decoder::special(SpecialRegister which)
{
    const auto [at, isNew] = m_specials.try_emplace(which, m_program.rowCount);
    if (isNew) {
        m_program.presets.push_back(
            {.kind = PresetRow::Kind::Special, .row = m_program.rowCount, .wide = false, .special = which});
        m_program.rowCount += 1;
    }
    return at->second;
}

std::uint32_t Decoder::symbol(const Operand& operand, bool wide)
{
    const std::uint32_t row = m_program.rowCount;
    m_program.presets.push_back({.kind = PresetRow::Kind::Symbol,
        .row = row,
        .wide = wide,
        .bits = static_cast<std::uint64_t>(operand.offset),
        .variable = operand.index});
    m_program.rowCount += wide ? 2 : 1;
    return row;
}

std::uint32_t Decoder::wideSource(const Operand& operand, ValueType type, int& registerBits)
{
    const int bits = bitsOf(type);
    const bool wide = bits == 64;
    registerBits = std::max(bits, 16);
    switch (operand.kind) {
    case Operand::Kind::Register: {
        const auto declared = registerType(operand);
        if (declared == ValueType::Pred) {
            throw DecodeFault(
                fmt::format("{} is a predicate, where a register of {} bits is needed", operand.name, bits));
        }
        if (operand.offset != 0) {
            throw DecodeFault("an offset is only possible within [ ]");
        }
        registerBits = bitsOf(declared);
        const auto row = place(operand.index).number;
        noteRead(row);
        return row;
    }
    case Operand::Kind::Integer:
        if (isFloat(type) && type != ValueType::Tf32 && bits >= 32) {
            const auto real = static_cast<double>(static_cast<std::int64_t>(operand.bits));
            return constant(floatConstant(real, type), wide);
        }
        return constant(wide ? operand.bits : operand.bits & (bits == 16 ? 0xFFFFU : 0xFFFFFFFFU), wide);
    case Operand::Kind::Float:
        return constant(floatConstant(std::bit_cast<double>(operand.bits), type), wide);
    case Operand::Kind::Special: {
        if (wide && operand.name != "%gridid" && operand.name != "%current_graph_exec") {
            throw DecodeFault(fmt::format("{} has 32 bits, but the instruction takes 64", operand.name));
        }
        const auto which = specialOf(operand.name);
        if (!which && !wide) {
            throw FormNotEmulated(fmt::format("the special register {}", operand.name));
        }
        return wide ? constant(0, true) : special(*which);
    }
    case Operand::Kind::Variable:
        return symbol(operand, wide);
    case Operand::Kind::Label:
        if (const Function* f = m_module.find(operand.name); f != nullptr && wide && f->hasBody) {
            return constant(functionWindow + functionStride * functionIndex(*f), true);
        }
        break;
    default:
        break;
    }
    throw DecodeFault(operand.kind == Operand::Kind::Label
            ? fmt::format("'{}' is not declared", operand.name)
            : std::string("an operand of another kind is needed here"));
}

std::uint32_t Decoder::source(const Operand& operand, ValueType type)
{
    int registerBits = 0;
    const auto row = wideSource(operand, type, registerBits);
    if (registerBits != std::max(bitsOf(type), 16) && !(bitsOf(type) == 8 && registerBits >= 16)) {
        throw DecodeFault(fmt::format(
            "{} has {} bits, but the instruction takes {}", operand.name, registerBits, bitsOf(type)));
    }
    return row;
}

std::uint32_t Decoder::wideDestination(const Operand& operand, ValueType type, int& registerBits)
{
    registerBits = std::max(bitsOf(type), 16);
    if (operand.kind == Operand::Kind::Sink) {
        // Written and never read: one row for all sinks.
        return constant(0xDEAD0000U + static_cast<std::uint32_t>(registerBits), bitsOf(type) == 64);
    }
    if (operand.kind != Operand::Kind::Register || isPredicate(operand)) {
        throw DecodeFault("the destination must be a register");
    }
    registerBits = bitsOf(registerType(operand));
    const auto row = place(operand.index).number;
    noteWrite(row);
    return row;
}

std::uint32_t Decoder::destination(const Operand& operand, ValueType type)
{
    int registerBits = 0;
    const auto row = wideDestination(operand, type, registerBits);
    if (registerBits != std::max(bitsOf(type), 16) && !(bitsOf(type) == 8 && registerBits >= 16)) {
        throw DecodeFault(fmt::format(
            "{} has {} bits, but the instruction gives {}", operand.name, registerBits, bitsOf(type)));
    }
    return row;
}

std::uint32_t Decoder::accumulator(const Operand& operand, ValueType type)
{
    const auto row = destination(operand, type);
    noteRead(row);
    return row;
}

std::uint32_t Decoder::predicateSource(const Operand& operand, bool& negated)
{
    negated = operand.negated;
    if (operand.kind == Operand::Kind::Integer) {
        // A constant predicate: one that is preset to all lanes or to none.
        negated = negated != (operand.bits == 0);
        return truePredicate;
    }
    if (!isPredicate(operand)) {
        throw DecodeFault(fmt::format("'{}' is no predicate", operand.name));
    }
    const auto number = place(operand.index).number;
    m_reads.push_back(number | predicateBit);
    return number;
}

std::uint32_t Decoder::predicateDestination(const Operand& operand)
{
    if (operand.kind == Operand::Kind::Sink) {
        return sinkPredicate;
    }
    if (!isPredicate(operand)) {
        throw DecodeFault(fmt::format("'{}' is no predicate", operand.name));
    }
    const auto number = place(operand.index).number;
    m_writes.push_back(number | predicateBit);
    return number;
}

// ---------------------------------------------------------------- addresses

std::uint32_t Decoder::addressRow(const Operand& operand, bool& wide, std::int64_t& offset)
{
    const Operand& base = operand.kind == Operand::Kind::Address ? operand.parts[0] : operand;
    offset = operand.kind == Operand::Kind::Address ? operand.offset : 0;
    switch (base.kind) {
    case Operand::Kind::Register: {
        const int bits = bitsOf(registerType(base));
        if (bits != 32 && bits != 64) {
            throw DecodeFault(fmt::format("the address {} has {} bits", base.name, bits));
        }
        wide = bits == 64;
        const auto row = place(base.index).number;
        noteRead(row);
        return row;
    }
    case Operand::Kind::Variable:
        wide = true;
        return symbol(base, true);
    case Operand::Kind::Integer:
        wide = true;
        return constant(base.bits, true);
    default:
        throw DecodeFault(fmt::format("'{}' is no address", base.name));
    }
}

void Decoder::address(const Operand& operand, Instr& in)
{
    if (operand.kind != Operand::Kind::Address) {
        throw DecodeFault("an address in [ ] is needed");
    }
    in.a = addressRow(operand, in.wideAddress, in.offset);
}

std::int64_t Decoder::immediate(const Operand& operand) const
{
    if (operand.kind != Operand::Kind::Integer) {
        throw DecodeFault("an integer constant is needed");
    }
    return static_cast<std::int64_t>(operand.bits);
}

} // namespace ptxwb::emulator
