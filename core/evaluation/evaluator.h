// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"
#include "core/evaluation/sanitizer.h"
#include "core/runner/runner_client.h"

#include <cstdint>
#include <functional>

namespace ptxwb {

enum class Where { Auto, Gpu, Emulator, None };

/// A kernel of the user's own that the candidate is timed against.
struct OwnBaseline {
    std::string displayName{};
    std::string text{};
    std::filesystem::path directory{};
};

struct EvaluationRequest {
    std::string displayName{}; ///< path as the user gave it
    std::string text{};
    std::filesystem::path directory{};
    Task task{};
    std::optional<std::string> workload{}; ///< uuid or tag; default by `where`
    /// Taken instead of `workload` when the candidate is emulated: a paper-sized shape takes minutes there.
    std::optional<std::string> workloadOnEmulator{};
    Where where = Where::Auto;
    std::optional<RunnerEndpoint> endpoint{}; ///< default: the local runner
    int device = 0;
    std::optional<std::string> target{};
    std::vector<std::string> options{};
    std::uint64_t seed = 0; ///< 0: drawn and logged
    Rule rule = Rule::Strict;
    bool measure = true;
    int phaseTimeoutMs = 30'000; ///< a launch that takes longer is a hang
    bool profile = false; ///< count executed instructions by Nsight Compute, on a local GPU
    bool sandboxed = false; ///< the text is a stranger's: its compilers see their toolkit only
    /// Asked when place, workload and shape are decided, before anything is compiled: an evaluation of the
    /// same work, which is then the answer.
    std::function<std::optional<Evaluation>(const Evaluation& begun)> known{};
    std::filesystem::path keepProfile{}; ///< where the profiler's report goes; empty: it is not kept
    std::filesystem::path readProfile{}; ///< a report that is there already, instead of profiling
    std::optional<OwnBaseline>
        baseline{}; ///< checked as the candidate is, and the first one to be timed against
    bool measuredSums = false; ///< on the emulator: mma and wgmma add in every bit as an H200 does, slower
    std::vector<SanitizerTool> sanitize{}; ///< run on a local GPU after timing; they outweigh it
};

struct EvaluationProgress {
    Phase phase = Phase::Extract;
    std::optional<PhaseRecord> ended{}; ///< set when the phase is over
    double fraction = 0;
    std::string message{};
    bool isFinding = false; ///< the message tells a finding of the emulator, met for the first time
};

/// Runs the phases in order (extract, compile, inspect, verify, sanitize, measure), stops at the failing one
/// and writes the ledger. A candidate that fails is an Evaluation, not an Error. Thread-safe; blocks. Errors:
/// what is not the candidate's fault (unknown workload, cancelled, no temporary space).
class Evaluator {
public:
    explicit Evaluator(const Compiler& compiler)
        : m_compiler(compiler)
    {
    }
    Result<Evaluation> evaluate(const EvaluationRequest& request,
        const std::function<void(const EvaluationProgress&)>& onProgress = {},
        std::stop_token stop = {}) const;

private:
    const Compiler& m_compiler;
};

} // namespace ptxwb
