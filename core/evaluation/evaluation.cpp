// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/evaluation.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

std::string_view phaseName(Phase phase)
{
    switch (phase) {
    case Phase::Extract:
        return "extract";
    case Phase::Compile:
        return "compile";
    case Phase::Inspect:
        return "inspect";
    case Phase::Verify:
        return "verify";
    case Phase::Sanitize:
        return "sanitize";
    case Phase::Measure:
        return "measure";
    }
    return "extract";
}

const std::vector<Phase>& allPhases()
{
    static const std::vector<Phase> phases{
        Phase::Extract, Phase::Compile, Phase::Inspect, Phase::Verify, Phase::Sanitize, Phase::Measure};
    return phases;
}

std::string_view evidenceStateName(EvidenceState state)
{
    switch (state) {
    case EvidenceState::Measured:
        return "measured";
    case EvidenceState::Inferred:
        return "inferred";
    case EvidenceState::NotMeasured:
        return "not_measured";
    }
    return "not_measured";
}

std::vector<std::string> missedGoals(const Evaluation& evaluation)
{
    const bool inspected = std::any_of(evaluation.phases.begin(), evaluation.phases.end(),
        [](const PhaseRecord& r) { return r.phase == Phase::Inspect && r.state == PhaseState::Passed; });
    std::vector<std::string> missed;
    for (const auto& goal : evaluation.goals) {
        if (inspected && goal.inCode == 0) {
            missed.push_back(fmt::format("{} in its code", goal.goal.name));
        } else if (evaluation.verdict == Verdict::Correct && goal.executed == 0) {
            missed.push_back(fmt::format("{} executed", goal.goal.name));
        }
    }
    return missed;
}

const BaselineTiming* leadingBaseline(const Evaluation& evaluation)
{
    if (evaluation.verdict != Verdict::Correct || !evaluation.timing || evaluation.timing->impossible) {
        return nullptr;
    }
    const auto& baselines = evaluation.timing->baselines;
    const auto found = std::find_if(baselines.begin(), baselines.end(),
        [](const BaselineTiming& timing) { return timing.speedup.has_value(); });
    return found == baselines.end() ? nullptr : &*found;
}

} // namespace ptxwb
