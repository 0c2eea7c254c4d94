// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/host/device_memory.h"

#include <fmt/format.h>

#include <cstring>
#include <new>

namespace ptxwb::emulator {

namespace {
constexpr std::uint64_t mostAllocations = 100'000; ///< in a run, freed ones too
} // namespace

DeviceMemory::DeviceMemory(GlobalMemory& memory, std::uint64_t capacity)
    : m_memory(memory)
    , m_capacity(capacity)
{
}

std::uint64_t DeviceMemory::allocate(std::uint64_t bytes)
{
    if (bytes > left() || m_count >= mostAllocations) {
        return 0;
    }
    Block block;
    block.bytes = bytes;
    block.storage.reset(new (std::nothrow) std::byte[bytes]);
    if (!block.storage) {
        return 0;
    }
    std::memset(block.storage.get(), 0xFF, bytes);
    const auto address = m_memory.add(fmt::format("cudaMalloc #{}", ++m_count), block.storage.get(), bytes);
    m_used += bytes;
    m_blocks.emplace(address, std::move(block));
    return address;
}

bool DeviceMemory::free(std::uint64_t address)
{
    const auto block = m_blocks.find(address);
    if (block == m_blocks.end()) {
        return false;
    }
    m_used -= block->second.bytes;
    m_memory.remove(address);
    m_blocks.erase(block);
    return true;
}

std::byte* DeviceMemory::at(std::uint64_t address, std::uint64_t bytes) const
{
    const auto* allocation = m_memory.find(address);
    return allocation != nullptr && allocation->contains(address, bytes) ? allocation->at(address) : nullptr;
}

} // namespace ptxwb::emulator
