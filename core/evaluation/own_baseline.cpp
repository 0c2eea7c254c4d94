// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/own_baseline.h"

#include "core/evaluation/paired_run.h"
#include "core/support/sha256.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

Error unusable(const OwnBaseline& baseline, const std::string& why, std::string hint = {})
{
    return {.code = ErrorCode::InvalidArgument,
        .message = fmt::format("the baseline cannot be used: {}", why),
        .hint = std::move(hint),
        .path = baseline.displayName};
}

} // namespace

Result<void> addOwnBaseline(EvaluateRequest& request, const Compiler& compiler, const OwnBaseline& baseline,
    const Task& task, const Workload& workload, std::stop_token stop)
{
    if (!request.sharedObject.empty()) {
        return unusable(baseline,
            "the candidate brings its own host code, and the two cannot share a process",
            "`ptxwb bench` compares two kernels with launch plans");
    }
    const auto language = languageOf(baseline.displayName, baseline.text);
    if (!language) {
        return language.error();
    }
    auto built = buildCandidate(compiler,
        {.displayName = baseline.displayName,
            .text = baseline.text,
            .directory = baseline.directory,
            .language = *language},
        &task, &workload, {.preferredTarget = request.target}, std::move(stop));
    if (!built) {
        auto error = built.error();
        error.message = fmt::format("the baseline: {}", error.message);
        error.path = error.path.empty() ? baseline.displayName : error.path;
        return error;
    }
    if (built->refused) {
        return unusable(baseline, built->reason);
    }
    if (built->compiled.target != request.target) {
        return unusable(baseline,
            fmt::format("it is built for {}, the candidate for {}", built->compiled.target, request.target),
            "--target chooses one for both where their files permit it");
    }
    ResolvedPlan plan = std::move(built->plan.plan);
    if (auto joined = joinPlans(plan, request.plan); !joined) {
        return unusable(baseline, joined.error().message);
    }
    request.rival = Rival{.cubin = std::move(built->cubin), .plan = std::move(plan)};
    return {};
}

void noteOwnBaseline(Evaluation& evaluation, const OwnBaseline& baseline, const Finished& finished)
{
    const std::string name = std::filesystem::path(baseline.displayName).filename().string();
    const auto isRival = [](const BaselineTiming& timing) { return timing.name == "rival"; };
    if (!finished.timing && finished.rival && evaluation.verdict == Verdict::Correct) {
        // It failed its own checks, so nothing was timed: that is what a reader looks for beside the times.
        for (auto& phase : evaluation.phases) {
            if (phase.phase == Phase::Measure && !phase.reason.empty()) {
                phase.reason = fmt::format("{} ({}: {})", phase.reason, name, finished.rival->explanation);
            }
        }
    }
    if (!evaluation.timing) {
        return;
    }
    auto& baselines = evaluation.timing->baselines;
    const auto found = std::find_if(baselines.begin(), baselines.end(), isRival);
    if (found == baselines.end()) {
        return;
    }
    found->name = name;
    found->series.name = name;
    found->series.card["file"] = baseline.displayName;
    found->series.card["sha256"] = sha256Hex(baseline.text);
    if (finished.rival) {
        found->series.card["verdict"] = std::string(verdictName(finished.rival->verdict));
    }
}

} // namespace ptxwb
