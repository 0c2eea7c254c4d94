// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/machine.h"
#include "core/emulator/warp_run.h"

#include <cstdint>

namespace ptxwb::emulator {

enum class ClusterEnd : std::uint8_t { Done, Quantum, Stopped, Deadlock, Livelock, Cancelled };

/// Makes the CTAs of cluster number `index` of the grid, registers and shared memory set up.
std::unique_ptr<Cluster> makeCluster(LaunchContext& launch, std::uint64_t index);

/// The scheduler of one cluster, which can stop between any two rounds: an instruction of a warp, a choice
/// among its splits, the end of an asynchronous operation. Which rounds follow each other does not depend on
/// where it stopped.
class ClusterStepper {
public:
    explicit ClusterStepper(Cluster& cluster, std::uint64_t quantum = ~std::uint64_t{0});
    /// Runs at most `rounds`; nothing when the cluster goes on behind them.
    std::optional<ClusterEnd> advance(std::uint64_t rounds);
    std::uint64_t rounds() const { return m_rounds; }
    /// Whose instruction comes next; nullptr: an asynchronous operation does, or it is over.
    Warp* nextWarp() const { return m_phase == Phase::Slice ? m_warps[m_index] : nullptr; }

private:
    enum class Phase : std::uint8_t { Round, Pick, Slice, Completing, RoundEnd, Over };
    std::optional<ClusterEnd> beginRound();
    void pick();
    void endSlice(SliceEnd end);
    std::optional<ClusterEnd> endRound();
    ClusterEnd endOfLoops();
    ClusterEnd over(ClusterEnd end);
    bool completeOne();

    Cluster& m_cluster;
    std::uint64_t m_start = 0;
    std::uint64_t m_quantum = 0;
    std::uint64_t m_rounds = 0;
    std::uint64_t m_left = 0; ///< of this advance()
    std::vector<Warp*> m_warps{};
    std::size_t m_index = 0;
    Slice m_slice{};
    Phase m_phase = Phase::Round;
    bool m_ran = false;
    bool m_drains = false; ///< everybody has exited
    ClusterEnd m_end = ClusterEnd::Done;
};

/// Runs it for about `quantum` warp instructions.
ClusterEnd runCluster(Cluster& cluster, std::uint64_t quantum);

/// Files the report that says who waits for what.
void reportDeadlock(Cluster& cluster);
void reportLivelock(Cluster& cluster);
/// "waits on the mbarrier at full ... 1 of 2 arrivals are missing", for a split that waits.
std::string waitText(Warp& warp, const Split& split);
/// What can be said once every thread has exited.
void checkAfterExit(Cluster& cluster);

} // namespace ptxwb::emulator
