// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace ptxwb {

/// The bytes that a plain load or store, or the initialisation of an mbarrier, touches: so many from a
/// constant offset to what the registers in its brackets add up to.
struct MemoryAccess {
    std::int64_t offset = 0;
    int bytes = 0;
    std::uint64_t form = 0; ///< the brackets without the names of registers and the offset
};

/// Nothing for any other row, atomic, volatile and asynchronous ones included, nor where a modifier is not
/// known to leave the width as it is.
std::optional<MemoryAccess> memoryAccess(const SassInstruction& row);

/// What one memory space holds, as a value number. Accesses that differ in the offset to one base alone are
/// independent where their bytes are; all others keep their order.
class MemoryValue {
public:
    /// A number for all of it.
    std::uint64_t whole() const;
    /// A number for the bytes of `access` from the address `base`: equal bases name equal addresses. What is
    /// not known to lie elsewhere counts.
    std::uint64_t of(const MemoryAccess& access, std::uint64_t base) const;
    /// `number` says what was written, and over what.
    void write(const MemoryAccess& access, std::uint64_t base, std::uint64_t number);
    /// Written who knows where, or a barrier.
    void writeAnywhere(std::uint64_t number);

private:
    static constexpr int bytesOfWord = 4;
    using Word = std::array<std::uint64_t, bytesOfWord>; ///< the last write of each byte

    std::uint64_t keyOf(std::int64_t word) const;

    std::uint64_t m_root = 0; ///< before the writes to the one base
    std::uint64_t m_sum = 0; ///< of these, in any order: what depends on order is in their numbers
    std::uint64_t m_base = 0;
    std::uint64_t m_epoch = 0; ///< counts the bases
    bool m_written = false; ///< by one of these
    std::unordered_map<std::uint64_t, Word> m_words{}; ///< of all epochs
};

} // namespace ptxwb
