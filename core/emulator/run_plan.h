// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/tensor_content.h"
#include "core/emulator/schedules.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace ptxwb::emulator {

/// A kernel that declares its own tensors, to be run under several schedules.
struct PlanRunRequest {
    std::string text{}; ///< PTX with its launch plan
    std::optional<std::string> planText{}; ///< where the plan stands, when it is not in `text`
    EmulatorExecutor execute = emulate;
    std::string displayName{};
    std::filesystem::path directory{}; ///< where `"init": "file:NAME.npy"` is looked for
    std::vector<AsyncPolicy> policies{AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random};
    std::uint64_t seed = 1; ///< of random inputs and of the random policy
    int seeds = 1; ///< runs of the random policy
    bool measuredSums = false; ///< EmulatorRequest::measuredSums
    EmulatorLimits limits{};
};

using ptxwb::TensorContent; ///< after the first schedule

struct PlanRunOutcome {
    Verdict verdict = Verdict::Unverified;
    std::string explanation{}; ///< one sentence
    ResolvedPlan plan{};
    std::map<std::string, std::int64_t> axes{};
    std::vector<TensorContent> outputs{};
    std::vector<std::string> modifiedInputs{};
    std::vector<Report> reports{}; ///< of all runs, without repetitions
    std::vector<OpcodeCount> executed{}; ///< of the first run
    std::string printed{}; ///< by printf, in the first run
    Schedules schedules{};
    EmulatorEnd end = EmulatorEnd::Completed; ///< of the last run
    std::string profile{};
    std::uint64_t threadInstructions = 0; ///< of all runs
    double seconds = 0;
};

/// Buffers of the plan, filled from the seed and the files. Errors: InvalidArgument (more than
/// largestRunBytes); of files: NotFound, Unreadable, BadFormat.
Result<std::vector<std::vector<std::byte>>> makePlanBuffers(
    const DeclaredPlan& declared, std::uint64_t seed, const std::filesystem::path& directory);
constexpr std::uint64_t largestRunBytes = std::uint64_t{8} << 30; ///< of all buffers together

/// Runs the plan under every schedule. A run with nothing to report is `unverified`: nobody knows what the
/// kernel should compute. Errors: BadFormat with line (plan, PTX), NotFound (no plan, with an example as
/// hint; a kernel that is not there), Cancelled, those of makePlanBuffers().
Result<PlanRunOutcome> runPlan(
    const PlanRunRequest& request, const EmulatorProgress& onProgress = {}, std::stop_token stop = {});

} // namespace ptxwb::emulator
