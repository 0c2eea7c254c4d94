// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/shared_memory.h"

#include "core/emulator/program.h"

#include <algorithm>

namespace ptxwb::emulator {

void SharedMemory::resize(std::uint32_t bytes)
{
    // What nobody has written is not zero on hardware: a pattern that is a NaN in every float type.
    m_data.assign(bytes, std::byte{0xFF});
    m_granules.assign((bytes + 15U) / 16U, {});
    m_mbarriers.clear();
}

bool SharedMemory::holds(std::uint32_t address, std::uint32_t size) const
{
    return address >= sharedBase && size <= m_data.size() && address - sharedBase <= m_data.size() - size;
}

std::byte* SharedMemory::at(std::uint32_t address)
{
    return m_data.data() + (address - sharedBase);
}

Granule& SharedMemory::granule(std::uint32_t address)
{
    return m_granules[(address - sharedBase) >> 4U];
}

void SharedMemory::noteWrite(std::uint32_t address, std::uint32_t size, std::uint16_t writer,
    std::uint64_t step, int line, std::uint32_t layout)
{
    std::uint32_t at = address;
    const std::uint32_t end = address + size;
    while (at < end) {
        const std::uint32_t inGranule = at & 15U;
        const std::uint32_t length = std::min(16U - inGranule, end - at);
        auto& g = granule(at);
        g.written = static_cast<std::uint16_t>(g.written | (((1U << length) - 1U) << inGranule));
        g.writer = writer;
        g.line = static_cast<std::uint32_t>(line) & 0xFFFFFFU;
        g.layout = layout & 0xFFU;
        g.step = step;
        at += length;
    }
}

bool SharedMemory::isWritten(std::uint32_t address, std::uint32_t size)
{
    std::uint32_t at = address;
    const std::uint32_t end = address + size;
    while (at < end) {
        const std::uint32_t inGranule = at & 15U;
        const std::uint32_t length = std::min(16U - inGranule, end - at);
        const std::uint32_t needed = ((1U << length) - 1U) << inGranule;
        if ((granule(at).written & needed) != needed) {
            return false;
        }
        at += length;
    }
    return true;
}

Mbarrier* SharedMemory::mbarrierAt(std::uint32_t address)
{
    for (auto& barrier : m_mbarriers) {
        if (barrier.address == address) {
            return &barrier;
        }
    }
    return nullptr;
}

Mbarrier* SharedMemory::mbarrierWithin(std::uint32_t address, std::uint32_t size)
{
    for (auto& barrier : m_mbarriers) {
        if (barrier.live && barrier.address < address + size && address < barrier.address + 8) {
            return &barrier;
        }
    }
    return nullptr;
}

} // namespace ptxwb::emulator
