// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"
#include "widgets/debugger/debug_snapshot.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>

namespace ptxwb {

/// What is debugged, and where it begins.
struct DebugStart {
    std::string text{};
    std::string displayName{};
    std::filesystem::path directory{}; ///< of files that the plan names
    std::optional<Task> task{}; ///< gives the tensors where the plan does not declare them
    std::string workload = "emulator"; ///< of the task
    emulator::AsyncPolicy policy = emulator::AsyncPolicy::Early;
    std::uint64_t seed = 1; ///< of the schedule
    std::uint64_t inputSeed = 1; ///< of random tensors
    std::uint64_t cta = 0;
    std::optional<emulator::Report> report{}; ///< begin just before it is filed
};

/// A breakpoint of the editor.
struct LineBreakpoint {
    int line = 0;
    std::optional<emulator::BreakCondition> condition{};
    bool operator==(const LineBreakpoint&) const = default;
};

/// A debugger that threads take turns at. Every call blocks.
class DebugSession {
public:
    /// Errors: those of the plan, of the task's inputs and of Debugger::open().
    static Result<std::shared_ptr<DebugSession>> open(const DebugStart& start, const std::stop_token& stop);

    using Command = std::function<emulator::Stop(emulator::Debugger&, std::string& note)>;
    /// `breakpoints`: those that hold from now on.
    DebugSnapshot perform(
        const Command& command, const std::vector<LineBreakpoint>& breakpoints, const MemoryQuery& memory);
    /// The session stands afterwards where it stood.
    emulator::Timeline timeline(bool whole, const std::stop_token& stop);
    /// What stands now.
    DebugSnapshot snapshot(const MemoryQuery& memory);

private:
    DebugSnapshot snapshotOf(emulator::Stop stop, std::string note, const MemoryQuery& memory) const;

    std::mutex m_mutex;
    std::unique_ptr<emulator::Debugger> m_debugger;
    std::string m_launch;
};

} // namespace ptxwb
