// SPDX-License-Identifier: Apache-2.0
// Inside of the debugger; others use debugger.h.
#pragma once

#include "core/emulator/cluster_order.h"
#include "core/emulator/cluster_run.h"
#include "core/emulator/debugger.h"
#include "core/emulator/launch_setup.h"

#include <cstdint>
#include <deque>

namespace ptxwb::emulator {

struct Debugger::State {
    EmulatorRequest request{};
    std::vector<std::vector<std::byte>> base{}; ///< buffers at the start of the launch
    std::vector<std::vector<std::byte>> globalsBase{};
    Module module{};
    GlobalMemory memory{};
    std::vector<std::uint64_t> addresses{};
    ModuleMemory globals{};
    ReportSink sink{};
    GlobalRaces races{}; ///< before `launch` and clusters, which refer to it
    LaunchContext launch{};
    std::shared_ptr<const Program> program{};
    ClusterOrder order{};
    std::uint64_t alone = 0; ///< index of the only cluster that runs, unless the CTAs talk

    std::deque<std::unique_ptr<Cluster>> active{};
    std::unique_ptr<Cluster> cluster{}; ///< the one that runs, or ran last
    std::unique_ptr<ClusterStepper> stepper{}; ///< nullptr: over
    std::uint64_t nextPosition = 0;
    std::uint64_t roundsBefore = 0; ///< of turns that are over
    std::optional<StopCause> over{};
    std::vector<Report> reports{};
    std::vector<Breakpoint> breakpoints{};
    std::vector<Watchpoint> watches{};
    int lastNumber = 0;
    WarpName currentWarp{};
    bool chosen = false; ///< by the user: does not follow

    std::uint64_t round() const { return roundsBefore + (stepper ? stepper->rounds() : 0); }
    void restart();
    /// Runs `rounds` rounds, or until it is over.
    void advance(std::uint64_t rounds);
    void goTo(std::uint64_t round);
    void beginTurn();
    void endTurn(ClusterEnd end);
    void collect();

    /// The instruction that comes next, nullptr when something else does.
    const Instr* nextInstruction() const;
    std::optional<WarpName> nextName() const;
    std::optional<std::string> breakpointHit() const;
    std::optional<std::string> watchHit();

    bool isThere(const Cluster* wanted) const; ///< it runs, or waits for its turn
    Cta* ctaOf(std::uint64_t linear) const;
    Warp* warpOf(const WarpName& name) const;
    Result<MemoryPlace> locate(const std::string& text) const;
    Result<std::vector<std::byte>> read(const MemoryPlace& place, std::size_t bytes) const;
    Result<std::uint64_t> descriptorValue(const std::string& text) const;
    const Mbarrier* barrierAt(const MemoryPlace& place) const;
    Result<WatchPlace> watchPlace(const std::string& text) const;
    std::string valueText(const WatchPlace& place) const;
};

} // namespace ptxwb::emulator
