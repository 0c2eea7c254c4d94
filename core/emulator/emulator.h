// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"
#include "core/bench/verdict.h"
#include "core/emulator/async.h"
#include "core/emulator/report.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace ptxwb::emulator {

struct EmulatorLimits {
    std::uint64_t stepsPerCluster = 10'000'000; ///< warp instructions of one CTA or cluster; then `livelock`
    std::chrono::milliseconds wall{600'000};
    /// Of one error (rule and lines) in one CTA or cluster: then the run ends, since its verdict is decided.
    std::uint64_t repetitions = 1000;
    std::uint64_t ctas = 1U << 24; ///< of one launch; more are refused before anything runs
    unsigned workers = 0; ///< threads; 0: one per core
};

/// One run of a launch plan under one policy.
struct EmulatorRequest {
    std::string text{}; ///< PTX
    std::string displayName{}; ///< file name for reports
    ResolvedPlan plan{};
    std::vector<std::vector<std::byte>> buffers{}; ///< one per plan buffer, initialised
    AsyncPolicy policy = AsyncPolicy::Early;
    std::uint64_t seed = 1;
    bool checks = true;
    ResultOf perturbed = ResultOf::Nothing; ///< results that are changed on purpose
    /// Sums of 16-bit floats and tf32 in every bit as the tensor cores of an H200 add; else in float32,
    /// fused, several times as fast. Other types are always added as an H200 does.
    bool measuredSums = false;
    std::uint64_t onlyClusters = 0; ///< of each launch the first so many; 0: all
    EmulatorLimits limits{};
    /// Told each new finding (rule and lines) when it is met, one call at a time, from a worker thread.
    std::function<void(const Report&)> onFinding{};
};

enum class EmulatorEnd : std::uint8_t {
    Completed,
    Deadlock,
    Livelock,
    Fault,
    NotEmulated,
    ResourceLimit,
    Cancelled,
    Decided ///< the same error came again and again
};
std::string_view endName(EmulatorEnd end); ///< "completed"

/// How often an instruction ran, by its dotted text.
struct OpcodeCount {
    std::string opcode{};
    std::uint64_t warps = 0; ///< warp instructions
    std::uint64_t threads = 0; ///< thread instructions
};

/// What ended host code of the candidate's own, where no kernel did.
struct HostFault {
    Verdict verdict = Verdict::RuntimeError;
    std::string text{}; ///< one sentence
};

struct EmulatorOutcome {
    EmulatorEnd end = EmulatorEnd::Completed;
    std::vector<std::vector<std::byte>> buffers{}; ///< after the run
    std::vector<Report> reports{};
    std::string
        printed{}; ///< by printf, cluster by cluster in the order in which they started; 1 MiB at most
    std::vector<OpcodeCount> executed{}; ///< by opcode, sorted by text
    std::uint64_t warpInstructions = 0;
    std::uint64_t threadInstructions = 0;
    std::uint64_t ctas = 0;
    std::uint64_t launches = 0; ///< begun
    std::uint64_t mostSteps = 0; ///< warp instructions of the CTA or cluster that executed most
    double seconds = 0;
    std::string profile = "fp32"; ///< how sums of matrix instructions are rounded; "h200": measuredSums
    std::optional<HostFault> hostFault{}; ///< of host code only
};

/// CTAs that are done, and how many there are in all launches. Called from worker threads, one at a time.
using EmulatorProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Runs all launches of the plan on the CPU. Blocks; any thread; deterministic for a request, but for kernels
/// that race. Faults of the candidate are reports, not Errors. Errors: BadFormat (the text does not parse,
/// with the line), NotFound (a kernel that is not there), InvalidArgument (buffers that do not fit the plan).
Result<EmulatorOutcome> emulate(
    EmulatorRequest request, const EmulatorProgress& onProgress = {}, std::stop_token stop = {});

/// What makes the launches of one run: emulate(), or host code.
using EmulatorExecutor = std::function<Result<EmulatorOutcome>(
    EmulatorRequest request, const EmulatorProgress& onProgress, std::stop_token stop)>;

} // namespace ptxwb::emulator
