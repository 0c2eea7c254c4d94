// SPDX-License-Identifier: Apache-2.0
#include "core/sass/rename_state.h"

#include <algorithm>

namespace ptxwb {

RenameState::RenameState(RegisterSlot fill)
{
    m_to.fill(fill);
    m_from.fill(fill);
}

bool RenameState::meetSide(const RenameState& other, bool ofA)
{
    auto& mine = ofA ? m_to : m_from;
    const auto& theirs = ofA ? other.m_to : other.m_from;
    bool changed = false;
    for (std::size_t slot = 0; slot < slotCount; ++slot) {
        const auto before = mine[slot];
        if (before == theirs[slot] || theirs[slot] == unreached || before == unknown) {
            continue;
        }
        if (before == unreached) {
            mine[slot] = theirs[slot];
        } else if (theirs[slot] == unknown) {
            mine[slot] = unknown;
        } else {
            // Zeroed accumulators are alike: which of them is which shows where they are used.
            const auto a = ofA ? slot : before;
            const auto b = ofA ? slot : theirs[slot];
            const bool alike =
                (isSlot(before) && m_constant[a] != 0) || (isSlot(theirs[slot]) && other.m_constant[b] != 0);
            mine[slot] = alike ? unknown : lost;
        }
        changed = changed || mine[slot] != before;
    }
    return changed;
}

bool RenameState::meet(const RenameState& other)
{
    auto waiting = m_pending;
    for (const auto& theirs : other.m_pending) {
        const auto mine = std::ranges::find(waiting, theirs.a, &Pending::a);
        if (mine == waiting.end()) {
            waiting.push_back(theirs);
        } else if (*mine != theirs) {
            mine->guard = {};
        }
    }
    const auto before = m_to;
    bool changed = meetSide(other, false);
    changed = meetSide(other, true) || changed;
    for (std::size_t slot = 0; slot < slotCount; ++slot) {
        if (before[slot] == unreached) {
            m_constant[slot] = other.m_constant[slot];
        } else if (m_constant[slot] != other.m_constant[slot] && other.m_to[slot] != unreached) {
            m_constant[slot] = 0;
        }
    }
    const bool waits = waiting != m_pending;
    m_pending = std::move(waiting);
    return changed || waits;
}

void RenameState::settle()
{
    std::ranges::replace(m_to, unreached, unknown);
    std::ranges::replace(m_from, unreached, unknown);
}

std::vector<RenameState::Pending>::iterator RenameState::pending(RegisterSlot a)
{
    return std::ranges::find(m_pending, a, &Pending::a);
}

void RenameState::clearPending(RegisterSlot a)
{
    if (m_pending.empty()) {
        return;
    }
    if (const auto at = pending(a); at != m_pending.end()) {
        m_pending.erase(at);
    }
    for (auto& one : m_pending) {
        if (one.guard.slot == a) {
            one.guard = {}; // the predicate says something else from here on
        }
    }
}

bool RenameState::use(RegisterSlot a, RegisterSlot b, const RowGuard& guard)
{
    if (!m_pending.empty()) {
        if (const auto at = pending(a); at != m_pending.end()
            && (guard.slot == RowGuard::none || at->guard.slot == RowGuard::none || at->guard != guard)) {
            return false;
        }
    }
    if (m_to[a] == b && m_from[b] == a) {
        return true;
    }
    if (m_to[a] != unknown || m_from[b] != unknown) {
        return exchange(a, b);
    }
    m_to[a] = b;
    m_from[b] = a;
    return true;
}

/// Two pairs of the same constant may as well be paired crosswise.
bool RenameState::exchange(RegisterSlot a, RegisterSlot b)
{
    const auto otherB = m_to[a];
    const auto otherA = m_from[b];
    if (!isSlot(otherA) || !isSlot(otherB) || m_to[otherA] != b || m_from[otherB] != a || m_constant[a] == 0
        || m_constant[a] != m_constant[otherA]) {
        return false;
    }
    m_to[a] = b;
    m_from[b] = a;
    m_to[otherA] = otherB;
    m_from[otherB] = otherA;
    return true;
}

void RenameState::define(RegisterSlot a, RegisterSlot b, const RowGuard& guard, std::uint32_t constant)
{
    const bool guarded = guard.slot != RowGuard::none;
    const bool corresponded =
        (m_to[a] == b && m_from[b] == a) || (m_to[a] == unknown && m_from[b] == unknown);
    const auto before = pending(a);
    const bool waited = before != m_pending.end();
    // The other sense of the same predicate: now every thread has written.
    const bool completed =
        waited && m_to[a] == b && before->guard.slot == guard.slot && before->guard.sense != guard.sense;
    const auto pendingGuard = waited && before->guard != guard ? RowGuard{} : guard;
    clearPending(a);
    if (isSlot(m_to[a]) && m_to[a] != b && m_from[m_to[a]] == a) {
        m_from[m_to[a]] = lost;
    }
    if (isSlot(m_from[b]) && m_from[b] != a && m_to[m_from[b]] == b) {
        m_to[m_from[b]] = lost;
    }
    m_to[a] = b;
    m_from[b] = a;
    m_constant[a] = guarded ? 0 : constant;
    if (guarded && !completed && (waited || !corresponded)) {
        m_pending.push_back({a, pendingGuard});
    }
}

void RenameState::forgetA(RegisterSlot a)
{
    clearPending(a);
    if (isSlot(m_to[a]) && m_from[m_to[a]] == a) {
        m_from[m_to[a]] = unknown;
    }
    m_to[a] = unknown;
    m_constant[a] = 0;
}

void RenameState::forgetB(RegisterSlot b)
{
    if (isSlot(m_from[b]) && m_to[m_from[b]] == b) {
        clearPending(m_from[b]);
        m_to[m_from[b]] = unknown;
    }
    m_from[b] = unknown;
}

void RenameState::loseA(RegisterSlot a)
{
    forgetA(a);
    m_to[a] = lost;
}

void RenameState::loseB(RegisterSlot b)
{
    forgetB(b);
    m_from[b] = lost;
}

} // namespace ptxwb
