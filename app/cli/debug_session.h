// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/debugger.h"
#include "core/emulator/schedules.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ptxwb::cli {

/// What `ptxwb debug` debugs, and how to open it again with another policy, seed, launch or CTA.
struct DebugTarget {
    emulator::EmulatorRequest request{};
    std::size_t launch = 0;
    std::uint64_t cta = 0;
    int seeds = 1; ///< random schedules of `check`
};

/// The command interpreter of the debugger: a line in, text out. Prints nothing itself.
class DebugSession {
public:
    /// Errors: those of Debugger::open().
    static Result<DebugSession> open(DebugTarget target, std::stop_token stop);

    std::string greeting() const;
    /// The answer to one line; an empty line repeats the last one.
    std::string run(const std::string& line);
    bool isOver() const { return m_over; } ///< after `quit`

private:
    using Words = std::vector<std::string>;
    explicit DebugSession(DebugTarget target, std::stop_token stop);

    Result<void> reopen();
    std::string dispatch(const Words& words, const std::string& line);
    std::string moved(const emulator::Stop& stop) const;
    std::string addBreak(const Words& words);
    std::string back(const Words& words);
    std::string chooseWarp(const Words& words);
    std::string info(const Words& words) const;
    std::string print(const Words& words) const;
    std::string examine(const Words& words) const;
    std::string list(const Words& words) const;
    std::string check();
    std::string report(const Words& words);
    std::string schedule(const Words& words);
    std::string steps(const Words& words, const std::function<emulator::Stop()>& one);
    std::string matrix(const Words& words) const;
    std::string timeline(const Words& words);
    std::string sourceLine(int line) const;
    const std::vector<emulator::Report>& reports() const;

    DebugTarget m_target;
    std::stop_token m_stop;
    std::unique_ptr<emulator::Debugger> m_debugger{};
    std::vector<std::string> m_source{};
    std::vector<emulator::Report> m_checked{}; ///< of `check`
    std::string m_lastLine{};
    bool m_over = false;
};

/// Tables for `info`.
std::string warpsText(const std::vector<emulator::WarpView>& warps, emulator::WarpName current,
    const std::optional<emulator::WarpName>& running);
std::string barriersText(
    const std::vector<emulator::BarrierView>& barriers, const std::vector<emulator::NamedBarrierView>& named);
std::string pendingText(const std::vector<emulator::PendingView>& pending);
std::string registerText(const emulator::RegisterView& view, const std::string& format);
std::string debugHelp();

} // namespace ptxwb::cli
