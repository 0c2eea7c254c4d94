// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/emulator_execution.h"

#include "core/emulator/contribution.h"
#include "core/emulator/evaluate.h"
#include "core/evaluation/given_oracle.h"
#include "core/evaluation/oracle_candidate.h"
#include "core/ptx/isa_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace ptxwb {

namespace {

// The PTX instructions whose execution meets a goal of a SASS family.
bool executesFamily(std::string_view opcode, std::string_view sassFamily)
{
    if (sassFamily == sassFamilyName(SassFamily::Gmma)) {
        return opcode.starts_with("wgmma.mma_async");
    }
    if (sassFamily == sassFamilyName(SassFamily::Tma)) {
        return opcode.starts_with("cp.async.bulk.tensor")
            || opcode.starts_with("cp.reduce.async.bulk.tensor");
    }
    if (sassFamily == sassFamilyName(SassFamily::Mma)) {
        return emulator::givesResult(opcode, emulator::ResultOf::Mma);
    }
    if (sassFamily == sassFamilyName(SassFamily::BulkCopy)) {
        return emulator::givesResult(opcode, emulator::ResultOf::BulkCopy);
    }
    return sassFamily == sassFamilyName(SassFamily::Tcgen05) && opcode.starts_with("tcgen05.");
}

std::optional<emulator::ResultOf> resultsOf(std::string_view sassFamily)
{
    if (sassFamily == sassFamilyName(SassFamily::Gmma)) {
        return emulator::ResultOf::Wgmma;
    }
    if (sassFamily == sassFamilyName(SassFamily::Mma)) {
        return emulator::ResultOf::Mma;
    }
    if (sassFamily == sassFamilyName(SassFamily::BulkCopy)) {
        return emulator::ResultOf::BulkCopy;
    }
    return sassFamily == sassFamilyName(SassFamily::Tma) ? std::optional(emulator::ResultOf::TensorCopy)
                                                         : std::nullopt;
}

/// An instruction that never ran gives the output nothing.
void noteContributions(Evaluation& e, const std::map<emulator::ResultOf, bool>& contributes)
{
    for (auto& goal : e.goals) {
        const auto results = resultsOf(goal.goal.sassFamily);
        const auto found = results ? contributes.find(*results) : contributes.end();
        if (found != contributes.end()) {
            goal.contributes = found->second;
        } else if (goal.executed == 0) {
            goal.contributes = false;
        }
    }
}

void countGoals(Evaluation& e, const std::vector<emulator::OpcodeCount>& executed)
{
    for (auto& goal : e.goals) {
        std::int64_t warps = 0;
        for (const auto& row : executed) {
            if (executesFamily(row.opcode, goal.goal.sassFamily)) {
                warps += static_cast<std::int64_t>(row.warps);
            }
        }
        goal.executed = warps;
        goal.executedBy = "emulator";
    }
}

void take(Evaluation& e, const emulator::EmulatorVerdict& verdict)
{
    e.verdict = verdict.verdict;
    e.explanation = verdict.explanation;
    e.paper = verdict.paper;
    e.strict = verdict.strict;
    e.trials = verdict.trials;
    e.reports = verdict.reports;
    e.schedules = verdict.schedules;
    e.numericProfile = verdict.profile;
    if (verdict.executedIsWhole) {
        countGoals(e, verdict.executed);
        noteContributions(e, verdict.contributes);
    } else {
        for (auto& goal : e.goals) {
            goal.reason = e.explanation;
        }
    }
}

} // namespace

Result<void> executeOnEmulator(Evaluation& evaluation, const Task& task, const EmulatedCandidate& candidate,
    const Compiler& compiler, bool measuredSums, PhaseLog& log, LedgerSources& sources, std::stop_token stop)
{
    log.begin(Phase::Verify);
    std::mutex telling; // findings and progress come from different workers
    double fraction = 0;
    emulator::EmulatorEvaluationRequest request{.text = candidate.ptx,
        .displayName = evaluation.candidatePath,
        .task = task,
        .workload = evaluation.workload,
        .seed = evaluation.seed,
        .rule = evaluation.rule,
        .measuredSums = measuredSums,
        .contributions = true,
        .plan = candidate.plan,
        .execute = candidate.execute,
        .onFinding = [&](const emulator::Report& report) {
            const std::scoped_lock lock(telling);
            log.finding(Phase::Verify, fraction, emulator::located(report));
        }};
    if (hasOracleCandidate(task)) {
        request.reference = emulatedOracle(compiler, task, evaluation.workload);
    } else if (isGivenOracle(task.oracle)) {
        const auto buffers = taskBuffers(task, evaluation.workload);
        if (!buffers) {
            return buffers.error();
        }
        request.reference = emulatedGivenOracle(task, buffers->buffers);
    }
    sources.hostCodeHow = candidate.hostCodeHow;
    sources.notTimed = "an emulator has no GPU's clock; timing needs the GPU";
    const auto verdict = emulator::evaluateOnEmulator(
        request,
        [&](std::uint64_t done, std::uint64_t total) {
            const std::scoped_lock lock(telling);
            fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
            log.progress(Phase::Verify, fraction, fmt::format("{} of {} CTAs", done, total));
        },
        stop);
    if (verdict) {
        take(evaluation, *verdict);
        const bool correct = evaluation.verdict == Verdict::Correct;
        log.end(Phase::Verify, correct ? PhaseState::Passed : PhaseState::Failed, evaluation.explanation);
        if (evaluation.trials.empty()) {
            sources.notRun = evaluation.explanation;
        }
    } else if (verdict.error().code == ErrorCode::Cancelled) {
        return verdict.error();
    } else {
        sources.notRun = describe(verdict.error());
        evaluation.verdict = verdict.error().code == ErrorCode::Unsupported ? Verdict::Unsupported
                                                                            : Verdict::InfrastructureError;
        evaluation.explanation = sources.notRun;
        log.end(Phase::Verify, PhaseState::Failed, sources.notRun);
    }
    log.skip(Phase::Sanitize, "the sanitizer needs a GPU; the emulator's own checks ran with verify");
    log.skip(Phase::Measure, sources.notTimed);
    return {};
}

} // namespace ptxwb
