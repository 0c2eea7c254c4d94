// SPDX-License-Identifier: Apache-2.0
#include "app/cli/profile_text.h"

#include "app/cli/text_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace ptxwb::cli {

namespace {

constexpr std::size_t mostRows = 15;
constexpr std::size_t mostReasons = 3;

std::string valueOf(const ProfiledMetric& metric)
{
    if (!metric.value) {
        return "not_measured: " + metric.reason;
    }
    const double value = *metric.value;
    if (metric.unit == "ns") {
        return fmt::format("{:.2f} us", value / 1e3);
    }
    if (metric.unit == "byte/s") {
        return fmt::format("{:.1f} GB/s", value / 1e9);
    }
    return fmt::format(
        "{:.6g}{}{}", value, metric.unit.empty() || metric.unit == "%" ? "" : " ", metric.unit);
}

std::string metricsText(const Evaluation& e)
{
    std::string text;
    std::string kernel;
    std::vector<std::vector<std::string>> rows;
    const auto flush = [&] {
        if (!rows.empty()) {
            text += fmt::format("\nNsight Compute's numbers of {}\n{}", kernel, table(rows, "  "));
            rows.clear();
        }
    };
    for (std::size_t i = 0; i < e.metrics.size(); ++i) {
        const auto& metric = e.metrics[i];
        if (metric.kernel != kernel) {
            flush();
            kernel = metric.kernel;
        }
        const bool isFirst = rows.empty() || metric.group != e.metrics[i - 1].group;
        const std::string title = metric.group == "stalls"
            ? "warps standing " + metric.title + ", per instruction issued"
            : metric.title;
        rows.push_back({isFirst ? metric.group : "", title, valueOf(metric), metric.name});
    }
    flush();
    return text;
}

std::string stallsOf(const ProfiledRow& row)
{
    std::vector<std::pair<std::string, std::int64_t>> reasons(row.stalls.begin(), row.stalls.end());
    std::sort(
        reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (reasons.size() > mostReasons) {
        reasons.resize(mostReasons);
    }
    std::vector<std::string> words;
    for (const auto& [name, count] : reasons) {
        const auto bare = name.starts_with("stall_") ? name.substr(6) : name;
        words.push_back(fmt::format("{} {}", bare, count));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string rowsText(const Evaluation& e)
{
    const auto total = std::accumulate(e.profile.begin(), e.profile.end(), std::int64_t{0},
        [](std::int64_t sum, const ProfiledRow& row) { return sum + row.samples; });
    if (total == 0) {
        return {};
    }
    std::vector<const ProfiledRow*> sorted;
    for (const auto& row : e.profile) {
        if (row.samples > 0) {
            sorted.push_back(&row);
        }
    }
    std::stable_sort(sorted.begin(), sorted.end(),
        [](const ProfiledRow* a, const ProfiledRow* b) { return a->samples > b->samples; });
    std::vector<std::vector<std::string>> rows{{"samples", "share", "executed", "SASS", "standing for"}};
    for (std::size_t i = 0; i < std::min(mostRows, sorted.size()); ++i) {
        const auto& row = *sorted[i];
        auto sass = row.sass;
        sass.erase(0, sass.find_first_not_of(' '));
        rows.push_back({fmt::format("{}", row.samples),
            fmt::format("{:.1f} %", 100.0 * static_cast<double>(row.samples) / static_cast<double>(total)),
            fmt::format("{}", row.executed), sass, stallsOf(row)});
    }
    return fmt::format(
        "\nwhere warps were met: {} of {} SASS rows with samples, {} samples (all rows: --json)\n{}",
        rows.size() - 1, sorted.size(), total, table(rows, "  "));
}

} // namespace

std::string profileText(const Evaluation& evaluation)
{
    return metricsText(evaluation) + rowsText(evaluation);
}

} // namespace ptxwb::cli
