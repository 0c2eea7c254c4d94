// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/operands.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ptxwb {

/// A row's predicate: the register of A, and which sense of it.
struct RowGuard {
    static constexpr RegisterSlot none = 0xffff;
    RegisterSlot slot = none;
    std::uint64_t sense = 0;
    bool operator==(const RowGuard&) const = default;
};

/// Which register of B holds what a register of A holds, at one point of two aligned kernels: one to one. The
/// sides are alike.
class RenameState {
public:
    static constexpr RegisterSlot unreached = 0xffff; ///< no path has come here yet
    static constexpr RegisterSlot unknown = 0xfffe; ///< nothing is known; the next use decides
    static constexpr RegisterSlot lost =
        0xfffd; ///< the other side holds the value no more, or not on all paths

    /// Everything unreached (for a block's entry) or unknown.
    explicit RenameState(RegisterSlot fill = unreached);

    /// Control may also come from `other`: what is unknown there becomes unknown, what contradicts is lost.
    /// True if this state changed.
    bool meet(const RenameState& other);

    /// What no path reached is unknown; call after meets, before the functions below.
    void settle();

    /// A reads `a` where B reads `b`. False when the state says otherwise.
    bool use(RegisterSlot a, RegisterSlot b, const RowGuard& guard = {});
    /// A writes `a` where B writes `b`; under a guard, the old values may remain.
    /// `constant`: pairs of the same number hold the same value, so which is which may change later; 0: no
    /// such.
    void define(RegisterSlot a, RegisterSlot b, const RowGuard& guard = {}, std::uint32_t constant = 0);
    void forgetA(RegisterSlot a);
    void forgetB(RegisterSlot b);
    /// What it holds has no counterpart.
    void loseA(RegisterSlot a);
    void loseB(RegisterSlot b);

    RegisterSlot inB(RegisterSlot a) const { return m_to[a]; }
    std::uint32_t constant(RegisterSlot a) const { return m_constant[a]; }
    RegisterSlot inA(RegisterSlot b) const { return m_from[b]; }
    static bool isSlot(RegisterSlot value) { return value < slotCount; }

private:
    /// `a` was written under a guard while the old values of the two did not correspond.
    struct Pending {
        RegisterSlot a = 0;
        RowGuard guard{}; ///< without a slot: for no guard
        bool operator==(const Pending&) const = default;
    };
    std::vector<Pending>::iterator pending(RegisterSlot a);
    void clearPending(RegisterSlot a);
    bool exchange(RegisterSlot a, RegisterSlot b);
    bool meetSide(const RenameState& other, bool ofA);

    std::array<RegisterSlot, slotCount> m_to{};
    std::array<RegisterSlot, slotCount> m_from{};
    std::array<std::uint32_t, slotCount> m_constant{}; ///< by the register of A
    std::vector<Pending> m_pending{};
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
