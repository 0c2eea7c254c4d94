// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/schedules.h"

#include <cstdint>
#include <map>

namespace ptxwb::emulator {

/// A candidate on one workload of a task, by emulation.
struct EmulatorEvaluationRequest {
    std::string text{}; ///< PTX with its launch plan
    std::string displayName{};
    Task task{};
    Workload workload{};
    std::vector<AsyncPolicy> policies{AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random};
    std::uint64_t seed = 1; ///< of the inputs, and of the random policy
    int seeds = 1; ///< runs of the random policy, with seeds seed, seed + 1 ...
    Rule rule = Rule::Strict;
    bool checks = true;
    bool measuredSums = false; ///< EmulatorRequest::measuredSums
    bool contributions = false; ///< find out whether the outputs depend on wgmma and on TMA copies
    EmulatorLimits limits{};
    /// Makes the reference from the inputs' buffers (all of the plan's), instead of the task's oracle.
    std::function<Result<std::vector<std::vector<double>>>(
        const std::vector<std::vector<std::byte>>& buffers, std::stop_token stop)>
        reference{};
    std::optional<ResolvedPlan> plan{}; ///< instead of the one in the text
    EmulatorExecutor execute = emulate;
    /// Told each finding (rule and lines) once, when it is first met, from a worker thread.
    std::function<void(const Report&)> onFinding{};
};

struct EmulatorVerdict {
    Verdict verdict = Verdict::Unverified;
    std::string explanation{}; ///< one sentence
    Judgement paper{};
    Judgement strict{};
    std::vector<TrialFacts> trials{}; ///< one per run that ended
    std::vector<Report> reports{}; ///< of all runs, without repetitions
    std::vector<OpcodeCount> executed{}; ///< of the first run that came to its end, else of the first one
    std::map<ResultOf, bool> contributes{}; ///< of what was executed and asked for; absent: not known
    bool executedIsWhole = false; ///< no limit of the emulator cut that run short
    std::optional<HostFault> hostFault{}; ///< what ended the host code
    Schedules schedules{};
    std::string profile{};
    std::uint64_t threadInstructions = 0; ///< of all runs
    std::uint64_t mostSteps = 0; ///< warp instructions of the CTA or cluster that executed most
    double emulationSeconds = 0;
    double oracleSeconds = 0;
};

/// Makes inputs from the seed, runs the plan under every policy, compares with the oracle, judges. Blocks;
/// any thread. Errors: as emulate() and resolveLaunchPlan(); Cancelled.
Result<EmulatorVerdict> evaluateOnEmulator(const EmulatorEvaluationRequest& request,
    const EmulatorProgress& onProgress = {}, std::stop_token stop = {});

} // namespace ptxwb::emulator
