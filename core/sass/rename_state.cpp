// SPDX-License-Identifier: Apache-2.0
#include "core/sass/rename_state.h"

namespace ptxwb {

RenameState::RenameState(RegisterSlot fill)
{
    m_to.fill(fill);
    m_from.fill(unknown);
}

bool RenameState::meet(const RenameState& other)
{
    bool changed = false;
    for (std::size_t slot = 0; slot < slotCount; ++slot) {
        auto& mine = m_to[slot];
        const auto theirs = other.m_to[slot];
        if (mine == theirs || theirs == unreached || mine == unknown) {
            continue;
        }
        mine = mine == unreached ? theirs : unknown;
        changed = true;
    }
    return changed;
}

void RenameState::settle()
{
    m_from.fill(unknown);
    for (std::size_t slot = 0; slot < slotCount; ++slot) {
        if (m_to[slot] == unreached) {
            m_to[slot] = unknown;
        } else if (isSlot(m_to[slot])) {
            m_from[m_to[slot]] = static_cast<RegisterSlot>(slot);
        }
    }
}

bool RenameState::use(RegisterSlot a, RegisterSlot b)
{
    if (m_to[a] == b) {
        return true;
    }
    if (m_to[a] != unknown) {
        return false;
    }
    forgetB(b);
    m_to[a] = b;
    m_from[b] = a;
    return true;
}

void RenameState::define(RegisterSlot a, RegisterSlot b)
{
    forgetA(a);
    const auto before = m_from[b];
    if (before != unknown && before != a && m_to[before] == b) {
        m_to[before] = lost;
    }
    m_to[a] = b;
    m_from[b] = a;
}

void RenameState::forgetA(RegisterSlot a)
{
    if (isSlot(m_to[a]) && m_from[m_to[a]] == a) {
        m_from[m_to[a]] = unknown;
    }
    m_to[a] = unknown;
}

void RenameState::forgetB(RegisterSlot b)
{
    const auto before = m_from[b];
    if (before != unknown && m_to[before] == b) {
        m_to[before] = unknown;
    }
    m_from[b] = unknown;
}

} // namespace ptxwb
