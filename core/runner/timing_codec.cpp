// SPDX-License-Identifier: Apache-2.0
#include "core/runner/codecs.h"

#include <nlohmann/json.hpp>

namespace ptxwb::wire {

namespace {

Json toJson(const TimingSeries& series)
{
    return {{"name", series.name}, {"cold_us", reals(series.coldUs)}, {"warm_us", reals(series.warmUs)},
        {"card", series.card}};
}

TimingSeries readSeries(const JsonReader& reader)
{
    TimingSeries series{.name = reader.at("name").text(),
        .coldUs = reader.at("cold_us").reals(),
        .warmUs = reader.at("warm_us").reals(),
        .card = {}};
    for (const auto& [key, value] : reader.at("card").members()) {
        series.card[key] = value.text();
    }
    return series;
}

Json toJson(const SpeedupEstimate& speedup)
{
    return {{"ratio", real(speedup.ratio)}, {"ci95", {real(speedup.ci95[0]), real(speedup.ci95[1])}},
        {"paired_rounds", speedup.pairedRounds}, {"candidate_median_us", real(speedup.candidateMedianUs)},
        {"baseline_median_us", real(speedup.baselineMedianUs)}};
}

SpeedupEstimate readSpeedup(const JsonReader& reader)
{
    const auto interval = reader.at("ci95").reals();
    if (interval.size() != 2) {
        reader.at("ci95").fail("expected two numbers");
    }
    return {.ratio = reader.at("ratio").real(),
        .ci95 = {interval[0], interval[1]},
        .pairedRounds = reader.at("paired_rounds").integer<int>(),
        .candidateMedianUs = reader.at("candidate_median_us").real(),
        .baselineMedianUs = reader.at("baseline_median_us").real()};
}

Json toJson(const BaselineTiming& baseline)
{
    Json rounds = Json::array();
    for (const PairedRound& round : baseline.rounds) {
        rounds.push_back({{"candidate_us", real(round.candidateUs)}, {"baseline_us", real(round.baselineUs)},
            {"throttled", round.throttled}});
    }
    Json errors = Json::array();
    for (const OutputComparison& error : baseline.error) {
        errors.push_back(wire::toJson(error));
    }
    return {{"name", baseline.name},
        {"unavailable", baseline.unavailable ? Json(*baseline.unavailable) : Json(nullptr)},
        {"rounds", std::move(rounds)},
        {"speedup", baseline.speedup ? toJson(*baseline.speedup) : Json(nullptr)},
        {"series", toJson(baseline.series)}, {"error", std::move(errors)}};
}

BaselineTiming readBaseline(const JsonReader& reader)
{
    BaselineTiming baseline;
    baseline.name = reader.at("name").text();
    if (const auto reason = reader.find("unavailable")) {
        baseline.unavailable = reason->text();
    }
    baseline.rounds = reader.at("rounds").list([](const JsonReader& round) {
        return PairedRound{.candidateUs = round.at("candidate_us").real(),
            .baselineUs = round.at("baseline_us").real(),
            .throttled = round.at("throttled").boolean()};
    });
    if (const auto speedup = reader.find("speedup")) {
        baseline.speedup = readSpeedup(*speedup);
    }
    baseline.series = readSeries(reader.at("series"));
    baseline.error = reader.at("error").list(readComparison);
    return baseline;
}

Json toJson(const PaperProtocol& paper)
{
    return {{"candidate_us", real(paper.candidateUs)},
        {"candidate_trials_us", reals(paper.candidateTrialsUs)}, {"baseline", paper.baseline},
        {"baseline_us", paper.baselineUs ? real(*paper.baselineUs) : Json(nullptr)},
        {"baseline_trials_us", reals(paper.baselineTrialsUs)}, {"dry_runs", paper.dryRuns},
        {"calls", paper.calls}, {"deviations", paper.deviations}};
}

PaperProtocol readPaperProtocol(const JsonReader& reader)
{
    PaperProtocol paper{.candidateUs = reader.at("candidate_us").real(),
        .candidateTrialsUs = reader.at("candidate_trials_us").reals(),
        .baseline = reader.at("baseline").text(),
        .baselineUs = {},
        .baselineTrialsUs = reader.at("baseline_trials_us").reals(),
        .dryRuns = reader.at("dry_runs").integer<int>(),
        .calls = reader.at("calls").integer<int>(),
        .deviations = reader.at("deviations").texts()};
    if (const auto baseline = reader.find("baseline_us")) {
        paper.baselineUs = baseline->real();
    }
    return paper;
}

} // namespace

Json toJson(const Timing& timing)
{
    Json baselines = Json::array();
    for (const BaselineTiming& baseline : timing.baselines) {
        baselines.push_back(toJson(baseline));
    }
    return {{"paper_protocol", timing.paperProtocol ? toJson(*timing.paperProtocol) : Json(nullptr)},
        {"candidate", toJson(timing.candidate)}, {"baselines", std::move(baselines)},
        {"roofline_floor_us", timing.rooflineFloorUs ? real(*timing.rooflineFloorUs) : Json(nullptr)},
        {"own_clock_us", timing.ownClockUs ? real(*timing.ownClockUs) : Json(nullptr)},
        {"refused", timing.refused}, {"impossible", timing.impossible}, {"sm_clocks_mhz", timing.smClocksMhz},
        {"power_watts", reals(timing.powerWatts)}, {"throttle", timing.throttleReasons}};
}

Timing readTiming(const JsonReader& reader)
{
    Timing timing;
    timing.candidate = readSeries(reader.at("candidate"));
    timing.baselines = reader.at("baselines").list(readBaseline);
    if (const auto paper = reader.find("paper_protocol")) {
        timing.paperProtocol = readPaperProtocol(*paper);
    }
    if (const auto floor = reader.find("roofline_floor_us")) {
        timing.rooflineFloorUs = floor->real();
    }
    timing.impossible = reader.at("impossible").boolean();
    if (const auto own = reader.find("own_clock_us")) {
        timing.ownClockUs = own->real();
    }
    if (const auto refused = reader.find("refused")) {
        timing.refused = refused->text();
    }
    timing.smClocksMhz = reader.at("sm_clocks_mhz").integers<int>();
    timing.powerWatts = reader.at("power_watts").reals();
    timing.throttleReasons = reader.at("throttle").texts();
    return timing;
}

} // namespace ptxwb::wire
