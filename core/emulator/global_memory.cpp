// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/global_memory.h"

#include "core/emulator/program.h"

#include <algorithm>

namespace ptxwb::emulator {

std::uint64_t GlobalMemory::add(std::string name, std::byte* host, std::uint64_t bytes, bool isFollowed)
{
    constexpr std::uint64_t mib = 1U << 20;
    const std::uint64_t address = globalWindow + m_next;
    m_next += (bytes + mib - 1) / mib * mib + mib;
    m_allocations.push_back({std::move(name), address, bytes, host, isFollowed});
    return address;
}

bool GlobalMemory::remove(std::uint64_t address)
{
    return std::erase_if(m_allocations, [&](const Allocation& a) { return a.address == address; }) != 0;
}

const Allocation* GlobalMemory::find(std::uint64_t address) const
{
    auto after = std::upper_bound(m_allocations.begin(), m_allocations.end(), address,
        [](std::uint64_t at, const Allocation& a) { return at < a.address; });
    if (after == m_allocations.begin()) {
        return nullptr;
    }
    --after;
    return address - after->address < after->bytes ? &*after : nullptr;
}

const Allocation* GlobalMemory::nearest(std::uint64_t address) const
{
    constexpr std::uint64_t far = 1U << 26;
    const Allocation* best = nullptr;
    std::uint64_t distance = far;
    for (const auto& a : m_allocations) {
        const std::uint64_t away =
            address < a.address ? a.address - address : address - std::min(address, a.address + a.bytes);
        if (away < distance) {
            distance = away;
            best = &a;
        }
    }
    return best;
}

} // namespace ptxwb::emulator
