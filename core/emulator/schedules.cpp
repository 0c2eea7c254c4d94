// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/schedules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ptxwb::emulator {

namespace {

constexpr std::array<std::string_view, 3> policyNames{"early", "late", "random"};

/// Of several, the first in this order (ARCHITECTURE.md).
int orderOf(Verdict verdict)
{
    constexpr std::array order{Verdict::Deadlock, Verdict::Race, Verdict::OutOfBounds, Verdict::RuntimeError,
        Verdict::LaunchError, Verdict::Unsupported};
    return static_cast<int>(std::find(order.begin(), order.end(), verdict) - order.begin());
}

} // namespace

std::string_view policyName(AsyncPolicy policy)
{
    return policyNames[static_cast<std::size_t>(policy)];
}

std::optional<AsyncPolicy> policyByName(std::string_view name)
{
    const auto* found = std::find(policyNames.begin(), policyNames.end(), name);
    return found == policyNames.end() ? std::nullopt
                                      : std::optional(static_cast<AsyncPolicy>(found - policyNames.begin()));
}

std::vector<Schedule> schedulesOf(const std::vector<AsyncPolicy>& policies, std::uint64_t seed, int seeds)
{
    std::vector<Schedule> schedules;
    for (const auto policy : policies) {
        const int runs = policy == AsyncPolicy::Random ? std::max(seeds, 1) : 1;
        for (int i = 0; i < runs; ++i) {
            schedules.push_back({policy, seed + static_cast<std::uint64_t>(i)});
        }
    }
    return schedules;
}

void Schedules::note(const Schedule& schedule, const std::vector<Report>& reports, EmulatorEnd end)
{
    const std::string name(policyName(schedule.policy));
    if (std::find(policies.begin(), policies.end(), name) == policies.end()) {
        policies.insert(std::upper_bound(policies.begin(), policies.end(), name), name);
    }
    seeds += schedule.policy == AsyncPolicy::Random ? 1 : 0;
    ++runs;
    completed += end == EmulatorEnd::Completed ? 1 : 0;
    found += std::any_of(reports.begin(), reports.end(),
                 [](const Report& r) { return r.severity == ReportSeverity::Error; })
        ? 1
        : 0;
}

Result<EmulatorOutcome> emulateSchedule(EmulatorRequest run, const std::vector<Schedule>& schedules,
    std::size_t i, const EmulatorProgress& onProgress, std::stop_token stop, const EmulatorExecutor& execute)
{
    run.policy = schedules[i].policy;
    run.seed = schedules[i].seed;
    const auto part = [&](std::uint64_t done, std::uint64_t total) {
        if (onProgress) {
            onProgress(total * i + done, total * schedules.size());
        }
    };
    auto outcome = execute(std::move(run), part, std::move(stop));
    if (outcome && outcome->end == EmulatorEnd::Cancelled) {
        return Error{.code = ErrorCode::Cancelled, .message = "the emulation was cancelled"};
    }
    return outcome;
}

void addReports(std::vector<Report>& all, std::vector<Report> more)
{
    for (auto& report : more) {
        const auto same = std::find_if(all.begin(), all.end(),
            [&](const Report& known) { return known.rule == report.rule && known.lines == report.lines; });
        if (same == all.end()) {
            all.push_back(std::move(report));
        } else {
            same->occurrences += report.occurrences;
            same->atLeast = same->atLeast || report.atLeast;
        }
    }
}

Verdict verdictOf(RuleId rule, EmulatorEnd end)
{
    switch (rule) {
    case RuleId::Deadlock:
    case RuleId::Livelock:
        return Verdict::Deadlock;
    case RuleId::Race:
    case RuleId::MissingProxyFence:
    case RuleId::MissingWgmmaFence:
    case RuleId::MissingWgmmaWait:
        return Verdict::Race;
    case RuleId::OutOfBounds:
        return Verdict::OutOfBounds;
    case RuleId::TxCountMismatch:
        return end == EmulatorEnd::Deadlock ? Verdict::Deadlock : Verdict::RuntimeError;
    case RuleId::ResourceLimit:
        return Verdict::LaunchError;
    case RuleId::NotEmulated:
        return Verdict::Unsupported;
    default:
        return Verdict::RuntimeError;
    }
}

const Report* leadingReport(const std::vector<Report>& reports, EmulatorEnd end)
{
    const Report* leading = nullptr;
    for (const auto& report : reports) {
        if (report.severity == ReportSeverity::Error
            && (leading == nullptr
                || orderOf(verdictOf(report.rule, end)) < orderOf(verdictOf(leading->rule, end)))) {
            leading = &report;
        }
    }
    return leading;
}

std::string located(const Report& report)
{
    const auto place = report.lines.empty() || report.lines[0].line == 0
        ? std::string()
        : fmt::format(" at line {}", report.lines[0].line);
    return fmt::format("{}{}: {}{}", ruleName(report.rule), place, report.message,
        report.atLeast ? fmt::format(" (stopped early, after it was seen {} times)", report.occurrences)
                       : "");
}

std::string summaryOf(const std::vector<Report>& reports)
{
    const bool onlyWarnings = std::all_of(reports.begin(), reports.end(),
        [](const Report& report) { return report.severity == ReportSeverity::Warning; });
    std::vector<std::string> names;
    for (const auto& report : reports) {
        const bool marked = !onlyWarnings && report.severity == ReportSeverity::Warning;
        auto name = fmt::format("{}{}", ruleName(report.rule), marked ? " (warning)" : "");
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(std::move(name));
        }
    }
    return fmt::format("{} {}{}: {}", reports.size(), onlyWarnings ? "warning" : "finding",
        reports.size() == 1 ? "" : "s", fmt::join(names, ", "));
}

} // namespace ptxwb::emulator
