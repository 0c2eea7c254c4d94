// SPDX-License-Identifier: Apache-2.0
#include "core/bench/statistics.h"

#include "core/bench/seeded_input.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

namespace ptxwb {

namespace {

constexpr std::size_t fewestRounds = 3;

double medianInPlace(std::vector<double>& values)
{
    const std::size_t middle = values.size() / 2;
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(middle);
    std::nth_element(values.begin(), nth, values.end());
    if (values.size() % 2 == 1) {
        return *nth;
    }
    return (*std::max_element(values.begin(), nth) + *nth) / 2;
}

bool isUsable(const PairedRound& round)
{
    return !round.throttled && std::isfinite(round.candidateUs) && std::isfinite(round.baselineUs)
        && round.candidateUs > 0 && round.baselineUs > 0;
}

/// Value at `fraction` of sorted `values`, interpolated.
double quantile(const std::vector<double>& sorted, double fraction)
{
    const double place = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double rest = place - static_cast<double>(below);
    return sorted[below] + (sorted[above] - sorted[below]) * rest;
}

} // namespace

std::optional<double> median(std::vector<double> values)
{
    values.erase(
        std::remove_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }), values.end());
    if (values.empty()) {
        return std::nullopt;
    }
    return medianInPlace(values);
}

std::optional<TimeSummary> summarise(const std::vector<double>& samples)
{
    std::vector<double> sorted;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(sorted),
        [](double sample) { return std::isfinite(sample); });
    if (sorted.empty()) {
        return std::nullopt;
    }
    std::sort(sorted.begin(), sorted.end());
    constexpr int resamples = 1000;
    std::vector<double> medians;
    std::vector<double> drawn(sorted.size());
    for (int r = 0; r < resamples; ++r) {
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            drawn[i] = sorted[mixedBits(1, static_cast<std::uint32_t>(r), i) % sorted.size()];
        }
        medians.push_back(medianInPlace(drawn));
    }
    std::sort(medians.begin(), medians.end());
    return TimeSummary{.median = quantile(sorted, 0.5),
        .p10 = quantile(sorted, 0.1),
        .p90 = quantile(sorted, 0.9),
        .ci95 = {quantile(medians, 0.025), quantile(medians, 0.975)},
        .samples = static_cast<int>(sorted.size())};
}

std::optional<SpeedupEstimate> estimateSpeedup(
    const std::vector<PairedRound>& rounds, std::uint64_t seed, int resamples)
{
    std::vector<PairedRound> used;
    std::copy_if(rounds.begin(), rounds.end(), std::back_inserter(used), isUsable);
    if (used.size() < fewestRounds || resamples < 1) {
        return std::nullopt;
    }
    std::vector<double> candidate(used.size());
    std::vector<double> baseline(used.size());
    const auto ratioOf = [&](auto&& chosen) {
        for (std::size_t i = 0; i < used.size(); ++i) {
            const PairedRound& round = used[chosen(i)];
            candidate[i] = round.candidateUs;
            baseline[i] = round.baselineUs;
        }
        const double candidateUs = medianInPlace(candidate);
        const double baselineUs = medianInPlace(baseline);
        return std::pair(candidateUs, baselineUs);
    };
    SpeedupEstimate estimate;
    std::tie(estimate.candidateMedianUs, estimate.baselineMedianUs) =
        ratioOf([](std::size_t i) { return i; });
    estimate.ratio = estimate.baselineMedianUs / estimate.candidateMedianUs;
    estimate.pairedRounds = static_cast<int>(used.size());

    std::vector<double> ratios;
    ratios.reserve(static_cast<std::size_t>(resamples));
    std::uint64_t draw = 0;
    for (int r = 0; r < resamples; ++r) {
        // The high 32 bits scaled to the count: even enough for counts far below 2^32, and the same
        // everywhere.
        const auto medians = ratioOf([&](std::size_t) {
            return static_cast<std::size_t>(((mixedBits(seed, 0, draw++) >> 32) * used.size()) >> 32);
        });
        ratios.push_back(medians.second / medians.first);
    }
    std::sort(ratios.begin(), ratios.end());
    estimate.ci95 = {quantile(ratios, 0.025), quantile(ratios, 0.975)};
    return estimate;
}

std::optional<SpeedupEstimate> estimateSpeedup(const std::vector<PairedRound>& rounds, std::uint64_t seed)
{
    constexpr int resamples = 2000;
    return estimateSpeedup(rounds, seed, resamples);
}

bool StoppingRule::enough(const std::vector<PairedRound>& rounds) const
{
    if (static_cast<int>(rounds.size()) >= maxRounds) {
        return true;
    }
    const auto usable = std::count_if(rounds.begin(), rounds.end(), isUsable);
    if (usable < minRounds) {
        return false;
    }
    // Asked after every round, so coarser than the interval that is reported.
    constexpr int resamples = 300;
    const std::optional<SpeedupEstimate> estimate = estimateSpeedup(rounds, 1, resamples);
    return estimate && (estimate->ci95[1] - estimate->ci95[0]) / 2 <= targetRelativeWidth * estimate->ratio;
}

} // namespace ptxwb
