// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/debugger_views.h"
#include "core/emulator/emulator.h"
#include "core/emulator/timeline.h"

#include <cstdint>

namespace ptxwb::emulator {

enum class StopCause : std::uint8_t {
    Start,
    Step,
    Breakpoint,
    Watch,
    Report,
    Finished,
    Deadlock,
    Livelock,
    Fault,
    Interrupted
};

/// Why the debugger stands where it stands.
struct Stop {
    StopCause cause = StopCause::Start;
    std::string detail{}; ///< "breakpoint 2", "watch 1: phase 0 -> phase 1", the report's sentence
};

/// `%r5 == 3`: true when any lane that stands at the line meets it.
struct BreakCondition {
    std::string name{};
    std::string comparison{}; ///< == != < <= > >=
    std::int64_t value = 0;
    bool operator==(const BreakCondition&) const = default;
};
/// Reads "%r5 == 3", "%p1==0", "%rd2 >= 0x100". Errors: InvalidArgument.
Result<BreakCondition> parseBreakCondition(std::string_view text);
std::string conditionText(const BreakCondition& condition); ///< "%r5 == 3"

struct Breakpoint {
    int number = 0;
    int line = 0;
    std::optional<BreakCondition> condition{};
};

struct Watchpoint {
    int number = 0;
    std::string text{}; ///< as given
    WatchPlace place{};
    std::string last{}; ///< fingerprint
};

/// Steps one launch of a plan, forwards and backwards. Every run is deterministic, so backwards means: again
/// from the start, to an earlier round. A round is an instruction of one warp, a choice among its splits, or
/// the end of one asynchronous operation; they follow each other exactly as in emulate() with the same policy
/// and seed. CTAs that do not talk to each other are debugged alone: the one that was asked for, with its
/// cluster. No I/O; one thread at a time; each call blocks until it stops.
class Debugger {
public:
    /// `cta`: linear index. Launches before `launch` are run to their end. Errors: as emulate();
    /// InvalidArgument (no such launch or CTA; a launch that breaks a limit or an earlier one that fails,
    /// with the report's sentence).
    static Result<std::unique_ptr<Debugger>> open(
        EmulatorRequest request, std::size_t launch = 0, std::uint64_t cta = 0);
    ~Debugger();
    Debugger(const Debugger&) = delete;
    Debugger& operator=(const Debugger&) = delete;

    Stop restart();
    Stop resume(std::stop_token stop = {}); ///< until something stops it
    Stop step(std::stop_token stop = {}); ///< one instruction of the current warp
    Stop nextWarp(std::stop_token stop = {}); ///< until the turn is another warp's
    Stop untilLine(int line, std::stop_token stop = {}); ///< of the current warp
    Stop back(std::stop_token stop = {}); ///< before the current warp's last instruction
    /// To just before the last change of a place. Nothing when it has not changed since the start.
    std::optional<Stop> backToChange(const WatchPlace& place, std::stop_token stop = {});
    /// To just before the round in which a report with the same rule and lines is filed; a deadlock: to its
    /// end. False: it does not come in this run.
    bool goToReport(const Report& report, std::stop_token stop = {});

    /// To a round since the start: forwards or backwards, whatever lies between.
    Stop goTo(std::uint64_t round);
    /// What happened up to where it stands, or in the whole run; it stands where it stood afterwards. Runs
    /// again from the start. Cut short by `stop`, and behind mostTimelineEntries.
    Timeline timeline(bool toTheEnd, std::stop_token stop = {});

    int addBreakpoint(int line, std::optional<BreakCondition> condition = {});
    Result<int> addWatch(const std::string& text);
    bool remove(int number); ///< a breakpoint or a watch
    const std::vector<Breakpoint>& breakpoints() const;
    const std::vector<Watchpoint>& watches() const;
    bool stopsAtReports = true;

    /// The warp whose registers are shown. It follows the warp that runs, until one is chosen.
    WarpName current() const;
    Result<void> choose(WarpName warp);
    std::uint64_t round() const; ///< rounds since the start
    std::uint64_t instructions() const; ///< warp instructions since the start, as Report::step counts
    bool isOver() const;
    bool ctasTalk() const; ///< all CTAs run, not only the chosen one
    const std::vector<Report>& reports() const;
    int line() const; ///< where the current warp stands; 0: it has exited
    std::optional<WarpName> runningWarp() const; ///< whose instruction is next

    std::vector<WarpView> warps() const;
    std::vector<BarrierView> barriers() const;
    std::vector<NamedBarrierView> namedBarriers() const;
    std::vector<PendingView> pending() const;
    std::vector<std::string> registerNames() const;
    Result<RegisterView> registerOf(const std::string& name) const;
    /// `Y[3]`, `Y[1,2]`, `Y+16`, `tile+128`, `shared+1024`, `0x7000...`.
    Result<MemoryPlace> locate(const std::string& text) const;
    Result<std::vector<std::byte>> read(const MemoryPlace& place, std::size_t bytes) const;
    /// Errors: NotFound, InvalidArgument (no descriptor, a row that its swizzle does not hold).
    Result<MatrixView> matrix(const MatrixQuery& query) const;
    /// A place to watch: a register `%r5` of the current warp, a barrier, memory.
    Result<WatchPlace> watchPlace(const std::string& text) const;
    std::string valueText(const WatchPlace& place) const;

private:
    struct State;
    explicit Debugger(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace ptxwb::emulator
