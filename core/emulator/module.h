// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/value_type.h"
#include "core/support/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::emulator {

/// An operand as written, with names resolved to registers and variables.
struct Operand {
    enum class Kind : std::uint8_t {
        Register, ///< index: Function::registers
        Special, ///< name: "%tid.x"
        Integer, ///< bits: two's complement
        Float, ///< bits: a double, from 0f, 0d or decimal text
        Variable, ///< index: Module::variables; offset
        Label, ///< name, or the name of a function
        Vector, ///< parts
        Address, ///< parts[0] base, offset; parts[1] coordinates, if any
        Pair, ///< parts[0] | parts[1]
        Sink, ///< _
    };
    Kind kind = Kind::Sink;
    bool negated = false; ///< '!' or '-' before it
    int index = -1;
    std::string_view name{};
    std::uint64_t bits = 0;
    std::int64_t offset = 0;
    std::vector<Operand> parts{};
};

/// One instruction as written.
struct Statement {
    int guard = -1; ///< register index, -1 none
    bool guardNegated = false;
    std::string_view opcode{}; ///< the first word: "cp"
    std::string_view text{}; ///< dotted text as written
    std::vector<std::string_view> modifiers{}; ///< ".async", ".bulk", ".f32" in order
    std::vector<Operand> operands{};
    int line = 0;

    bool has(std::string_view modifier) const;
};

struct RegisterDeclaration {
    std::string name{};
    ValueType type = ValueType::B32;
};

/// An address within an initialiser.
struct InitialPointer {
    std::string name{}; ///< of a variable or a function
    std::uint64_t at = 0; ///< byte of the initialiser
    std::int64_t offset = 0;
    bool generic = false; ///< generic(name)
};

/// A variable of the module or of a function, in one state space.
struct Variable {
    std::string name{};
    Space space = Space::Global;
    ValueType type = ValueType::B8;
    std::uint64_t alignment = 1;
    std::uint64_t bytes = 0; ///< 0: extern array
    bool isExtern = false;
    int line = 0;
    std::vector<std::byte> initial{}; ///< empty: zero
    std::vector<InitialPointer> pointers{};
};

struct Function {
    std::string name{};
    bool isEntry = false;
    bool hasBody = false;
    std::vector<int> parameters{}; ///< variables, or registers of a .func (encoded as -1 - register)
    std::vector<int> results{};
    std::vector<RegisterDeclaration> registers{};
    std::vector<Statement> statements{};
    std::vector<std::pair<std::string, std::size_t>>
        labels{}; ///< statement index; "NAME#n" of an inner block
    std::vector<std::pair<std::string, std::vector<std::string>>> branchTargets{};
    std::uint32_t maxThreads = 0; ///< .maxntid or .reqntid, 0 unknown
    std::uint32_t minCtas = 0;
    std::uint32_t maxRegisters = 0;
    std::array<std::uint32_t, 3> requiredCluster{0, 0, 0};
    int firstVariable = 0; ///< its own: [firstVariable, endVariable) of Module::variables
    int endVariable = 0;
    int line = 0;
};

/// A PTX module with names resolved. Views point into the parsed text, which must outlive it.
struct Module {
    std::string target{};
    std::vector<Variable> variables{};
    std::vector<Function> functions{};
    std::deque<std::string> innerLabels{}; ///< what operands of branches name within inner blocks

    const Function* find(std::string_view name) const;
};

/// Parses PTX text. Errors: BadFormat with the line.
Result<Module> parseModule(std::string_view text);

} // namespace ptxwb::emulator
