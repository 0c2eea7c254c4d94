// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lexer.h"
#include "core/ptx/outline.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ptxwb::lint {

/// Place in one of the vectors of a Program.
using Index = std::uint32_t;
constexpr Index none = std::numeric_limits<Index>::max();

struct RegisterType {
    char kind = '?'; ///< b, u, s, f; p for .pred; ? for what lint does not judge
    int bits = 0;
};
/// Of a type word such as ".f32".
RegisterType registerTypeOf(std::string_view word);

/// Tokens [first, end) between two commas.
struct Operand {
    Index first = 0;
    Index end = 0;
};

/// One instruction. Token ranges end before `end`, which is its ';'.
struct Statement {
    Index first = 0; ///< the '@' or the opcode
    Index opcode = 0;
    Index opcodeEnd = 0;
    Index end = 0;
    Index guard = none; ///< the register behind '@'
    Index operandsFirst = 0; ///< into Program::operands
    Index operandsEnd = 0;
    Index scope = 0; ///< into Function::scopes
    bool wellFormed = false; ///< ends with ';', no two operands without a comma
};

/// A `.reg` name, or a series of them (`%r<9>`).
struct Declaration {
    std::string_view name{};
    Index token = 0;
    Index scope = 0;
    Index count = 0; ///< 0: the name alone
    RegisterType type{};
    Index firstRegister = 0; ///< number of its first register within the function
    bool isUsed = false;
    bool isParameter = false; ///< in the head of a .func
};

/// A variable of a state space, or a parameter of a function's head.
struct Variable {
    std::string name{};
    std::uint64_t bytes = 0; ///< 0: not known
    int alignment = 0; ///< 0: by its type
    int typeAlignment = 1;
    bool isExtern = false;
    std::string_view space{}; ///< "shared", "global", "const", "local", "param"

    int alignedTo() const { return alignment != 0 ? alignment : typeAlignment; }
};

struct Label {
    std::string_view name{};
    Index statement = 0; ///< the next instruction; may be one past the last
    Index scope = 0; ///< into Function::scopes
};

/// `.reqntid` and its kin; a dimension left out is 1.
struct Limits {
    std::optional<std::uint64_t> requiredThreads{};
    std::optional<std::uint64_t> maxThreads{};
    bool oneDimensional = true;
    std::optional<std::uint64_t> maxRegisters{};
    std::optional<std::uint64_t> minCtas{};
    std::optional<std::uint64_t> clusterCtas{}; ///< at most so many
};

struct Function {
    std::string_view name{};
    Index nameToken = 0;
    Index first = 0; ///< tokens, from the head's first word on
    Index end = 0;
    Index bodyOpen = 0; ///< the '{'
    bool isEntry = false;
    bool isComplete = false; ///< its closing brace was found
    bool wellFormed = true; ///< every statement is, and nothing was skipped
    Index statementsFirst = 0;
    Index statementsEnd = 0;
    std::vector<Index> scopes{}; ///< parent of each scope; scope 0 is the body
    std::vector<Declaration> declarations{};
    std::unordered_map<std::string_view, std::vector<Index>> byName{}; ///< into declarations, by scope
    std::vector<Variable> shared{};
    std::vector<Variable> local{};
    std::vector<Label> labels{};
    std::vector<Variable> parameters{};
    std::unordered_set<std::string_view> names{}; ///< labels, variables, parameters
    Limits limits{};
    Index registerCount = 0;
    /// By token behind `first`: the register that it means, `none` for any other; once checkRegisters has
    /// run.
    std::vector<Index> registerAt{};

    Index registerOf(Index token) const
    {
        return token >= first && token - first < registerAt.size() ? registerAt[token - first] : none;
    }
};

struct Allow {
    std::uint32_t line = 0;
    std::string rule{};
};

/// What the module says outside its functions: owned, so that it outlives the text.
struct ModuleFacts {
    int version = 0; ///< 80 for 8.0; 0: not said
    std::string target{};
    TextRange versionRange{}; ///< of "8.0"
    TextRange targetRange{};
    std::unordered_set<std::string> names{}; ///< variables, functions, registers
    std::vector<Variable> shared{};
    std::vector<Variable> global{}; ///< and constant
    int functions = 0; ///< with a body
    std::string launchPlan{}; ///< the JSON text of a `@launch` comment
    std::vector<std::string> entries{};
    bool wellFormed = true;
    bool isGenerated = false; ///< by a compiler, as a comment says
    bool isFragment = false; ///< the text of an asm statement: bare words may be registers
};

struct Program {
    std::string_view source{};
    std::vector<Token> tokens{}; ///< of code: no blanks, no comments
    std::vector<Operand> operands{};
    std::vector<Statement> statements{};
    std::vector<Function> functions{};
    std::vector<Allow> allows{};
    ModuleFacts facts{};
    bool endsInCode = true; ///< not within a comment, an instruction or a declaration

    std::string_view text(Index token) const
    {
        return token < tokens.size() ? tokens[token].text(source) : std::string_view{};
    }
    bool is(Index token, char punctuation) const
    {
        return token < tokens.size() && tokens[token].length == 1
            && source[tokens[token].offset] == punctuation;
    }
    std::string_view opcode(const Statement& statement) const
    {
        const auto& first = tokens[statement.opcode];
        const auto& last = tokens[statement.opcodeEnd - 1];
        return source.substr(first.offset, last.offset + last.length - first.offset);
    }
    std::size_t operandCount(const Statement& statement) const
    {
        return statement.operandsEnd - statement.operandsFirst;
    }
    const Operand& operand(const Statement& statement, std::size_t i) const
    {
        return operands[statement.operandsFirst + i];
    }
};

/// Never fails; broken text gives statements that are not well formed.
Program readProgram(std::string_view source);

/// Takes what a comment says to lint: `ptxwb: allow RULE`, `@launch {...}`.
void readComment(std::string_view said, const Token& token, Program& program);

/// The declaration that a register's name means in a scope, and which of its registers; nullptr if there is
/// none.
struct Resolved {
    const Declaration* declaration = nullptr;
    Index number = none; ///< of the register within the function
};
Resolved resolve(const Function& function, std::string_view name, Index scope);

/// The variable or parameter that a name means in a function; nullptr if it is none of those that are kept.
const Variable* variableNamed(const Function& function, const ModuleFacts& facts, std::string_view name);
/// Of shared memory only.
const Variable* sharedNamed(const Function& function, const ModuleFacts& facts, std::string_view name);

/// The value of an integer literal, with its sign and suffix; nothing for anything else.
std::optional<std::int64_t> literalValue(std::string_view text);

} // namespace ptxwb::lint
