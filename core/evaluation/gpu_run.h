// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/built_candidate.h"

#include <cstdint>

namespace ptxwb {

/// Where a run may take place: a local GPU, or what an endpoint reaches.
struct GpuPlace {
    std::optional<RunnerEndpoint> endpoint{}; ///< default: the local runner
    int device = 0;
};

/// A kernel that declares its own tensors, to be run and timed on a GPU.
struct GpuRunRequest {
    CandidateSource source{};
    GpuPlace place{};
    std::optional<std::string> target{};
    std::vector<std::string> options{};
    std::uint64_t seed = 1;
    bool measure = true;
    std::vector<std::string> sendOutputs{}; ///< outputs whose bytes are wanted
    int callTimeoutMs = 30'000;
};

struct GpuRun {
    Verdict verdict = Verdict::Unverified; ///< of a clean run: there is nothing to compare with
    std::string explanation{};
    BuiltCandidate built{};
    Placement placement{};
    Finished finished{}; ///< empty where nothing ran
    std::uint64_t seed = 1;
};

/// The device that `place` names. Errors: Unavailable with the reason.
Result<Placement> placeOnGpu(const GpuPlace& place, std::stop_token stop);

/// Values of the plan's tensors that come from files. Errors: those of readPlanFile().
Result<std::vector<BufferContent>> planContents(
    const DeclaredPlan& plan, const std::filesystem::path& directory);

/// Builds, runs (twice on the same inputs, with guard bands) and times. Errors: Unavailable (no GPU, too
/// little memory), those of buildCandidate() and runOnRunner(), Cancelled.
Result<GpuRun> runOnGpu(const Compiler& compiler, const GpuRunRequest& request,
    const std::function<void(const std::string&)>& onProgress, std::stop_token stop);

} // namespace ptxwb
