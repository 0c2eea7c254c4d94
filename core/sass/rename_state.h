// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/operands.h"

#include <array>

namespace ptxwb {

/// Which register of B holds what a register of A holds, at one point of two aligned kernels.
class RenameState {
public:
    static constexpr RegisterSlot unreached = 0xffff; ///< no path has come here yet
    static constexpr RegisterSlot unknown = 0xfffe; ///< nothing is known; the next use decides
    static constexpr RegisterSlot lost = 0xfffd; ///< B has overwritten it

    /// Everything unreached (for a block's entry) or unknown.
    explicit RenameState(RegisterSlot fill = unreached);

    /// Control may also come from `other`: what differs becomes unknown. True if this state changed.
    bool meet(const RenameState& other);

    /// Rebuilds what follows from the map; call after meets, before the functions below.
    void settle();

    /// A reads `a` where B reads `b`. False when the state says otherwise.
    bool use(RegisterSlot a, RegisterSlot b);
    /// A writes `a` where B writes `b`.
    void define(RegisterSlot a, RegisterSlot b);
    void forgetA(RegisterSlot a);
    void forgetB(RegisterSlot b);

    RegisterSlot inB(RegisterSlot a) const { return m_to[a]; }
    bool knownInB(RegisterSlot b) const { return m_from[b] != unknown; }
    static bool isSlot(RegisterSlot value) { return value < slotCount; }

private:
    std::array<RegisterSlot, slotCount> m_to{};
    std::array<RegisterSlot, slotCount> m_from{};
};

/// Calls `visit(slot, doubtful)` for every register that `use` writes.
template <class Visit> void forEachWritten(const RegisterUse& use, const Visit& visit)
{
    const unsigned end = use.slot < uniformSlots ? uniformSlots
        : use.slot < predicateSlots              ? predicateSlots
                                                 : slotCount;
    for (unsigned i = 0; i < static_cast<unsigned>(use.width) + use.doubtful && use.slot + i < end; ++i) {
        visit(static_cast<RegisterSlot>(use.slot + i), i >= use.width);
    }
}

} // namespace ptxwb
