// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace ptxwb::emulator {

struct Cluster;
struct Cta;
struct Warp;

/// One component per agent whose actions can be known to be over: warps, and channels of asynchronous work.
using VectorClock = std::vector<std::uint32_t>;

void join(VectorClock& into, const VectorClock& from);

/// A moment of one agent.
struct Epoch {
    std::uint16_t channel = 0;
    std::uint32_t time = 0; ///< 0: never
    std::int32_t line = 0;
};

/// Finds accesses to shared memory that nothing orders (happens-before with vector clocks), for one cluster.
/// An access of a warp is ordered after another warp's when a barrier lies between; after a copy when its
/// mbarrier or group was waited for; after a wgmma when its group was waited for. Accesses are noted when
/// they are issued, so the finding does not depend on the schedule that was run.
class RaceDetector {
public:
    RaceDetector(std::uint32_t ctas, std::uint32_t warpsPerCta, std::uint32_t sharedBytes);

    VectorClock& clockOf(const Warp& warp);
    /// What the warp did so far becomes known to those who acquire `clock`.
    void release(const Warp& warp, VectorClock& clock);
    void acquire(const Warp& warp, const VectorClock& clock);
    /// The warp knows that work on `channel` is over up to `time`.
    void learn(const Warp& warp, std::uint16_t channel, std::uint32_t time);

    std::uint16_t warpChannel(const Warp& warp) const;
    std::uint16_t copyChannel(const Warp& warp) const; ///< cp.async
    std::uint16_t bulkChannel(const Warp& warp) const; ///< sources of bulk stores
    std::uint16_t wgmmaChannel(const Warp& warp) const; ///< of the warpgroup
    /// Of a new mbarrier; 0 when there are no more.
    std::uint16_t newBarrierChannel();

    Epoch now(const Warp& warp, int line);

    enum class Kind : std::uint8_t { Read, Write, Atomic };
    /// An access to bytes of the CTA's shared memory by an agent that knows `known` and whose epoch is
    /// `self`. Conflicts are reported in the name of `warp`.
    void access(Warp& warp, Cta& owner, std::uint32_t address, std::uint32_t bytes, Kind kind,
        const VectorClock& known, Epoch self);

    /// When the last warp of the cluster has ended: every access to another CTA's memory must be over, for
    /// that CTA to know, when it ends.
    void checkExits(Warp& warp);

    /// All atomics, volatile and ordered accesses synchronise with each other here: too much rather than too
    /// little.
    VectorClock atomics{};

private:
    struct Cell {
        Epoch write{};
        std::array<Epoch, 2> reads{};
        bool writeWasAtomic = false;
        std::int32_t fine = -1; ///< index of four cells of 4 bytes, once the 16 bytes are accessed in parts
    };

    void touch(Cell& cell, Warp& warp, Cta& owner, std::uint32_t address, Kind kind, const VectorClock& known,
        Epoch self);
    void report(
        Warp& warp, Cta& owner, std::uint32_t address, Kind kind, Epoch self, Epoch other, bool otherWrites);
    const char* nameOf(std::uint16_t channel) const;

    std::uint32_t m_warps = 0; ///< of the cluster
    std::uint32_t m_warpsPerCta = 0;
    std::uint32_t m_groupsPerCta = 0;
    std::uint32_t m_dimensions = 0;
    std::uint32_t m_nextBarrier = 0;
    std::vector<VectorClock> m_clocks{};
    std::vector<std::vector<Cell>> m_cells{}; ///< by CTA
    std::vector<std::array<Cell, 4>> m_fine{};
    std::vector<std::vector<Epoch>> m_remote{}; ///< by CTA, by warp of another: its last access to the CTA
};

} // namespace ptxwb::emulator
