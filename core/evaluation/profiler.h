// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"
#include "core/runner/runner_client.h"

#include <cstdint>
#include <stop_token>

namespace ptxwb {

/// Warp instructions that one call of a candidate executed, by family of SASS, over all its launches.
using ExecutedCounts = std::map<SassFamily, std::int64_t>;

/// Reads the source page of Nsight Compute as CSV (`ncu --import FILE --page source --csv`): columns by their
/// names, one table a launch. nullopt: there is no such table. Pure.
std::optional<ExecutedCounts> parseExecutedCounts(std::string_view csv);

/// Every row of the same page, of all tables, in order. Empty: there is no such table. Pure.
std::vector<ProfiledRow> parseProfiledRows(std::string_view csv);
/// Rows of these kernels, whose names may be mangled where the profiler's are not, and rows of unnamed ones.
std::vector<ProfiledRow> rowsOf(std::vector<ProfiledRow> rows, const std::vector<std::string>& kernels);
ExecutedCounts countsOf(const std::vector<ProfiledRow>& rows);

/// The cells of a CSV line whose cells are all quoted.
std::vector<std::string> quotedCells(std::string_view line);

/// The two dozen numbers that an engineer reads first, of the first launch of each of these kernels, from the
/// raw page
/// (`ncu --import FILE --page raw --csv --print-units base`). A number that the report lacks, or has as NaN
/// or "no data", has a reason instead of a value. Empty: there is no such kernel in it. Pure.
std::vector<ProfiledMetric> parseMetrics(std::string_view csv, const std::vector<std::string>& kernels);
/// The same list without values, for kernels that could not be profiled.
std::vector<ProfiledMetric> unmeasuredMetrics(
    const std::vector<std::string>& kernels, const std::string& reason);
/// The sections of Nsight Compute that hold them, by identifier.
const std::vector<std::string>& metricSections();

/// What Nsight Compute was asked and said.
struct ProfilerRun {
    std::optional<ExecutedCounts> counts{};
    std::vector<ProfiledRow> rows{};
    std::vector<ProfiledMetric> metrics{};
    std::filesystem::path report{}; ///< where its .ncu-rep lies; empty: it was not kept
    std::string reason{}; ///< why there are none
    std::string command{};
    std::string version{};
};

/// The kernels of the candidate's code, by name.
std::vector<std::string> kernelNames(const Evaluation& evaluation);

/// ncu: PTXWB_NCU, PATH, CUDA_HOME / CUDA_PATH, /usr/local/cuda.
std::optional<std::filesystem::path> findNsightCompute();

/// Profiles one call of the candidate in a runner of its own, its kernels only, clocks left as they are. The
/// report is kept as `keepAs`, unless that is empty.
/// Blocks; any thread. Errors: Cancelled. What cannot be had is a ProfilerRun that says why.
Result<ProfilerRun> countExecuted(const RunnerEndpoint& endpoint, const EvaluateRequest& request,
    const std::vector<std::string>& kernels, const std::filesystem::path& keepAs, std::stop_token stop);

/// Reads a report that is there already: its rows of these kernels. Blocks. Errors: NotFound, Cancelled.
Result<ProfilerRun> readProfile(
    const std::filesystem::path& report, const std::vector<std::string>& kernels, std::stop_token stop);

/// Writes the counts into the goals, or the reason why there are none.
void noteExecuted(Evaluation& evaluation, const ProfilerRun& run);

} // namespace ptxwb
