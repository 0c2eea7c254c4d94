// SPDX-License-Identifier: Apache-2.0
#include "core/bench/statistics.h"
#include "core/gpu/measure_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ptxwb::gpu {

namespace {

double mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// The evaluation's facts of the paper: FlashInfer's bench_gpu_time_with_cupti with 10 and 50 calls.
const std::vector<std::string> deviations{
    "spans by CUDA events on one stream, not by CUPTI's activity records",
    "the library is called directly, not through PyTorch, which gives it its workspace and its layout",
    "L2 is swept by reading and writing a buffer of at least twice its size, and the sweep is waited for",
    "compute-sanitizer's memcheck stands before the times only with --thorough; guard bands and hashes "
    "always do",
    "no wait for a temperature below 40 degrees before the first call"};

} // namespace

Rounds::Step Rounds::byPaper(Baseline& baseline)
{
    m_context.progress("measure", 1, fmt::format("the paper's protocol, {}", baseline.name()), true);
    PaperProtocol paper;
    paper.baseline = baseline.name();
    paper.deviations = deviations;
    const int trials = std::max(1, m_context.request.tolerance.trials);
    for (const bool candidates : {false, true}) {
        auto& medians = candidates ? paper.candidateTrialsUs : paper.baselineTrialsUs;
        for (int trial = 0; trial < trials; ++trial) {
            const std::uint64_t seed = paperSeed(trial);
            if (const auto filled = freshInputs(seed); !filled) {
                return filled.error();
            }
            std::vector<double> times;
            for (int call = 0; call < paper.dryRuns + paper.calls; ++call) {
                double us = 0;
                if (candidates) {
                    auto fault = timeCandidate(seed, false, us);
                    if (!fault || *fault) {
                        return fault;
                    }
                } else {
                    baseline.useFirstAlgorithm(true);
                    const auto timed = timeBaseline(baseline, seed, false, us);
                    baseline.useFirstAlgorithm(false);
                    if (!timed) {
                        return timed.error();
                    }
                }
                if (call >= paper.dryRuns) {
                    times.push_back(us);
                }
            }
            medians.push_back(median(std::move(times)).value_or(0));
        }
    }
    paper.candidateUs = mean(paper.candidateTrialsUs);
    paper.baselineUs = mean(paper.baselineTrialsUs);
    m_timing.paperProtocol = std::move(paper);
    return std::optional<CandidateFault>();
}

} // namespace ptxwb::gpu
