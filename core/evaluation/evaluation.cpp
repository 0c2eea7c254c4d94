// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/evaluation.h"

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
