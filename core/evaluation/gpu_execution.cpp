// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/gpu_execution.h"

#include "core/evaluation/own_baseline.h"
#include "core/evaluation/target_fit.h"

#include <fmt/format.h>

namespace ptxwb {

namespace {

// Reference outputs and a second set of inputs live beside the candidate's buffers.
constexpr double memoryFactor = 2.2;
// Host contract: and a copy of every output.
constexpr double hostMemoryFactor = 2.7;

void forward(const RunnerEvent& event, PhaseLog& log)
{
    if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
        log.progress(progress->phase == phaseName(Phase::Measure) ? Phase::Measure : Phase::Verify,
            progress->fraction, progress->message);
    } else if (const auto* ended = std::get_if<PhaseEvent>(&event)) {
        for (const auto phase : allPhases()) {
            if (phaseName(phase) == ended->phase && !log.has(phase)) {
                log.end(phase, ended->state, ended->reason, ended->ms);
            }
        }
    }
}

void take(Evaluation& e, const Finished& finished, PhaseLog& log, LedgerSources& sources)
{
    e.verdict = finished.verdict;
    e.explanation = finished.explanation;
    e.paper = finished.paper;
    e.strict = finished.strict;
    e.trials = finished.trials;
    e.repeatsBitwise = finished.repeatsBitwise;
    e.timing = finished.timing;
    if (!finished.device.name.empty()) {
        e.device = finished.device;
    }
    if (!finished.libraries.empty()) {
        e.libraries = finished.libraries;
    }
    const bool correct = e.verdict == Verdict::Correct;
    if (!log.has(Phase::Verify)) {
        log.end(Phase::Verify, correct ? PhaseState::Passed : PhaseState::Failed, e.explanation);
    }
    const std::string notTimed = correct ? "timing was not asked for" : "only correct candidates are timed";
    if (!log.has(Phase::Measure)) {
        log.skip(Phase::Measure, notTimed);
    }
    if (!e.timing) {
        sources.notTimed = notTimed;
    }
    if (e.trials.empty()) {
        sources.notRun = e.explanation;
    }
}

} // namespace

std::optional<Refusal> whyNotOnDevice(
    const Evaluation& evaluation, const Placement& placement, const ResolvedPlan& plan)
{
    if (placement.on != "gpu" || !placement.device) {
        return Refusal{.verdict = Verdict::Unverified, .reason = placement.reason};
    }
    const auto& device = *placement.device;
    if (auto misfit = whyCubinDoesNotLoad(evaluation.target, device.target, device.name); !misfit.empty()) {
        return Refusal{.verdict = Verdict::Unsupported, .reason = std::move(misfit)};
    }
    double bytes = 0;
    for (const auto& buffer : plan.buffers) {
        bytes += static_cast<double>(buffer.type.bytes());
    }
    bytes *= evaluation.contract == "host" ? hostMemoryFactor : memoryFactor;
    constexpr double gibibyte = 1U << 30;
    if (bytes > static_cast<double>(device.freeBytes)) {
        return Refusal{.verdict = Verdict::Unverified,
            .reason = fmt::format("about {:.1f} GiB are needed, {} has {:.1f} GiB free", bytes / gibibyte,
                device.name, static_cast<double>(device.freeBytes) / gibibyte)};
    }
    return std::nullopt;
}

Result<void> executeOnGpu(Evaluation& evaluation, const Placement& placement, const EvaluateRequest& request,
    PhaseLog& log, LedgerSources& sources, std::stop_token stop, const std::optional<OwnBaseline>& baseline)
{
    log.begin(Phase::Verify);
    const auto finished = runOnRunner(
        *placement.endpoint, request, [&log](const RunnerEvent& event) { forward(event, log); }, stop);
    if (finished) {
        take(evaluation, *finished, log, sources);
        if (baseline) {
            noteOwnBaseline(evaluation, *baseline, *finished);
        }
        return {};
    }
    if (finished.error().code == ErrorCode::Cancelled) {
        return finished.error();
    }
    const auto reason = describe(finished.error());
    sources.notRun = reason;
    sources.notTimed = reason;
    if (!log.has(Phase::Verify)) {
        log.end(Phase::Verify, PhaseState::Failed, reason);
    }
    evaluation.verdict = Verdict::InfrastructureError;
    evaluation.explanation = reason;
    return {};
}

} // namespace ptxwb
