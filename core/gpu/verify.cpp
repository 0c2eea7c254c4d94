// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb::gpu {

namespace {

std::vector<std::string> changedInputs(const BufferSet& buffers, const std::vector<std::uint64_t>& before,
    const std::vector<std::uint64_t>& after)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const BufferSpec& spec = buffers.buffers()[i].spec();
        if (spec.role == BufferRole::Input && before[i] != after[i]) {
            names.push_back(spec.name);
        }
    }
    return names;
}

/// One trial up to the comparison; a fault of the candidate is put into `fault`.
Result<TrialFacts> runTrial(
    RunContext& context, std::uint64_t seed, const std::string& title, std::optional<CandidateFault>& fault)
{
    TrialFacts trial;
    trial.seed = seed;
    if (const auto done = context.buffers.prepare(seed, context.stream); !done) {
        return done.error();
    }
    const auto before = context.buffers.hashes(context.stream);
    if (!before) {
        return before.error();
    }
    fault = context.runCandidate(title);
    if (fault) {
        return trial;
    }
    const auto after = context.buffers.hashes(context.stream);
    const auto damaged = context.buffers.damagedGuards(context.stream);
    if (!after || !damaged) {
        return after ? damaged.error() : after.error();
    }
    trial.modifiedInputs = changedInputs(context.buffers, *before, *after);
    trial.damagedGuards = *damaged;
    return trial;
}

/// Without a reference only what needs none can be said.
Judgement judgeWithoutReference(const std::vector<TrialFacts>& trials, const std::string& reason)
{
    for (const TrialFacts& trial : trials) {
        if (!trial.damagedGuards.empty()) {
            return {Verdict::OutOfBounds,
                fmt::format("Memory beside {} was overwritten (seed {}).",
                    fmt::join(trial.damagedGuards, ", "), trial.seed)};
        }
        if (!trial.modifiedInputs.empty()) {
            return {Verdict::InputModified,
                fmt::format(
                    "Input {} was changed (seed {}).", fmt::join(trial.modifiedInputs, ", "), trial.seed)};
        }
    }
    return {Verdict::Unverified, fmt::format("It ran, and its results were not checked: {}.", reason)};
}

} // namespace

Result<std::optional<CandidateFault>> verify(RunContext& context)
{
    const int trials = std::max(1, context.request.tolerance.trials);
    std::optional<CandidateFault> fault;
    for (int i = 0; i < trials; ++i) {
        const std::string title = fmt::format("trial {} of {}", i + 1, trials);
        // Seeds of neighbouring trials are as good as any: the generator mixes every bit.
        const std::uint64_t seed = context.request.seed + static_cast<std::uint64_t>(i);
        context.progress("verify", static_cast<double>(i) / trials, title, true);
        auto trial = runTrial(context, seed, title, fault);
        if (!trial) {
            return trial.error();
        }
        if (fault) {
            return fault;
        }
        if (context.reference) {
            context.progress("verify", (i + 0.5) / trials, title + ": reference");
            if (const auto made = context.reference->compute(seed, context.stream); !made) {
                return made.error();
            }
            auto comparisons = context.compareOutputs();
            if (!comparisons) {
                return comparisons.error();
            }
            trial->outputs = *std::move(comparisons);
        }
        context.finished.trials.push_back(*std::move(trial));
    }
    return fault;
}

void judgeTrials(RunContext& context)
{
    Finished& finished = context.finished;
    const EvaluateRequest& request = context.request;
    if (context.reference) {
        finished.paper = judge(finished.trials, request.tolerance, request.strict, Rule::Paper);
        finished.strict = judge(finished.trials, request.tolerance, request.strict, Rule::Strict);
    } else {
        finished.paper = judgeWithoutReference(finished.trials, context.noReference);
        finished.strict = finished.paper;
    }
    const Judgement& chosen = request.rule == Rule::Paper ? finished.paper : finished.strict;
    finished.verdict = chosen.verdict;
    finished.explanation = chosen.explanation;
}

} // namespace ptxwb::gpu
