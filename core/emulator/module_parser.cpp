// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/module_parser.h"

#include <algorithm>

namespace ptxwb::emulator {

Module ModuleParser::run()
{
    m_scopes.emplace_back();
    while (!m_cursor.atEnd()) {
        topLevel();
    }
    return std::move(m_module);
}

void ModuleParser::topLevel()
{
    const auto word = m_cursor.text();
    if (word == ".version" || word == ".address_size" || word == ".file" || word == ".loc"
        || word == ".alias") {
        m_cursor.skipLine();
    } else if (word == ".target") {
        m_cursor.take();
        m_module.target = std::string(m_cursor.take());
        while (m_cursor.takeIf(",")) {
            m_cursor.take();
        }
    } else if (word == ".section") {
        skipSection();
    } else if (word == ".pragma") {
        skipTo(";");
    } else if (word == ";") {
        m_cursor.take();
    } else {
        declarationOrFunction();
    }
}

void ModuleParser::skipTo(std::string_view what)
{
    while (!m_cursor.atEnd() && m_cursor.take() != what) { }
}

void ModuleParser::skipSection()
{
    while (!m_cursor.atEnd() && !m_cursor.is("{")) {
        m_cursor.take();
    }
    skipTo("}");
}

void ModuleParser::declarationOrFunction()
{
    bool isExtern = false;
    for (;;) {
        const auto word = m_cursor.text();
        if (word == ".visible" || word == ".weak" || word == ".common") {
            m_cursor.take();
        } else if (word == ".extern") {
            isExtern = true;
            m_cursor.take();
        } else {
            break;
        }
    }
    if (m_cursor.is(".entry") || m_cursor.is(".func")) {
        function();
    } else if (stateSpace(m_cursor.text())) {
        variables(isExtern);
    } else {
        m_cursor.fail("'" + std::string(m_cursor.text()) + "' is not expected here");
    }
}

void ModuleParser::parameterList(std::vector<int>& into)
{
    m_cursor.expect("(");
    while (!m_cursor.takeIf(")")) {
        if (m_cursor.takeIf(".reg")) {
            const auto type = valueTypeOf(m_cursor.take());
            const std::string name(m_cursor.take());
            const int index = newRegister(name, type.value_or(ValueType::B32));
            m_scopes.back().registers[name] = index;
            into.push_back(-1 - index);
        } else {
            m_cursor.expect(".param");
            into.push_back(addVariable(variable(Space::Param, false)));
        }
        m_cursor.takeIf(",");
    }
}

void ModuleParser::function()
{
    Function f;
    m_function = &f;
    f.line = static_cast<int>(m_cursor.line());
    f.isEntry = m_cursor.take() == ".entry";
    f.firstVariable = static_cast<int>(m_module.variables.size());
    m_scopes.emplace_back();
    if (!f.isEntry && m_cursor.is("(")) {
        parameterList(f.results);
    }
    f.name = std::string(m_cursor.take());
    if (m_cursor.is("(")) {
        parameterList(f.parameters);
    }
    while (!m_cursor.atEnd() && !m_cursor.is("{") && !m_cursor.is(";")) {
        functionDirective(f);
    }
    if (m_cursor.takeIf(";")) {
        f.hasBody = false;
    } else {
        f.hasBody = true;
        m_cursor.expect("{");
        block(f);
    }
    f.endVariable = static_cast<int>(m_module.variables.size());
    m_scopes.pop_back();
    m_function = nullptr;
    const auto earlier = std::find_if(m_module.functions.begin(), m_module.functions.end(),
        [&](const Function& other) { return other.name == f.name; });
    if (earlier == m_module.functions.end()) {
        m_module.functions.push_back(std::move(f));
    } else if (f.hasBody) {
        *earlier = std::move(f);
    }
}

std::uint32_t ModuleParser::product()
{
    std::uint64_t value = 1;
    do {
        value *= static_cast<std::uint64_t>(m_cursor.integer());
    } while (m_cursor.takeIf(","));
    return static_cast<std::uint32_t>(value);
}

void ModuleParser::functionDirective(Function& f)
{
    const auto word = m_cursor.take();
    if (word == ".maxntid" || word == ".reqntid") {
        f.maxThreads = product();
    } else if (word == ".minnctapersm") {
        f.minCtas = product();
    } else if (word == ".maxnreg") {
        f.maxRegisters = product();
    } else if (word == ".reqnctapercluster") {
        f.requiredCluster = {1, 1, 1};
        for (auto& extent : f.requiredCluster) {
            extent = static_cast<std::uint32_t>(m_cursor.integer());
            if (!m_cursor.takeIf(",")) {
                break;
            }
        }
    } else if (word == ".pragma") {
        skipTo(";");
    }
    // .noreturn, .explicitcluster, .maxclusterrank N ... change nothing here
}

void ModuleParser::block(Function& f)
{
    m_scopes.emplace_back();
    while (!m_cursor.takeIf("}")) {
        if (m_cursor.atEnd()) {
            m_cursor.fail("the body of '" + f.name + "' is not closed");
        }
        blockItem(f);
    }
    m_scopes.pop_back();
}

/// A branch means the label of the innermost block around it, so that inline assembly may repeat its labels:
/// those of the block get names that no other has.
void ModuleParser::innerBlock(Function& f)
{
    const auto firstStatement = static_cast<std::ptrdiff_t>(f.statements.size());
    const auto firstLabel = static_cast<std::ptrdiff_t>(f.labels.size());
    const auto firstTable = static_cast<std::ptrdiff_t>(f.branchTargets.size());
    block(f);
    std::map<std::string, std::string_view, std::less<>> renamed;
    const auto rename = [&](std::string& name) {
        if (name.find('#') == std::string::npos) { // else it is a block's within this one
            const auto& own =
                m_module.innerLabels.emplace_back(name + '#' + std::to_string(m_module.innerLabels.size()));
            renamed.insert_or_assign(name, own);
            name = own;
        }
    };
    std::for_each(f.labels.begin() + firstLabel, f.labels.end(), [&](auto& one) { rename(one.first); });
    const auto tables = f.branchTargets.begin() + firstTable;
    std::for_each(tables, f.branchTargets.end(), [&](auto& one) { rename(one.first); });
    if (renamed.empty()) {
        return;
    }
    for (auto table = tables; table != f.branchTargets.end(); ++table) {
        for (auto& target : table->second) {
            const auto own = renamed.find(target);
            target = own != renamed.end() ? std::string(own->second) : target;
        }
    }
    for (auto one = f.statements.begin() + firstStatement; one != f.statements.end(); ++one) {
        if (one->opcode != "bra" && one->opcode != "brx") {
            continue;
        }
        for (auto& operand : one->operands) {
            const auto own = renamed.find(operand.name);
            if (operand.kind == Operand::Kind::Label && own != renamed.end()) {
                operand.name = own->second;
            }
        }
    }
}

void ModuleParser::blockItem(Function& f)
{
    const auto word = m_cursor.text();
    if (word == ";") {
        m_cursor.take();
    } else if (word == "{") {
        m_cursor.take();
        innerBlock(f);
    } else if (word == ".reg") {
        registers();
    } else if (word == ".loc" || word == ".file") {
        m_cursor.skipLine();
    } else if (word == ".pragma") {
        skipTo(";");
    } else if (word == ".extern" || stateSpace(word)) {
        const bool isExtern = m_cursor.takeIf(".extern");
        variables(isExtern);
    } else if (word == ".callprototype" || word == ".calltargets") {
        skipTo(";");
    } else if (m_cursor.text(1) == ":") {
        label(f);
    } else {
        statement(f);
    }
}

void ModuleParser::label(Function& f)
{
    const std::string name(m_cursor.take());
    m_cursor.expect(":");
    if (m_cursor.takeIf(".branchtargets")) {
        std::vector<std::string> targets;
        do {
            targets.emplace_back(m_cursor.take());
        } while (m_cursor.takeIf(","));
        m_cursor.expect(";");
        f.branchTargets.emplace_back(name, std::move(targets));
        return;
    }
    if (m_cursor.is(".callprototype") || m_cursor.is(".calltargets")) {
        skipTo(";");
        return;
    }
    f.labels.emplace_back(name, f.statements.size());
}

bool Statement::has(std::string_view modifier) const
{
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

const Function* Module::find(std::string_view name) const
{
    const auto found =
        std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == name; });
    return found == functions.end() ? nullptr : &*found;
}

Result<Module> parseModule(std::string_view text)
{
    try {
        return ModuleParser(text).run();
    } catch (const ParseFault& fault) {
        Error error{.code = ErrorCode::BadFormat, .message = fault.what()};
        error.line = static_cast<int>(fault.line);
        return error;
    }
}

} // namespace ptxwb::emulator
