// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ptxwb::emulator {

/// A buffer of the launch or a variable of the module, at an address of our own choice.
struct Allocation {
    std::string name{};
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::byte* host = nullptr;
    bool isFollowed = true; ///< by GlobalRaces: kernels may write it

    bool contains(std::uint64_t at, std::uint64_t size) const
    {
        return at >= address && size <= bytes && at - address <= bytes - size;
    }
    std::byte* at(std::uint64_t where) const { return host + (where - address); }
};

/// Global memory of one run: allocations with at least a MiB between them. Changed between
/// launches only, read by any thread.
class GlobalMemory {
public:
    /// `host` must outlive the memory. Returns the device address, a multiple of 1 MiB.
    std::uint64_t add(std::string name, std::byte* host, std::uint64_t bytes, bool isFollowed = true);
    /// Forgets the allocation that begins there; its address is never given again. False: there is none.
    bool remove(std::uint64_t address);
    /// The allocation that holds the address, or nullptr.
    const Allocation* find(std::uint64_t address) const;
    /// The allocation that lies closest below or above an address that nothing holds.
    const Allocation* nearest(std::uint64_t address) const;

private:
    std::vector<Allocation> m_allocations{};
    std::uint64_t m_next = 0;
};

} // namespace ptxwb::emulator
