// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/tolerance.h"

#include <cstdint>
#include <string_view>

namespace ptxwb {

/// A closed set: what an evaluation can say about a candidate.
enum class Verdict {
    Correct,
    IncorrectNumerical,
    IncorrectShapeOrDtype,
    NotFinite,
    NotWritten,
    InputModified,
    OutOfBounds,
    Nondeterministic,
    Race,
    Deadlock,
    CompileError,
    ExtractionError,
    BannedLibrary,
    LaunchError,
    RuntimeError,
    Timeout,
    Unsupported,
    InfrastructureError,
    Unverified,
};
std::string_view verdictName(Verdict verdict); ///< "incorrect_numerical"
std::optional<Verdict> verdictByName(std::string_view name);
std::vector<std::string> verdictNames(); ///< all, in the order of the enumeration
std::string_view verdictMeaning(Verdict verdict); ///< one plain sentence
/// 0 correct; 3 unsupported, unverified, infrastructure_error; 1 every other.
int exitStatusOf(Verdict verdict);

/// What happened around the numbers of one trial.
struct TrialFacts {
    std::uint64_t seed = 0;
    std::vector<OutputComparison> outputs{};
    std::vector<std::string> modifiedInputs{}; ///< names whose hash changed
    std::vector<std::string> damagedGuards{}; ///< buffers whose guard bands were written
    std::string title{}; ///< "the audited call": a call beside the counted trials; empty: a trial
    bool repeatsInputs = false; ///< another run on the inputs of the first one: no trial of its own
};

enum class Rule { Strict, Paper };

/// The verdict over all trials by one rule, most basic fault first (out_of_bounds, input_modified,
/// not_written, not_finite, incorrect_numerical). The strict rule asks for the paper's rule and for the
/// normwise bound: a wrong row hides in the norm, a wrong scale hides in the paper's tolerance. An output
/// without a bound is judged by the paper's rule, and the explanation says so. No compared output:
/// unverified. `explanation` is one sentence for people.
struct Judgement {
    Verdict verdict = Verdict::Unverified;
    std::string explanation{};
    std::string
        check{}; ///< what found the fault and when, "guard bands, trial 2"; empty: no fault, or not said
};
Judgement judge(
    const std::vector<TrialFacts>& trials, const Tolerance& tolerance, const StrictRule& strict, Rule rule);

} // namespace ptxwb
