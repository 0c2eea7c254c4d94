// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ptxwb {

/// Median of `values` without their NaNs; nullopt when none is left.
std::optional<double> median(std::vector<double> values);

/// Where the times of one implementation lie, in the unit of the samples.
struct TimeSummary {
    double median = 0;
    double p10 = 0; ///< tenth percentile, interpolated
    double p90 = 0;
    std::array<double, 2> ci95{0, 0}; ///< bootstrap percentile interval of the median
    int samples = 0;
};
/// nullopt without samples. Deterministic.
std::optional<TimeSummary> summarise(const std::vector<double>& samples);

/// One ABBA round: candidate and baseline times measured next to each other, in microseconds.
struct PairedRound {
    double candidateUs = 0;
    double baselineUs = 0;
    bool throttled = false; ///< excluded from the estimate, and said
};

/// Speed-up = baseline / candidate with a bootstrap percentile interval over rounds.
struct SpeedupEstimate {
    double ratio = 0; ///< of the medians
    std::array<double, 2> ci95{0, 0};
    int pairedRounds = 0;
    double candidateMedianUs = 0;
    double baselineMedianUs = 0;
};
/// nullopt with fewer than three accepted rounds. Deterministic for a seed.
std::optional<SpeedupEstimate> estimateSpeedup(
    const std::vector<PairedRound>& rounds, std::uint64_t seed = 1);
/// The same with a chosen number of bootstrap resamples.
std::optional<SpeedupEstimate> estimateSpeedup(
    const std::vector<PairedRound>& rounds, std::uint64_t seed, int resamples);

/// Decides when enough rounds were made: at least minRounds that were not throttled, then until the
/// interval's half width is at most targetRelativeWidth of the ratio; in any case at maxRounds, throttled
/// ones counted.
struct StoppingRule {
    int minRounds = 10;
    int maxRounds = 200;
    double targetRelativeWidth = 0.005;
    bool enough(const std::vector<PairedRound>& rounds) const;
};

} // namespace ptxwb
