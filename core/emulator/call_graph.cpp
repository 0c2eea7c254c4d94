// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/call_graph.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

const Function* functionNamed(const Module& module, const Operand& operand)
{
    const Function* f = operand.kind == Operand::Kind::Label ? module.find(operand.name) : nullptr;
    return f != nullptr && f->hasBody ? f : nullptr;
}

/// Functions of which some pointer is made: in an initialiser, or by an instruction.
std::set<const Function*> pointedAt(const Module& module)
{
    std::set<const Function*> found;
    for (const auto& variable : module.variables) {
        for (const auto& pointer : variable.pointers) {
            const Function* f = module.find(pointer.name);
            if (f != nullptr && f->hasBody) {
                found.insert(f);
            }
        }
    }
    for (const auto& function : module.functions) {
        for (const auto& s : function.statements) {
            const bool names = s.opcode == "bra" || s.opcode == "brx" || s.opcode == "call";
            for (const auto& operand : s.operands) {
                const Function* f = names ? nullptr : functionNamed(module, operand);
                if (f != nullptr) {
                    found.insert(f);
                }
            }
        }
    }
    return found;
}

} // namespace

CallGraph::CallGraph(const Module& module, const Function& kernel)
    : m_order{&kernel}
    , m_pointedAt(pointedAt(module))
{
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        addCallees(module, *m_order[i]);
        for (const auto* callee : m_callees[m_order[i]]) {
            if (std::find(m_order.begin(), m_order.end(), callee) == m_order.end()) {
                m_order.push_back(callee);
            }
        }
    }
}

void CallGraph::addCallees(const Module& module, const Function& function)
{
    auto& callees = m_callees[&function];
    for (const auto& s : function.statements) {
        if (s.opcode != "call") {
            continue;
        }
        bool direct = false;
        for (const auto& operand : s.operands) {
            if (const auto* callee = functionNamed(module, operand)) {
                callees.insert(callee);
                direct = true;
            }
        }
        if (!direct) {
            callees.insert(m_pointedAt.begin(), m_pointedAt.end());
        }
    }
}

bool CallGraph::mayComeBack(const Function& caller, const Function* callee) const
{
    std::vector<const Function*> todo;
    if (callee != nullptr) {
        todo.push_back(callee);
    } else {
        todo.assign(m_pointedAt.begin(), m_pointedAt.end());
    }
    std::set<const Function*> seen(todo.begin(), todo.end());
    while (!todo.empty()) {
        const auto* function = todo.back();
        todo.pop_back();
        if (function == &caller) {
            return true;
        }
        const auto found = m_callees.find(function);
        if (found == m_callees.end()) {
            continue;
        }
        for (const auto* next : found->second) {
            if (seen.insert(next).second) {
                todo.push_back(next);
            }
        }
    }
    return false;
}

} // namespace ptxwb::emulator
