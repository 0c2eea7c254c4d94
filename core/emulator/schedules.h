// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/verdict.h"
#include "core/emulator/emulator.h"

#include <cstdint>

namespace ptxwb::emulator {

std::string_view policyName(AsyncPolicy policy); ///< "early"
std::optional<AsyncPolicy> policyByName(std::string_view name);

/// One way to run a plan.
struct Schedule {
    AsyncPolicy policy = AsyncPolicy::Early;
    std::uint64_t seed = 1;
};

/// Every policy once, the random one with `seeds` seeds from `seed` on.
std::vector<Schedule> schedulesOf(const std::vector<AsyncPolicy>& policies, std::uint64_t seed, int seeds);

/// Which schedules were tried and how many of them showed a fault.
struct Schedules {
    std::vector<std::string> policies{}; ///< "early", "late", "random"
    int seeds = 0; ///< of the random policy
    int runs = 0;
    int found = 0; ///< runs that met an error
    int completed = 0; ///< runs that came to their end

    void note(const Schedule& schedule, const std::vector<Report>& reports, EmulatorEnd end);
};

/// `execute` under schedules[i] of several; `onProgress` is told of all of them together. Errors: those of
/// `execute`; Cancelled.
Result<EmulatorOutcome> emulateSchedule(EmulatorRequest run, const std::vector<Schedule>& schedules,
    std::size_t i, const EmulatorProgress& onProgress, std::stop_token stop,
    const EmulatorExecutor& execute = emulate);

/// Appends the reports that are not known yet; repetitions are counted.
void addReports(std::vector<Report>& all, std::vector<Report> more);

/// The verdict that a rule stands for when its report is an error.
Verdict verdictOf(RuleId rule, EmulatorEnd end);

/// The error that decides the verdict, nullptr when there is none.
const Report* leadingReport(const std::vector<Report>& reports, EmulatorEnd end);

/// "race at line 12: ..."; of a run that was stopped early it says so.
std::string located(const Report& report);

/// "1 warning: missing_wgmma_fence", "2 findings: race, missing_wgmma_fence (warning)"; each rule once.
std::string summaryOf(const std::vector<Report>& reports);

} // namespace ptxwb::emulator
