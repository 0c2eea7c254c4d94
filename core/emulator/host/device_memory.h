// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/global_memory.h"

#include <map>
#include <memory>

namespace ptxwb::emulator {

/// What host code allocates on the emulated device. Fresh memory holds bytes of 0xFF (NaN in every float
/// type), as nobody may rely on anything else; an address is given once.
class DeviceMemory {
public:
    /// `capacity` in bytes, of what is allocated here.
    DeviceMemory(GlobalMemory& memory, std::uint64_t capacity);

    /// A multiple of 1 MiB; 0: no memory left.
    std::uint64_t allocate(std::uint64_t bytes);
    /// False: nothing that was allocated here begins there.
    bool free(std::uint64_t address);
    /// The bytes behind an address of any allocation, or nullptr where they do not all lie in one.
    std::byte* at(std::uint64_t address, std::uint64_t bytes) const;

    std::uint64_t capacity() const { return m_capacity; }
    std::uint64_t left() const { return m_capacity - m_used; }

private:
    struct Block {
        std::unique_ptr<std::byte[]> storage{};
        std::uint64_t bytes = 0;
    };
    GlobalMemory& m_memory;
    std::uint64_t m_capacity;
    std::uint64_t m_used = 0;
    std::uint64_t m_count = 0;
    std::map<std::uint64_t, Block> m_blocks{};
};

} // namespace ptxwb::emulator
