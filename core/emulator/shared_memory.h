// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/mbarrier.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ptxwb::emulator {

/// Who wrote 16 bytes of shared memory last.
struct Granule {
    static constexpr std::uint16_t nobody = 0;
    static constexpr std::uint16_t asyncAgent = 0xFFFF;

    std::uint16_t written = 0; ///< bit per byte
    std::uint16_t writer = nobody; ///< warp + 1, or asyncAgent
    std::uint32_t line : 24 = 0;
    std::uint32_t layout : 8 = 0; ///< swizzle of the tensor map that wrote it, plus 1; 0 unknown
    std::uint64_t step = 0;
};

/// Shared memory of one CTA with what the checks know of it. Addresses are offsets in the shared window, from
/// sharedBase.
class SharedMemory {
public:
    void resize(std::uint32_t bytes);
    std::uint32_t bytes() const { return static_cast<std::uint32_t>(m_data.size()); }
    /// True when [address, address + size) lies within.
    bool holds(std::uint32_t address, std::uint32_t size) const;
    std::byte* at(std::uint32_t address);

    /// The granule that holds an address.
    Granule& granule(std::uint32_t address);
    void noteWrite(std::uint32_t address, std::uint32_t size, std::uint16_t writer, std::uint64_t step,
        int line, std::uint32_t layout = 0);
    /// True when every byte was written.
    bool isWritten(std::uint32_t address, std::uint32_t size);

    std::vector<Mbarrier>& mbarriers() { return m_mbarriers; }
    Mbarrier* mbarrierAt(std::uint32_t address);
    /// A live barrier that shares bytes with the range, or nullptr.
    Mbarrier* mbarrierWithin(std::uint32_t address, std::uint32_t size);

private:
    std::vector<std::byte> m_data{};
    std::vector<Granule> m_granules{};
    std::vector<Mbarrier> m_mbarriers{};
};

} // namespace ptxwb::emulator
