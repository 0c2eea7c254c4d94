// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/placement.h"

namespace ptxwb {

/// A candidate's text as it came.
struct CandidateSource {
    std::string displayName{};
    std::string text{};
    std::filesystem::path directory{}; ///< of the file; empty for stdin
    Language language = Language::Ptx;
};

/// How a candidate is to be built.
struct BuildOptions {
    std::optional<std::string> target{};
    std::optional<std::string> preferredTarget{}; ///< the device's
    std::vector<std::string> options{}; ///< for ptxas or nvcc
};

/// Machine code and plan of a kernel-contract candidate, ready for a runner.
struct BuiltCandidate {
    CandidateSource source{};
    std::string sha256{};
    DeclaredPlan plan{};
    CompileOutcome compiled{};
    std::string cubin{};
    std::vector<Diagnostic> diagnostics{};
    /// compile_error or launch_error: then there is nothing to run.
    std::optional<Verdict> refused{};
    std::string reason{};
};

/// Resolves the plan (of the task's tensors, or of the tensors that it declares itself), compiles, and holds
/// the one against the other. Errors: MissingTool, Cancelled, Unsupported (host contract), BadFormat (no
/// plan).
Result<BuiltCandidate> buildCandidate(const Compiler& compiler, const CandidateSource& source,
    const Task* task, const Workload* workload, const BuildOptions& options, std::stop_token stop);

} // namespace ptxwb
