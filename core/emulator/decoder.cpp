// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/decoder.h"

#include "core/emulator/warp_handlers.h"
#include "core/emulator/wgmma.h"

#include <fmt/format.h>

#include <bit>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t predicateBit =
    0x80000000U; ///< in lists of registers until the number of rows is known

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
        {"%aggr_smem_size", S::AggrSmem}};
    const auto found = names.find(name);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

void markWgmmaRegisters(Program& program)
{
    std::vector<bool> used(program.rowCount + program.predicateCount, false);
    bool any = false;
    for (const auto& in : program.code) {
        if (in.run == wgmmaMultiply) {
            any = true;
            for (const auto* rows : {&in.extra->rows, &in.extra->rowsA}) {
                for (const auto row : *rows) {
                    used[row] = true;
                }
            }
        }
    }
    for (auto& in : program.code) {
        for (std::uint32_t i = 0; any && i < in.readCount; ++i) {
            in.touchesWgmma = in.touchesWgmma || used[in.reads[i]];
        }
        for (std::uint32_t i = 0; any && i < in.writeCount; ++i) {
            in.touchesWgmma = in.touchesWgmma || used[in.writes[i]];
        }
    }
}

} // namespace

Decoder::Decoder(const Module& module, Program& program)
    : m_module(module)
    , m_program(program)
{
}

// ---------------------------------------------------------------- registers

Decoder::Place Decoder::place(int registerIndex)
{
    const auto index = static_cast<std::size_t>(registerIndex);
    if (!m_placed[index]) {
        const auto& declared = m_function->registers[index];
        m_placed[index] = true;
        if (declared.type == ValueType::Pred) {
            m_places[index] = {true, m_program.predicateCount++};
            m_program.names.push_back("p" + declared.name); // sorted out in finish()
        } else {
            const int bits = bitsOf(declared.type);
            m_places[index] = {false, m_program.rowCount};
            m_program.rowCount += bits <= 32 ? 1U : static_cast<std::uint32_t>(bits / 32);
            m_program.names.push_back("r" + std::to_string(m_places[index].number) + " " + declared.name);
        }
    }
    return m_places[index];
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

// ---------------------------------------------------------------- building

Extra& Decoder::extra(Instr& in)
{
    if (in.extra == nullptr) {
        m_program.extras.emplace_back();
        in.extra = &m_program.extras.back();
        return m_program.extras.back();
    }
    return const_cast<Extra&>(*in.extra); // ours, not yet shared
}

void Decoder::noteRead(std::uint32_t row)
{
    m_reads.push_back(row);
}

void Decoder::noteWrite(std::uint32_t row)
{
    m_writes.push_back(row);
}

void Decoder::forgetAccesses()
{
    m_reads.clear();
    m_writes.clear();
}

void Decoder::emitBefore(Instr in)
{
    place(in);
    m_before.push_back(in);
}

void Decoder::emitAfter(Instr in)
{
    place(in);
    m_after.push_back(in);
}

void Decoder::wantLabel(Instr&, std::string_view label)
{
    m_pendingLabel = std::string(label);
}

void Decoder::wantFunction(Instr&, std::string_view name)
{
    m_pendingFunction = std::string(name);
}

std::vector<std::string> Decoder::branchTargets(std::string_view name) const
{
    for (const auto& [label, targets] : m_function->branchTargets) {
        if (label == name) {
            return targets;
        }
    }
    throw DecodeFault(fmt::format("the table '{}' is not declared by .branchtargets", name));
}

void Decoder::place(Instr& in)
{
    const auto keep = [&](std::vector<std::uint32_t>& list, const std::uint32_t*& at, std::uint32_t& count) {
        m_program.indexLists.push_back(std::move(list));
        at = m_program.indexLists.back().data();
        count = static_cast<std::uint32_t>(m_program.indexLists.back().size());
        list.clear();
    };
    keep(m_reads, in.reads, in.readCount);
    keep(m_writes, in.writes, in.writeCount);
}

std::uint32_t Decoder::opcodeIndex(std::string_view text)
{
    const auto [at, isNew] =
        m_opcodeIndices.try_emplace(std::string(text), static_cast<std::uint32_t>(m_program.opcodes.size()));
    if (isNew) {
        m_program.opcodes.emplace_back(text);
    }
    return at->second;
}

void Decoder::guard(const Statement& statement, Instr& in)
{
    if (statement.guard >= 0) {
        const auto where = place(statement.guard);
        if (!where.isPredicate) {
            throw DecodeFault("the guard is no predicate");
        }
        in.guard = static_cast<std::int32_t>(where.number);
        in.guardNegated = statement.guardNegated;
    }
}

void Decoder::dispatch(const Statement& statement, Instr& in)
{
    const bool known = decodeScalar(*this, statement, in) || decodeConversion(*this, statement, in)
        || decodeMemory(*this, statement, in) || decodeControl(*this, statement, in)
        || decodeExchange(*this, statement, in) || decodeBarrier(*this, statement, in)
        || decodeAsync(*this, statement, in) || decodeMatrix(*this, statement, in);
    if (!known || in.run == nullptr) {
        throw FormNotEmulated(std::string(statement.text));
    }
}

void Decoder::decode(const Statement& statement)
{
    m_statement = &statement;
    Instr in;
    in.line = statement.line;
    in.opcode = opcodeIndex(statement.text);
    forgetAccesses();
    m_before.clear();
    m_after.clear();
    m_pendingLabel.clear();
    m_pendingFunction.clear();
    try {
        dispatch(statement, in);
    } catch (const FormNotEmulated& reason) {
        in = {};
        in.line = statement.line;
        in.opcode = opcodeIndex(statement.text);
        in.run = notEmulated;
        extra(in).text = reason.what();
        forgetAccesses();
        m_before.clear();
        m_after.clear();
        m_pendingLabel.clear();
        m_pendingFunction.clear();
    }
    place(in);
    const std::uint32_t hidden = m_before.empty() && m_after.empty() ? 0 : opcodeIndex("");
    const auto append = [&](Instr next) {
        guard(statement, next);
        next.line = statement.line;
        m_program.code.push_back(next);
    };
    for (auto& before : m_before) {
        before.opcode = hidden;
        append(before);
    }
    if (!m_pendingLabel.empty()) {
        m_wantedLabels.emplace_back(m_program.code.size(), m_pendingLabel);
    }
    if (!m_pendingFunction.empty()) {
        m_wantedFunctions.emplace_back(m_program.code.size(), m_pendingFunction);
    }
    append(in);
    for (auto& after : m_after) {
        after.opcode = hidden;
        append(after);
    }
}

void Decoder::resolveLabels(std::size_t from)
{
    for (const auto& [index, label] : m_wantedLabels) {
        const auto found = m_labels.find(label);
        if (found != m_labels.end()) {
            m_program.code[index].target = found->second;
            continue;
        }
        if (m_program.code[index].run != branchIndexed) {
            throw DecodeFault(
                fmt::format("line {}: the label '{}' is not there", m_program.code[index].line, label));
        }
        auto& targets = const_cast<Extra&>(*m_program.code[index].extra).targets;
        for (const auto& name : branchTargets(label)) {
            const auto at = m_labels.find(name);
            if (at == m_labels.end()) {
                throw DecodeFault(fmt::format("the label '{}' is not there", name));
            }
            targets.push_back(at->second);
        }
    }
    (void)from;
    m_wantedLabels.clear();
}

std::uint32_t Decoder::addFunction(const Function& function)
{
    m_function = &function;
    m_places.assign(function.registers.size(), {});
    m_placed.assign(function.registers.size(), false);
    m_labels.clear();
    if (m_program.predicateCount == 0) {
        m_program.predicateCount = 2; // truePredicate, sinkPredicate
    }
    const std::size_t start = m_program.code.size();
    m_entries[function.name] = static_cast<std::uint32_t>(start);
    std::size_t label = 0;
    for (std::size_t i = 0; i <= function.statements.size(); ++i) {
        for (; label < function.labels.size() && function.labels[label].second == i; ++label) {
            m_labels[function.labels[label].first] = static_cast<std::uint32_t>(m_program.code.size());
        }
        if (i < function.statements.size()) {
            try {
                decode(function.statements[i]);
            } catch (const DecodeFault& fault) {
                throw DecodeFault(fmt::format("line {}: {}: {}", function.statements[i].line,
                    function.statements[i].text, fault.what()));
            }
        }
    }
    // Running past the end is a return.
    Instr last;
    last.run = returnOrExit;
    last.line = function.statements.empty() ? function.line : function.statements.back().line;
    last.opcode = opcodeIndex("");
    forgetAccesses();
    place(last);
    m_program.code.push_back(last);
    resolveLabels(start);
    return static_cast<std::uint32_t>(start);
}

void Decoder::finish()
{
    for (const auto& [index, name] : m_wantedFunctions) {
        const auto found = m_entries.find(name);
        if (found == m_entries.end()) {
            m_program.extras.push_back({.text = "a call of '" + name + "', which has no body here"});
            m_program.code[index].run = notEmulated;
            m_program.code[index].extra = &m_program.extras.back();
            continue;
        }
        m_program.code[index].target = found->second;
    }
    for (auto& list : m_program.indexLists) {
        for (auto& index : list) {
            index = (index & predicateBit) != 0 ? m_program.rowCount + (index & ~predicateBit) : index;
        }
    }
    markWgmmaRegisters(m_program);
    std::vector<std::string> names(m_program.rowCount + m_program.predicateCount);
    std::size_t predicate = m_program.rowCount + 2;
    for (const auto& name : m_program.names) {
        if (name[0] == 'p') {
            names[predicate++] = name.substr(1);
        } else {
            const auto blank = name.find(' ');
            names[std::stoul(name.substr(1, blank - 1))] = name.substr(blank + 1);
        }
    }
    m_program.names = std::move(names);
}

// ---------------------------------------------------------------- what several parts ask of a statement

std::vector<ValueType> typesOf(const Statement& s)
{
    std::vector<ValueType> types;
    for (const auto modifier : s.modifiers) {
        if (const auto type = valueTypeOf(modifier)) {
            types.push_back(*type);
        }
    }
    return types;
}

ValueType typeOf(const Statement& s, int which)
{
    const auto types = typesOf(s);
    if (types.empty()) {
        throw DecodeFault("the type is missing");
    }
    if (which < 0) {
        return types.back();
    }
    if (static_cast<std::size_t>(which) >= types.size()) {
        throw DecodeFault("a type is missing");
    }
    return types[static_cast<std::size_t>(which)];
}

void expectOperands(const Statement& s, std::size_t least, std::size_t most)
{
    if (s.operands.size() < least || s.operands.size() > most) {
        throw DecodeFault(least == most
                ? fmt::format("{} operands are needed, {} are given", least, s.operands.size())
                : fmt::format("{} to {} operands are needed, {} are given", least, most, s.operands.size()));
    }
}

Rounding roundingOf(const Statement& s)
{
    static const std::map<std::string_view, Rounding> names{{".rn", Rounding::Rn}, {".rz", Rounding::Rz},
        {".rm", Rounding::Rm}, {".rp", Rounding::Rp}, {".rna", Rounding::Rna}, {".rni", Rounding::Rni},
        {".rzi", Rounding::Rzi}, {".rmi", Rounding::Rmi}, {".rpi", Rounding::Rpi}};
    for (const auto modifier : s.modifiers) {
        if (const auto found = names.find(modifier); found != names.end()) {
            return found->second;
        }
    }
    return Rounding::None;
}

Space spaceOf(const Statement& s, Space otherwise)
{
    static const std::map<std::string_view, Space> names{{".global", Space::Global},
        {".shared", Space::Shared}, {".shared::cta", Space::Shared},
        {".shared::cluster", Space::SharedCluster}, {".local", Space::Local}, {".param", Space::Param},
        {".param::entry", Space::Param}, {".param::func", Space::Local}, {".const", Space::Const}};
    for (const auto modifier : s.modifiers) {
        if (const auto found = names.find(modifier); found != names.end()) {
            return found->second;
        }
    }
    return otherwise;
}

} // namespace ptxwb::emulator
