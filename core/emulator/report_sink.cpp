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

std::uint64_t ReportSink::add(Report report, std::uint64_t position)
{
    const std::scoped_lock lock(m_mutex);
    const int line = report.lines.empty() ? 0 : report.lines[0].line;
    const int other = report.lines.size() < 2 ? 0 : report.lines[1].line;
    const auto [place, isNew] = m_found.try_emplace({report.rule, line, other});
    auto& found = place->second;
    if (isNew && m_onNew) {
        m_onNew(report);
    }
    const auto step = report.step;
    if (isNew || std::tie(position, step) < std::tie(found.counts.begin()->first, found.first.step)) {
        found.first = std::move(report);
    }
    return ++found.counts[position];
}

void ReportSink::keepUpTo(std::uint64_t position)
{
    const std::scoped_lock lock(m_mutex);
    std::erase_if(m_found, [&](const auto& entry) { return entry.second.counts.begin()->first > position; });
    for (auto& [key, found] : m_found) {
        found.counts.erase(found.counts.upper_bound(position), found.counts.end());
    }
}

std::vector<Report> ReportSink::take()
{
    const std::scoped_lock lock(m_mutex);
    std::vector<Report> reports;
    for (auto& [key, found] : m_found) {
        found.first.occurrences = 0;
        for (const auto& [position, count] : found.counts) {
            found.first.occurrences += count;
        }
        reports.push_back(std::move(found.first));
    }
    m_found.clear();
    std::sort(reports.begin(), reports.end(), [](const Report& x, const Report& y) {
        return std::tie(x.severity, x.cta, x.step, x.rule) < std::tie(y.severity, y.cta, y.step, y.rule);
    });
    return reports;
}

std::size_t ReportSink::size() const
{
    const std::scoped_lock lock(m_mutex);
    return m_found.size();
}

} // namespace ptxwb::emulator
