// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/report_sink.h"

#include <algorithm>
#include <array>

namespace ptxwb::emulator {

namespace {
constexpr std::array<std::string_view, 16> ruleNames{"deadlock", "livelock", "race", "missing_proxy_fence",
    "missing_wgmma_fence", "missing_wgmma_wait", "out_of_bounds", "tx_count_mismatch", "uninitialised_read",
    "misaligned", "barrier_misuse", "divergent_aligned", "descriptor_mismatch", "trap", "resource_limit",
    "not_emulated"};
} // namespace

std::string_view ruleName(RuleId rule)
{
    return ruleNames[static_cast<std::size_t>(rule)];
}

std::optional<RuleId> ruleByName(std::string_view name)
{
    const auto found = std::find(ruleNames.begin(), ruleNames.end(), name);
    return found == ruleNames.end() ? std::nullopt
                                    : std::optional(static_cast<RuleId>(found - ruleNames.begin()));
}

void ReportSink::add(Report report)
{
    const std::scoped_lock lock(m_mutex);
    const int first = report.lines.empty() ? 0 : report.lines[0].line;
    const int second = report.lines.size() < 2 ? 0 : report.lines[1].line;
    const auto [place, isNew] = m_reports.try_emplace({report.rule, first, second}, report);
    if (isNew) {
        return;
    }
    auto& kept = place->second;
    const auto occurrences = kept.occurrences + 1;
    if (std::tie(report.cta, report.step) < std::tie(kept.cta, kept.step)) {
        kept = std::move(report);
    }
    kept.occurrences = occurrences;
}

std::vector<Report> ReportSink::take()
{
    const std::scoped_lock lock(m_mutex);
    std::vector<Report> reports;
    for (auto& [key, report] : m_reports) {
        reports.push_back(std::move(report));
    }
    m_reports.clear();
    std::sort(reports.begin(), reports.end(), [](const Report& x, const Report& y) {
        return std::tie(x.severity, x.cta, x.step, x.rule) < std::tie(y.severity, y.cta, y.step, y.rule);
    });
    return reports;
}

std::size_t ReportSink::size() const
{
    const std::scoped_lock lock(m_mutex);
    return m_reports.size();
}

} // namespace ptxwb::emulator
