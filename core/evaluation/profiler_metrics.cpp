// SPDX-License-Identifier: Apache-2.0
// The numbers of Nsight Compute's raw page that are read first. Names as ncu 2025.3 has them on Hopper.
#include "core/evaluation/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ptxwb {

namespace {

struct Known {
    const char* group;
    const char* title;
    const char* name;
};

constexpr std::array known{
    Known{"throughput", "duration", "gpu__time_duration.sum"},
    Known{"throughput", "SM, of its peak", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    Known{"throughput", "memory system, of its peak",
        "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    Known{"pipes", "tensor pipe busy, while the SM is",
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"},
    Known{"pipes", "tensor pipe busy, of all cycles",
        "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    Known{"pipes", "TMA pipe busy", "sm__pipe_tma_cycles_active.avg.pct_of_peak_sustained_active"},
    Known{"pipes", "FMA pipe busy", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"},
    Known{"pipes", "ALU pipe busy", "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active"},
    Known{"issue", "issue slots used", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    Known{"issue", "instructions per cycle of an SM", "sm__inst_executed.avg.per_cycle_active"},
    Known{"issue", "warps ready to issue, per scheduler", "smsp__warps_eligible.avg.per_cycle_active"},
    Known{"issue", "cycles between two instructions of a warp",
        "smsp__average_warp_latency_per_inst_issued.ratio"},
    Known{"stalls", "at a barrier", "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"},
    Known{"stalls", "for a scoreboard of global or local memory",
        "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"},
    Known{"stalls", "for a scoreboard of shared memory or special functions",
        "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"},
    Known{"stalls", "for the queue of shared memory instructions",
        "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio"},
    Known{"stalls", "for the queue of global memory instructions",
        "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio"},
    Known{"stalls", "for wgmma", "smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio"},
    Known{"stalls", "for a busy math pipe",
        "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio"},
    Known{"stalls", "for a fixed latency", "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"},
    Known{"stalls", "for instructions to be fetched",
        "smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio"},
    Known{"stalls", "another warp was chosen",
        "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"},
    Known{"memory", "device memory, of its peak", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    Known{"memory", "device memory", "dram__bytes.sum.per_second"},
    Known{"memory", "L2, of its peak", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    Known{"memory", "L2 hits", "lts__t_sector_hit_rate.pct"},
    Known{"memory", "L1 and shared memory, of their peak",
        "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    Known{"memory", "shared memory wavefronts beyond the ideal",
        "derived__memory_l1_wavefronts_shared_excessive"},
    Known{"occupancy", "warps on an SM, of the most", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    Known{"occupancy", "possible by its resources", "sm__maximum_warps_per_active_cycle_pct"},
    Known{"occupancy", "registers a thread", "launch__registers_per_thread"},
    Known{"occupancy", "shared memory a block", "launch__shared_mem_per_block"},
    Known{"occupancy", "waves of blocks", "launch__waves_per_multiprocessor"},
};

/// "1,234.5" -> 1234.5; NaN, infinities and words are no numbers.
std::optional<double> numberOf(std::string cell)
{
    std::erase(cell, ',');
    double value = 0;
    const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return failure == std::errc{} && end == cell.data() + cell.size() && std::isfinite(value)
        ? std::optional(value)
        : std::nullopt;
}

ProfiledMetric without(const Known& metric, const std::string& kernel, std::string reason)
{
    return {.kernel = kernel,
        .group = metric.group,
        .title = metric.title,
        .name = metric.name,
        .reason = std::move(reason)};
}

} // namespace

const std::vector<std::string>& metricSections()
{
    static const std::vector<std::string> sections{"SpeedOfLight", "ComputeWorkloadAnalysis",
        "MemoryWorkloadAnalysis", "SchedulerStats", "WarpStateStats", "Occupancy", "LaunchStats"};
    return sections;
}

std::vector<ProfiledMetric> unmeasuredMetrics(
    const std::vector<std::string>& kernels, const std::string& reason)
{
    std::vector<ProfiledMetric> metrics;
    for (const auto& kernel : kernels) {
        for (const Known& metric : known) {
            metrics.push_back(without(metric, kernel, reason));
        }
    }
    return metrics;
}

std::vector<ProfiledMetric> parseMetrics(std::string_view csv, const std::vector<std::string>& kernels)
{
    std::vector<std::string> names;
    std::vector<std::string> units;
    std::vector<ProfiledMetric> metrics;
    std::vector<std::string> seen;
    while (!csv.empty()) {
        const auto end = std::min(csv.find('\n'), csv.size());
        auto cells = quotedCells(csv.substr(0, end));
        csv.remove_prefix(std::min(end + 1, csv.size()));
        const auto column = [&](std::string_view name) {
            return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        };
        if (names.empty()) {
            if (std::find(cells.begin(), cells.end(), "Kernel Name") != cells.end()) {
                names = std::move(cells);
            }
            continue;
        }
        if (units.empty()) {
            units = std::move(cells);
            continue;
        }
        if (cells.size() != names.size() || units.size() != names.size()) {
            continue; // cut off
        }
        const std::string kernel = cells[column("Kernel Name")];
        if (std::find(seen.begin(), seen.end(), kernel) != seen.end()
            || rowsOf({{.kernel = kernel}}, kernels).empty()) {
            continue;
        }
        seen.push_back(kernel);
        for (const Known& metric : known) {
            const std::size_t at = column(metric.name);
            if (at == names.size()) {
                metrics.push_back(without(metric, kernel, "the report does not have it"));
            } else if (const auto value = numberOf(cells[at])) {
                auto made = without(metric, kernel, {});
                made.value = value;
                made.unit = units[at];
                metrics.push_back(std::move(made));
            } else {
                metrics.push_back(
                    without(metric, kernel, fmt::format("Nsight Compute gave '{}' for it", cells[at])));
            }
        }
    }
    return metrics;
}

} // namespace ptxwb
