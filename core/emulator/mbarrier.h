// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ptxwb::emulator {

/// State of one mbarrier object (PTX ISA 9.0, 9.7.13.15). Kept beside the memory; the memory holds a token of
/// it.
struct Mbarrier {
    std::uint32_t address = 0;
    bool live = false;
    std::uint64_t phase = 0; ///< completed phases
    std::uint32_t expected = 0; ///< arrivals per phase
    std::uint32_t pending = 0; ///< arrivals missing in this phase
    std::int64_t txBytes = 0; ///< bytes missing in this phase; negative when they came before expect_tx
    std::uint64_t expectedBytes = 0; ///< by expect_tx in this phase
    std::uint64_t deliveredBytes = 0;
    int initLine = 0;
    int expectLine = 0; ///< the last expect_tx
    int deliverLine = 0; ///< the last copy that delivered
    int arriveLine = 0;
    std::uint64_t initStep = 0;
    std::uint16_t initWarp = 0;
    bool initSeen = false; ///< that its initialisation is not fenced was reported
    bool waited = false;
    std::uint16_t channel = 0; ///< of the race detector
    std::vector<std::uint32_t> arriving{}; ///< clocks of the arrivals of this phase
    std::vector<std::uint32_t> released{}; ///< of the completed phases

    /// Ends the phase when nothing is missing. True when it ended.
    bool settle();
    /// What a waiter for `parity` sees: true when the phase of that parity is over.
    bool passed(std::uint32_t parity) const { return ((phase ^ parity) & 1U) != 0; }
};

inline bool Mbarrier::settle()
{
    if (pending != 0 || txBytes != 0) {
        return false;
    }
    ++phase;
    pending = expected;
    expectedBytes = 0;
    deliveredBytes = 0;
    return true;
}

} // namespace ptxwb::emulator
