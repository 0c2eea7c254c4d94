// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/lane_form.h"
#include "core/emulator/module.h"
#include "core/emulator/program.h"

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>

namespace ptxwb::emulator {

/// Thrown within decoding: the operands cannot be meant. Becomes an Error with the line.
struct DecodeFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Thrown within decoding: understood, but this emulator has no such instruction or form.
struct FormNotEmulated : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class CallGraph;

/// Turns statements of one function into instructions of a program.
class Decoder {
public:
    Decoder(const Module& module, Program& program, const CallGraph& calls);

    /// Appends the function's code; returns where it starts.
    std::uint32_t addFunction(const Function& function);
    /// Resolves calls, after all functions were added.
    void finish();

    // ---- for the parts that know instructions
    const Module& module() const { return m_module; }
    Program& program() { return m_program; }
    const Function& function() const { return *m_function; }
    const Statement& statement() const { return *m_statement; }

    /// Row of a register, constant, special register or address of a symbol, for a value of `type`. Notes the
    /// read.
    std::uint32_t source(const Operand& operand, ValueType type);
    /// As above; registers wider than the type are allowed (st, cvt).
    std::uint32_t wideSource(const Operand& operand, ValueType type, int& registerBits);
    std::uint32_t destination(const Operand& operand, ValueType type);
    std::uint32_t wideDestination(const Operand& operand, ValueType type, int& registerBits);
    /// A destination that is read as well (accumulators).
    std::uint32_t accumulator(const Operand& operand, ValueType type);
    std::uint32_t predicateSource(const Operand& operand, bool& negated);
    std::uint32_t predicateDestination(const Operand& operand);
    std::uint32_t constant(std::uint64_t bits, bool wide);
    std::uint32_t special(SpecialRegister which);
    /// [register + offset] or [symbol + offset] into in.a, in.offset, in.wideAddress.
    void address(const Operand& operand, Instr& in);
    /// Row of an address operand that is not in.a (64-bit or 32-bit said by `wide`); the offset must fit
    /// `offset`.
    std::uint32_t addressRow(const Operand& operand, bool& wide, std::int64_t& offset);
    std::int64_t immediate(const Operand& operand) const;
    bool isPredicate(const Operand& operand) const;
    ValueType registerType(const Operand& operand) const;
    Extra& extra(Instr& in);
    /// Forgets reads and writes noted so far (instructions whose registers are checked otherwise).
    void forgetAccesses();
    void noteRead(std::uint32_t row);
    void noteWrite(std::uint32_t row);
    /// Puts a further instruction before the one that is decoded, under the same guard.
    void emitBefore(Instr in);
    void emitAfter(Instr in);
    /// As emitBefore; what was noted so far stays with the instruction that is decoded.
    void emitHidden(Instr in);
    /// Puts it before all others.
    void emitFirst(Instr in);
    void wantLabel(Instr& in, std::string_view label);
    void wantFunction(Instr& in, std::string_view name);
    std::vector<std::string> branchTargets(std::string_view name) const;
    /// Row of a register that is a parameter or result of another function.
    std::uint32_t formalRow(const Function& function, int registerIndex, ValueType& type);
    /// CallGraph::mayComeBack of the function that is decoded.
    bool mayComeBack(const Function* callee) const;
    std::uint32_t functionIndex(const Function& function) const;

private:
    /// Marks a predicate in lists of registers until the number of rows is known.
    static constexpr std::uint32_t predicateBit = 0x80000000U;

    struct Place {
        bool isPredicate = false;
        std::uint32_t number = 0;
    };
    Place place(int registerIndex);
    Place newPlace(const RegisterDeclaration& declared, FunctionPlace& owner);
    void layOut(const Function& function);
    std::uint32_t symbol(const Operand& operand, bool wide);
    void decode(const Statement& statement);
    void dispatch(const Statement& statement, Instr& in);
    void place(Instr& in);
    void guard(const Statement& statement, Instr& in);
    std::uint32_t opcodeIndex(std::string_view text);
    void resolveLabels();

    const Module& m_module;
    Program& m_program;
    const CallGraph& m_calls;
    const Function* m_function = nullptr;
    const Statement* m_statement = nullptr;
    std::vector<Place> m_places{};
    std::vector<bool> m_placed{};
    std::vector<std::uint32_t> m_reads{};
    std::vector<std::uint32_t> m_writes{};
    std::map<std::pair<const Function*, int>, Place> m_formals{}; ///< rows given before their function
    std::map<std::pair<std::uint64_t, bool>, std::uint32_t> m_constants{};
    std::map<SpecialRegister, std::uint32_t> m_specials{};
    std::map<std::string, std::uint32_t, std::less<>> m_opcodeIndices{};
    std::map<std::string, std::uint32_t, std::less<>> m_entries{}; ///< function -> pc
    std::map<std::string, std::uint32_t, std::less<>> m_labels{}; ///< of the function: pc
    std::vector<std::pair<std::size_t, std::string>> m_wantedLabels{}; ///< instruction -> label
    std::vector<std::pair<std::size_t, std::string>> m_wantedFunctions{};
    std::vector<Instr> m_before{};
    std::vector<Instr> m_after{};
    std::string m_pendingLabel{};
    std::string m_pendingFunction{};
};

/// Each knows some opcodes and gives false for the others.
bool decodeScalar(Decoder& decoder, const Statement& s, Instr& in);
bool decodeConversion(Decoder& decoder, const Statement& s, Instr& in);
bool decodeNarrow(Decoder& decoder, const Statement& s, Instr& in);
bool decodeTiles(Decoder& decoder, const Statement& s, Instr& in);
bool decodeVideo(Decoder& decoder, const Statement& s, Instr& in);
bool decodeMemory(Decoder& decoder, const Statement& s, Instr& in);
bool decodeCall(Decoder& decoder, const Statement& s, Instr& in);
bool decodeControl(Decoder& decoder, const Statement& s, Instr& in);
bool decodeExchange(Decoder& decoder, const Statement& s, Instr& in);
bool decodeBarrier(Decoder& decoder, const Statement& s, Instr& in);
bool decodeAsync(Decoder& decoder, const Statement& s, Instr& in);
bool decodeMatrix(Decoder& decoder, const Statement& s, Instr& in);

/// The last type among the modifiers; with `which` the n-th of several (0 the first).
ValueType typeOf(const Statement& s, int which = -1);
std::vector<ValueType> typesOf(const Statement& s);
void expectOperands(const Statement& s, std::size_t least, std::size_t most);
std::uint32_t flagsOf(const Statement& s); ///< lane_mode
LaneForm formOf(const Statement& s, LaneOp op, ValueType type);
void choose(Instr& in, const LaneForm& form); ///< the handler
Rounding roundingOf(const Statement& s);
Space spaceOf(const Statement& s, Space otherwise);

} // namespace ptxwb::emulator
