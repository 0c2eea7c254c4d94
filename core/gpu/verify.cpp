// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/verify.h"

#include "core/bench/seeded_input.h"
#include "core/gpu/output_content.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb::gpu {

namespace {

constexpr std::uint32_t auditDraw = 0xFFFE; // no buffer of a plan has this index

/// One call on the inputs that are there, up to the comparison; a fault of the candidate is put into `fault`.
Result<TrialFacts> runTrial(
    RunContext& context, std::uint64_t seed, const std::string& title, std::optional<CandidateFault>& fault)
{
    TrialFacts trial;
    trial.seed = seed;
    const auto before = context.buffers.hashes(context.stream);
    if (!before) {
        return before.error();
    }
    fault = context.runCandidate(title);
    if (fault) {
        return trial;
    }
    if (const auto copied = context.copyOutputs(); !copied) {
        return copied.error();
    }
    const auto after = context.buffers.hashes(context.stream);
    const auto damaged = context.buffers.damagedGuards(context.stream);
    if (!after || !damaged) {
        return after ? damaged.error() : after.error();
    }
    trial.modifiedInputs = context.buffers.changedInputs(*before, *after);
    trial.damagedGuards = *damaged;
    return trial;
}

/// Compares with the reference of these inputs and keeps the trial.
Result<void> compareAndKeep(RunContext& context, TrialFacts trial, bool altered)
{
    if (context.reference) {
        if (const auto made = context.reference->compute(trial.seed, context.stream, altered); !made) {
            return made.error();
        }
        auto comparisons = context.compareOutputs();
        if (!comparisons) {
            return comparisons.error();
        }
        trial.outputs = *std::move(comparisons);
    }
    context.finished.trials.push_back(std::move(trial));
    return {};
}

/// Two more calls behind one of the trials: the same inputs once more, which must be computed again (and
/// shows whether the bits repeat), then inputs that differ from these in a secret part only. A candidate that
/// knows its inputs again by looking at some of them answers the second with what it kept.
Result<std::optional<CandidateFault>> audit(RunContext& context, std::uint64_t seed)
{
    std::optional<CandidateFault> fault;
    const auto outputHashes = [&]() -> Result<std::vector<std::uint64_t>> {
        auto hashes = context.buffers.hashes(context.stream);
        for (std::size_t i = 0; hashes && i < hashes->size(); ++i) {
            if (context.buffers.buffers()[i].spec().role != BufferRole::Output) {
                (*hashes)[i] = 0;
            }
        }
        return hashes;
    };
    const auto first = outputHashes();
    if (!first) {
        return first.error();
    }
    const auto call = [&](const char* title, bool altered) -> Result<void> {
        context.progress("verify", 1, title, true);
        if (const auto renewed = context.buffers.renew(seed, context.stream); !renewed) {
            return renewed;
        }
        auto trial = runTrial(context, seed, title, fault);
        if (!trial || fault) {
            return trial ? Result<void>() : Result<void>(trial.error());
        }
        trial->title = title;
        if (!altered) {
            const auto second = outputHashes();
            if (!second) {
                return second.error();
            }
            context.finished.repeatsBitwise = *first == *second;
        }
        return compareAndKeep(context, *std::move(trial), altered);
    };
    if (const auto done = call("the repeated call", false); !done || fault) {
        return done ? Result<std::optional<CandidateFault>>(fault) : done.error();
    }
    if (const auto altered = context.buffers.alter(seed, context.stream); !altered) {
        return altered.error();
    }
    if (const auto done = call("the audited call", true); !done) {
        return done.error();
    }
    return fault;
}

/// Without a reference only what needs none can be said.
Judgement judgeWithoutReference(const Finished& finished, const std::string& reason)
{
    for (const TrialFacts& trial : finished.trials) {
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
    if (auto found = judgeOutputs(finished.outputs)) {
        return *std::move(found);
    }
    return {Verdict::Unverified, fmt::format("It ran, and its results were not checked: {}.", reason)};
}

} // namespace

Result<std::optional<CandidateFault>> verify(RunContext& context)
{
    const int trials = std::max(1, context.request.tolerance.trials);
    const auto audited =
        static_cast<int>(mixedBits(context.request.seed, auditDraw, 0) % static_cast<std::uint64_t>(trials));
    std::optional<CandidateFault> fault;
    for (int i = 0; i < trials; ++i) {
        const std::string title = fmt::format("trial {} of {}", i + 1, trials);
        // Seeds of neighbouring trials are as good as any: the generator mixes every bit.
        const std::uint64_t seed = context.request.seed + static_cast<std::uint64_t>(i);
        context.progress("verify", static_cast<double>(i) / trials, title, true);
        if (const auto done = context.buffers.prepare(seed, context.stream); !done) {
            return done.error();
        }
        auto trial = runTrial(context, seed, title, fault);
        if (!trial) {
            return trial.error();
        }
        if (fault) {
            return fault;
        }
        if (i == 0 && context.request.describeOutputs) {
            auto outputs = readOutputs(context);
            if (!outputs) {
                return outputs.error();
            }
            context.finished.outputs = *std::move(outputs);
        }
        context.progress("verify", (i + 0.5) / trials, title + ": reference");
        if (const auto kept = compareAndKeep(context, *std::move(trial), false); !kept) {
            return kept.error();
        }
        if (i == 0 && context.request.describeOutputs && !context.reference) {
            auto found = repeatCall(context, seed, context.finished.outputs);
            if (!found || *found) {
                return found;
            }
        }
        if (i == audited && context.reference) {
            auto found = audit(context, seed);
            if (!found || *found) {
                return found;
            }
        }
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
        finished.paper = judgeWithoutReference(finished, context.noReference);
        finished.strict = finished.paper;
    }
    const Judgement& chosen = request.rule == Rule::Paper ? finished.paper : finished.strict;
    finished.verdict = chosen.verdict;
    finished.explanation = chosen.explanation;
}

} // namespace ptxwb::gpu
