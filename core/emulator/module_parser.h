// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/module.h"
#include "core/emulator/token_cursor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxwb::emulator {

/// What a `{ }` of PTX declares; the outermost scope is the module.
struct Scope {
    std::map<std::string, int, std::less<>> registers{};
    std::map<std::string, std::pair<int, ValueType>, std::less<>> ranges{}; ///< prefix -> count, type
    std::map<std::string, int, std::less<>> variables{};
};

/// The state space that a directive (`.shared`) names.
std::optional<Space> stateSpace(std::string_view directive);

/// PTX text to a Module by recursive descent; throws ParseFault at the first thing that is not PTX.
class ModuleParser {
public:
    explicit ModuleParser(std::string_view text)
        : m_cursor(text)
    {
    }

    Module run();

private:
    // module_parser.cpp: the module, functions and blocks
    void topLevel();
    void skipTo(std::string_view what);
    void skipSection();
    void declarationOrFunction();
    void parameterList(std::vector<int>& into);
    void function();
    std::uint32_t product();
    void functionDirective(Function& f);
    void block(Function& f);
    void innerBlock(Function& f);
    void blockItem(Function& f);
    void label(Function& f);

    // parse_declarations.cpp: variables, registers and what a name stands for
    Variable variable(Space space, bool isExtern);
    void nameAndExtent(Variable& v, int vector);
    void initialiser(Variable& v);
    void pointerIn(Variable& v);
    int addVariable(Variable v);
    void variables(bool isExtern);
    void registers();
    int newRegister(const std::string& name, ValueType type);
    std::optional<int> findRegister(std::string_view name);
    std::optional<int> findVariable(std::string_view name) const;

    // parse_instruction.cpp
    void statement(Function& f);
    static void splitOpcode(Statement& s);
    Operand list(Operand::Kind kind, std::string_view close);
    Operand operand();
    Operand operandWithin();
    Operand name();

    TokenCursor m_cursor;
    Module m_module{};
    Function* m_function = nullptr;
    std::vector<Scope> m_scopes{};
    int m_depth = 0;
};

} // namespace ptxwb::emulator
