// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/gpu_run.h"
#include "core/evaluation/requirement.h"

#include <cstdint>

namespace ptxwb {

/// Two versions of one kernel, on the same tensors.
struct PairedRunRequest {
    CandidateSource a{};
    CandidateSource b{};
    std::optional<Task> task{}; ///< without one, both plans declare the same tensors
    std::optional<std::string> workload{}; ///< default "paper"
    GpuPlace place{};
    std::optional<std::string> target{};
    std::vector<std::string> options{};
    std::uint64_t seed = 1;
    Rule rule = Rule::Strict;
    StoppingRule stopping{.minRounds = 30, .maxRounds = 400, .targetRelativeWidth = 0.002};
    int callTimeoutMs = 30'000;
};

enum class Faster { A, B, NoDifferenceShown, NotMeasured };
std::string_view fasterName(Faster faster); ///< "a", "b", "no_difference_shown", "not_measured"

/// What one version is worth by itself.
struct VersionOutcome {
    BuiltCandidate built{};
    Verdict verdict = Verdict::Unverified;
    std::string explanation{};
};

struct PairedRun {
    VersionOutcome a{};
    VersionOutcome b{};
    Placement placement{};
    std::string task{}; ///< empty: none
    std::optional<Workload> workload{};
    std::map<std::string, std::int64_t> axes{};
    std::optional<Timing> timing{}; ///< candidate: B; the one baseline: A
    /// Time of A / time of B: above 1, B is faster.
    std::optional<SpeedupEstimate> speedup{};
    std::string notMeasured{}; ///< why there is no speed-up
    /// Without a task: normwise relative difference of B's outputs from A's, for outputs whose bits differ.
    std::map<std::string, double> differences{};
    bool agree = true; ///< without a task: no difference beyond what another order of a sum explains
    std::uint64_t seed = 1;
    std::vector<RequirementOutcome> requirements{}; ///< when something was asked for
};

/// Whether B, timed against A, meets what was asked: speedup, time_us, warm_us, registers, spill_bytes.
/// Errors: InvalidArgument (a goal, which is of `ptxwb eval`).
Result<std::vector<RequirementOutcome>> checkPaired(
    const std::vector<Requirement>& requirements, const PairedRun& run);

/// Two copies of one kernel differ by up to this much, so less is no difference.
inline constexpr double pairResolution = 0.005;

/// Which is faster: the whole interval must lie on one side, and the ratio further than pairResolution.
Faster fasterOf(const std::optional<SpeedupEstimate>& speedup);

/// Both tensors lists joined: B's plan with A's workspaces behind its own, and A's plan on those buffers.
/// Errors: InvalidArgument naming the tensor in which the two differ.
Result<void> joinPlans(ResolvedPlan& a, ResolvedPlan& b);

/// Builds both, checks both by the same rules, then times them in ABBA rounds in one process, on the same
/// buffers. Errors: as of runOnGpu().
Result<PairedRun> runPaired(const Compiler& compiler, const PairedRunRequest& request,
    const std::function<void(const std::string&)>& onProgress, std::stop_token stop);

/// `ptxwb.bench.v1`.
std::string toJson(const PairedRun& run);

} // namespace ptxwb
