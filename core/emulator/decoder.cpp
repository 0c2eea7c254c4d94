// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/decoder.h"

#include "core/emulator/call_graph.h"
#include "core/emulator/call_handlers.h"
#include "core/emulator/warp_handlers.h"
#include "core/emulator/wgmma.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxwb::emulator {

namespace {

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

Decoder::Decoder(const Module& module, Program& program, const CallGraph& calls)
    : m_module(module)
    , m_program(program)
    , m_calls(calls)
{
    for (const auto& function : module.functions) {
        program.functions.push_back({.name = function.name});
    }
}

bool Decoder::mayComeBack(const Function* callee) const
{
    return m_calls.mayComeBack(*m_function, callee);
}

std::uint32_t Decoder::functionIndex(const Function& function) const
{
    return static_cast<std::uint32_t>(&function - m_module.functions.data());
}

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

void Decoder::emitHidden(Instr in)
{
    m_before.push_back(in);
}

void Decoder::emitFirst(Instr in)
{
    place(in);
    m_before.insert(m_before.begin(), in);
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
    const bool scalar = decodeNarrow(*this, statement, in) || decodeScalar(*this, statement, in)
        || decodeConversion(*this, statement, in) || decodeVideo(*this, statement, in);
    in.hasEffect = !scalar;
    const bool known = scalar || decodeMemory(*this, statement, in) || decodeControl(*this, statement, in)
        || decodeExchange(*this, statement, in) || decodeBarrier(*this, statement, in)
        || decodeAsync(*this, statement, in) || decodeMatrix(*this, statement, in)
        || decodeTiles(*this, statement, in);
    if (!known || in.run == nullptr) {
        throw FormNotEmulated(std::string(statement.text));
    }
}

namespace {

/// Changes nothing but registers of its own warp, or notes a change itself (atomics).
bool leavesMemoryAlone(const Statement& statement)
{
    constexpr std::array<std::string_view, 24> words{"ld", "ldu", "bra", "brx", "call", "shfl", "vote",
        "match", "redux", "activemask", "elect", "ldmatrix", "movmatrix", "mma", "mov", "cvta", "isspacep",
        "mapa", "getctarank", "prefetch", "nanosleep", "fence", "membar", "atom"};
    const auto word = statement.opcode;
    return std::find(words.begin(), words.end(), word) != words.end()
        || (word == "red" && !statement.has(".async"))
        || (word == "mbarrier" && (statement.has(".test_wait") || statement.has(".try_wait")));
}

} // namespace

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
        in.hasEffect = in.hasEffect && !leavesMemoryAlone(statement);
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

void Decoder::resolveLabels()
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
    m_wantedLabels.clear();
}

std::uint32_t Decoder::addFunction(const Function& function)
{
    m_function = &function;
    m_places.assign(function.registers.size(), {});
    m_placed.assign(function.registers.size(), false);
    m_labels.clear();
    for (const auto& [key, formal] : m_formals) {
        if (key.first == &function) {
            m_places[static_cast<std::size_t>(key.second)] = formal;
            m_placed[static_cast<std::size_t>(key.second)] = true;
        }
    }
    if (m_program.predicateCount == 0) {
        m_program.predicateCount = 2; // truePredicate, sinkPredicate
    }
    for (const auto* list : {&function.parameters, &function.results}) {
        for (const int formal : *list) {
            if (formal < 0) {
                m_formals[{&function, -1 - formal}] = place(-1 - formal);
            }
        }
    }
    const std::size_t start = m_program.code.size();
    m_entries[function.name] = static_cast<std::uint32_t>(start);
    layOut(function);
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
    resolveLabels();
    return static_cast<std::uint32_t>(start);
}

void Decoder::layOut(const Function& function)
{
    auto& place = m_program.functions[functionIndex(function)];
    place.isThere = true;
    place.entry = m_entries[function.name];
    const auto range = [&](int v) {
        const auto index = static_cast<std::size_t>(v);
        return LocalRange{m_program.placements[index].address, m_module.variables[index].bytes};
    };
    std::uint64_t end = 0;
    for (int v = function.firstVariable; v < function.endVariable; ++v) {
        const auto space = m_module.variables[static_cast<std::size_t>(v)].space;
        if (function.isEntry || (space != Space::Local && space != Space::Param)) {
            continue; // a kernel is never called
        }
        const auto mine = range(v);
        place.local.address = end == 0 ? mine.address : place.local.address;
        end = mine.address + mine.bytes;
    }
    place.local.bytes = end - place.local.address;
    for (const auto& [from, to] :
        {std::pair(&function.parameters, &place.parameters), std::pair(&function.results, &place.results)}) {
        for (const int v : *from) {
            to->push_back(v < 0 ? LocalRange{} : range(v));
        }
    }
}

void Decoder::finish()
{
    for (auto& function : m_program.functions) {
        for (const auto& [row, rows] : function.registers) {
            function.registerWords += rows + 1;
        }
    }
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

} // namespace ptxwb::emulator
