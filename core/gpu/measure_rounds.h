// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/baseline.h"

#include <cstdint>
#include <set>

namespace ptxwb::gpu {

/// The rounds of one measurement, each timed in the order candidate, baseline, baseline, candidate. The first
/// two share fresh inputs, the last two others, so that no timed cold call meets inputs that it knows;
/// outputs are poisoned before every call of the candidate. A warm call stands behind a call on inputs that
/// differ from its own in a secret part only, and every one has inputs of its own (where some are derived by
/// an oracle, which takes time, five share them). In rounds drawn from the seed one of the candidate's two
/// calls is checked like a trial, and so is one warm call. One thread.
class Rounds {
public:
    /// All three outlive it; samples go into `timing`.
    Rounds(RunContext& context, Stopwatch& stopwatch, Timing& timing);

    /// ABBA rounds against `baseline` until the request's stopping rule or the time budget says enough, then
    /// the warm calls of both. Gives a fault of the candidate. Errors: a failing baseline, or memory.
    Result<std::optional<CandidateFault>> pairWith(Baseline& baseline, BaselineTiming& entry);
    /// The candidate by itself: cold calls, then warm ones.
    Result<std::optional<CandidateFault>> alone();
    /// The paper's protocol, baseline first; not for a candidate with host code.
    Result<std::optional<CandidateFault>> byPaper(Baseline& baseline);

private:
    using Step = Result<std::optional<CandidateFault>>;
    Step warmUp(Baseline* baseline);
    Step round(Baseline* baseline, int number, BaselineTiming* entry);
    Step warmCalls(Baseline* baseline, BaselineTiming* entry);
    Result<void> freshInputs(std::uint64_t seed);
    Result<TrialFacts> factsOfTimedCall(std::uint64_t seed);
    Step checkOutputs(std::uint64_t seed);
    /// The same for the other version: a fault of it is no candidate's, and ends its timing.
    Result<void> checkRival(std::uint64_t seed);
    Step timeCandidate(std::uint64_t seed, bool warm, double& microseconds);
    Step timeHost(std::uint64_t seed, bool warm, double& microseconds);
    Result<void> timeBaseline(Baseline& baseline, std::uint64_t seed, bool warm, double& microseconds);
    bool
    noteState(); ///< clocks, power, throttle reasons of this moment; true when the device was slowed down
    bool timeIsUp() const;
    std::uint64_t roundSeed(int number, int half = 0) const;
    std::uint64_t warmSeed(int call) const;
    std::uint64_t paperSeed(int trial) const;
    /// What stands between the two calls of a warm sample.
    cudaError_t betweenWarm(std::uint64_t seed, cudaStream_t stream) const;
    bool isSecret(std::uint64_t draw, std::uint64_t among, std::uint64_t index) const;

    RunContext& m_context;
    Stopwatch& m_stopwatch;
    Timing& m_timing;
    std::set<int> m_checkedRounds;
    std::vector<std::uint64_t> m_hashes; ///< of the buffers when the inputs were made
    std::chrono::steady_clock::time_point m_begin;
    bool m_rivalIsWrong = false;
};

} // namespace ptxwb::gpu
