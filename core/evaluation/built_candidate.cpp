// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/built_candidate.h"

#include "core/bench/host_abi.h"
#include "core/emulator/example_plan.h"
#include "core/evaluation/plan_fit.h"
#include "core/support/sha256.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

Result<DeclaredPlan> planOf(const CandidateSource& source, const Task* task, const Workload* workload)
{
    if (task != nullptr) {
        auto plan = resolveLaunchPlan(source.text, *task, *workload);
        if (!plan) {
            return plan.error();
        }
        DeclaredPlan declared;
        declared.plan = *std::move(plan);
        declared.files.resize(declared.plan.buffers.size());
        return declared;
    }
    return resolveDeclaredPlan(source.text);
}

Error located(Error error, const CandidateSource& source)
{
    error.path = source.displayName;
    if (error.code == ErrorCode::NotFound) {
        error.code = ErrorCode::BadFormat; // the file is there: what it lacks is content
        error.hint = fmt::format("put a plan into the file and correct it, for example:\n{}",
            source.language == Language::Ptx ? emulator::examplePlan(source.text) : error.hint);
    }
    return error;
}

void refuse(BuiltCandidate& built, Verdict verdict, std::string reason)
{
    built.refused = verdict;
    built.reason = std::move(reason);
}

void holdPlanAgainstCode(BuiltCandidate& built)
{
    const auto* made = built.compiled.artefact("ptx");
    const bool isPtx = built.source.language == Language::Ptx;
    if (!isPtx && made == nullptr) {
        return;
    }
    const auto misfits = planMisfits(built.plan.plan, outlinePtx(isPtx ? built.source.text : made->bytes));
    for (const auto& misfit : misfits) {
        built.diagnostics.push_back({.severity = Severity::Error,
            .message = fmt::format("{}: {}", misfit.jsonPath, misfit.message),
            .file = built.source.displayName,
            .line = planLine(built.source.text, misfit.jsonPath),
            .explanation = misfit.hint,
            .tool = "launch plan"});
    }
    if (!misfits.empty()) {
        refuse(built, Verdict::LaunchError, misfits.front().message);
    }
}

} // namespace

Result<BuiltCandidate> buildCandidate(const Compiler& compiler, const CandidateSource& source,
    const Task* task, const Workload* workload, const BuildOptions& options, std::stop_token stop)
{
    if (source.language == Language::Cubin) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "a cubin carries no launch plan",
            .hint = "give the .ptx or .cu that it came from",
            .path = source.displayName};
    }
    if (source.language == Language::Cuda && ffi::exportsEntry(source.text)) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the file brings its own host code (host contract)",
            .hint = "`ptxwb eval --task` runs such a file",
            .path = source.displayName};
    }
    auto plan = planOf(source, task, workload);
    if (!plan) {
        return located(plan.error(), source);
    }
    BuiltCandidate built{.source = source, .sha256 = sha256Hex(source.text), .plan = *std::move(plan)};
    auto compiled = compiler.compile({.displayName = source.displayName,
                                         .text = source.text,
                                         .language = source.language,
                                         .directory = source.directory,
                                         .target = options.target,
                                         .preferredTarget = options.preferredTarget,
                                         .options = options.options},
        stop);
    if (!compiled) {
        return compiled.error();
    }
    built.compiled = *std::move(compiled);
    built.diagnostics = built.compiled.diagnostics;
    if (!built.compiled.ok) {
        const auto root = std::find_if(built.diagnostics.begin(), built.diagnostics.end(),
            [](const Diagnostic& d) { return d.rootCause && d.severity <= Severity::Error; });
        refuse(built, Verdict::CompileError,
            root == built.diagnostics.end() ? "the compiler refused the file"
                : root->line                ? fmt::format("line {}: {}", *root->line, root->message)
                                            : root->message);
        return built;
    }
    if (const auto* cubin = built.compiled.artefact("cubin")) {
        built.cubin = cubin->bytes;
    }
    holdPlanAgainstCode(built);
    return built;
}

} // namespace ptxwb
