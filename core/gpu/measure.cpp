// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure.h"

#include "core/gpu/cuda_error.h"
#include "core/gpu/measure_rounds.h"
#include "core/gpu/roofline.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::gpu {

namespace {

bool hasNarrowInputs(const ResolvedPlan& plan)
{
    return std::any_of(plan.buffers.begin(), plan.buffers.end(), [](const BufferSpec& spec) {
        return spec.role == BufferRole::Input && dtypeBytes(spec.type.dtype) == 1;
    });
}

void setFloor(const RunContext& context, Timing& timing)
{
    const Device& device = context.device;
    timing.rooflineFloorUs = rooflineFloorUs({.major = device.major,
                                                 .minor = device.minor,
                                                 .multiprocessors = device.info.multiprocessors,
                                                 .maxSmClockMhz = device.maxSmClockMhz,
                                                 .memoryBytesPerSecond = device.memoryBytesPerSecond,
                                                 .l2Bytes = device.info.l2Bytes},
        context.request.flops, context.request.bytes, hasNarrowInputs(context.request.plan));
    const auto middle = median(timing.candidate.coldUs);
    timing.impossible = timing.rooflineFloorUs && middle && *middle < *timing.rooflineFloorUs;
    if (timing.impossible) {
        for (BaselineTiming& baseline : timing.baselines) {
            baseline.speedup.reset(); // an impossible time is no result
        }
    }
}

/// Times come from the candidate's process: they are held against our clock.
void boundByOwnClock(const HostCandidate& host, Timing& timing)
{
    timing.ownClockUs = host.clock().ownUs();
    if (const auto why = host.clock().disagreement()) {
        timing.refused = *why;
        for (BaselineTiming& baseline : timing.baselines) {
            baseline.speedup.reset();
        }
    }
}

/// The library's own error against the same oracle, on fresh inputs.
Result<std::vector<OutputComparison>> errorOf(RunContext& context, Baseline& baseline)
{
    std::vector<OutputComparison> errors;
    if (const auto filled = context.buffers.prepare(context.request.seed, context.stream); !filled) {
        return filled.error();
    }
    cudaError_t code = baseline.arrange(context.stream);
    code = code == cudaSuccess ? baseline.run(context.stream) : code;
    if (const auto ran = check(code, "running the baseline"); !ran) {
        return ran.error();
    }
    if (const auto made = context.reference->compute(context.request.seed, context.stream); !made) {
        return made.error();
    }
    for (std::size_t i = 0; i < context.reference->outputCount(); ++i) {
        auto error =
            context.reference->compare(i, baseline.output(i), context.request.tolerance, context.stream);
        if (!error) {
            return error.error();
        }
        errors.push_back(*std::move(error));
    }
    return errors;
}

} // namespace

Result<std::optional<CandidateFault>> measure(RunContext& context)
{
    auto stopwatch = Stopwatch::make(context.stream, context.device.info.l2Bytes,
        std::max(context.candidate.launchCount(), context.rival ? context.rival->launchCount() : 0));
    if (!stopwatch) {
        return stopwatch.error();
    }
    Timing timing;
    timing.candidate.name = "candidate";
    if (context.host) {
        const auto before = [&]() -> Result<void> {
            const auto renewed = context.buffers.renew(context.request.seed, context.stream);
            return renewed ? check(cudaStreamSynchronize(context.stream), "filling the outputs") : renewed;
        };
        auto fault = context.host->calibrate(before, context.callLimit());
        if (!fault || *fault) {
            return fault;
        }
    }
    Rounds rounds(context, *stopwatch, timing);
    bool paired = false;
    if (context.rival) {
        BaselineTiming entry;
        entry.name = "rival";
        auto fault = rounds.pairWith(*makeRival(context), entry);
        timing.baselines.push_back(std::move(entry));
        if (!fault || *fault) {
            return fault;
        }
        paired = true;
    }
    for (const std::string& name : context.request.baselines) {
        BaselineTiming entry;
        entry.name = name;
        context.progress("measure", 0, fmt::format("preparing {}", name));
        auto baseline = context.reference
            ? makeBaseline(name, context, *stopwatch)
            : Result<std::unique_ptr<Baseline>>(
                Error{.message = "without a reference a baseline's result cannot be checked"});
        if (!baseline) {
            entry.unavailable = describe(baseline.error());
            timing.baselines.push_back(std::move(entry));
            continue;
        }
        auto error = errorOf(context, **baseline);
        if (!error) {
            return error.error();
        }
        entry.error = *std::move(error);
        const auto wrong =
            std::find_if(entry.error.begin(), entry.error.end(), [&](const OutputComparison& output) {
                return !passesPaperRule(output, context.request.tolerance);
            });
        if (wrong != entry.error.end()) {
            entry.unavailable = fmt::format(
                "its own result fails the check in output {}: {} of {} elements, normwise error {:.3g}",
                wrong->output, wrong->mismatched, wrong->elements, wrong->normwiseRelError);
            timing.baselines.push_back(std::move(entry));
            continue;
        }
        auto fault = rounds.pairWith(**baseline, entry);
        if (fault && !*fault && !paired && !context.host) {
            fault = rounds.byPaper(**baseline);
        }
        timing.baselines.push_back(std::move(entry));
        if (!fault || *fault) {
            return fault;
        }
        paired = true;
    }
    if (!paired) {
        auto fault = rounds.alone();
        if (!fault || *fault) {
            return fault;
        }
    }
    if (context.host) {
        if (auto fault = context.host->inspect()) {
            return fault;
        }
        boundByOwnClock(*context.host, timing);
    }
    setFloor(context, timing);
    context.finished.timing = std::move(timing);
    return std::optional<CandidateFault>();
}

} // namespace ptxwb::gpu
