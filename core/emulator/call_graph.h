// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/module.h"

#include <map>
#include <set>

namespace ptxwb::emulator {

/// Which functions a kernel may call, by name and through pointers.
class CallGraph {
public:
    CallGraph(const Module& module, const Function& kernel);

    /// The kernel and what it may call, in the order in which they are met.
    const std::vector<const Function*>& functions() const { return m_order; }
    /// A call of `callee` (nullptr: through a pointer) may call `caller` again before it returns.
    bool mayComeBack(const Function& caller, const Function* callee) const;

private:
    void addCallees(const Module& module, const Function& function);

    std::vector<const Function*> m_order{};
    std::map<const Function*, std::set<const Function*>> m_callees{};
    std::set<const Function*> m_pointedAt{};
};

} // namespace ptxwb::emulator
