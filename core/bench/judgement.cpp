// SPDX-License-Identifier: Apache-2.0
#include "core/bench/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ptxwb {

namespace {

std::string_view plural(std::size_t count, std::string_view one, std::string_view many)
{
    return count == 1 ? one : many;
}

/// "trial 2 (seed 41)", counted from 1, or the call's own title.
std::string trialTitle(const std::vector<TrialFacts>& trials, std::size_t i)
{
    if (!trials[i].title.empty()) {
        return fmt::format("{} (seed {})", trials[i].title, trials[i].seed);
    }
    return fmt::format("trial {} (seed {})", i + 1, trials[i].seed);
}

std::optional<Judgement> judgeGuards(const TrialFacts& trial, const std::string& title)
{
    if (trial.damagedGuards.empty()) {
        return std::nullopt;
    }
    return Judgement{Verdict::OutOfBounds,
        fmt::format("Memory beside {} was overwritten in {}.", fmt::join(trial.damagedGuards, ", "), title)};
}

std::optional<Judgement> judgeInputs(const TrialFacts& trial, const std::string& title)
{
    if (trial.modifiedInputs.empty()) {
        return std::nullopt;
    }
    return Judgement{Verdict::InputModified,
        fmt::format("{} {} {} changed in {}.", plural(trial.modifiedInputs.size(), "Input", "Inputs"),
            fmt::join(trial.modifiedInputs, ", "), plural(trial.modifiedInputs.size(), "was", "were"),
            title)};
}

std::optional<Judgement> judgeWritten(const TrialFacts& trial, const std::string& title)
{
    for (const OutputComparison& output : trial.outputs) {
        if (output.poisonCount > 0) {
            return Judgement{Verdict::NotWritten,
                output.poisonCount == output.elements
                    ? fmt::format("Output {} was never written in {}.", output.output, title)
                    : fmt::format("Output {}: {} of {} elements were never written in {}.", output.output,
                        output.poisonCount, output.elements, title)};
        }
    }
    return std::nullopt;
}

std::optional<Judgement> judgeFinite(const TrialFacts& trial, const std::string& title)
{
    for (const OutputComparison& output : trial.outputs) {
        if (output.nanCount > 0 || output.infCount > 0) {
            return Judgement{Verdict::NotFinite,
                fmt::format("Output {} holds {} NaN and {} Inf where the reference is finite, in {}.",
                    output.output, output.nanCount, output.infCount, title)};
        }
    }
    return std::nullopt;
}

std::string firstMismatch(const OutputComparison& output)
{
    return output.firstMismatch ? fmt::format("; first at element {}: got {:.6g}, expected {:.6g}",
               *output.firstMismatch, output.firstMismatchGot, output.firstMismatchExpected)
                                : std::string{};
}

std::optional<Judgement> judgePaperRule(
    const TrialFacts& trial, const std::string& title, const Tolerance& tolerance)
{
    for (const OutputComparison& output : trial.outputs) {
        if (!passesPaperRule(output, tolerance)) {
            return Judgement{Verdict::IncorrectNumerical,
                fmt::format(
                    "Output {}: {} of {} elements are off by more than {:g} and by more than {:g} of the "
                    "reference, in {}{}.",
                    output.output, output.mismatched, output.elements, tolerance.atol, tolerance.rtol, title,
                    firstMismatch(output))};
        }
    }
    return std::nullopt;
}

std::optional<Judgement> judgeStrictRule(
    const TrialFacts& trial, const std::string& title, const StrictRule& strict)
{
    for (const OutputComparison& output : trial.outputs) {
        if (passesStrictRule(output, strict) == std::optional(false)) {
            return Judgement{Verdict::IncorrectNumerical,
                fmt::format("Output {}: the error's norm is {:.3g} of the reference's, the strict bound is "
                            "{:.3g}, in {}.",
                    output.output, output.normwiseRelError, *strict.boundFor(output.output), title)};
        }
    }
    return std::nullopt;
}

std::string correctSentence(const std::vector<TrialFacts>& trials, const StrictRule& strict, Rule rule)
{
    double worst = 0;
    bool unbounded = false;
    std::size_t counted = 0;
    for (const TrialFacts& trial : trials) {
        counted += trial.title.empty() ? 1 : 0;
        for (const OutputComparison& output : trial.outputs) {
            worst = std::max(worst, output.normwiseRelError);
            unbounded = unbounded || !strict.boundFor(output.output);
        }
    }
    const bool sameInputs = std::any_of(
        trials.begin(), trials.end(), [](const TrialFacts& trial) { return trial.repeatsInputs; });
    return fmt::format("Every output agrees with the reference in {} {}{} (largest normwise error {:.3g}){}.",
        counted, sameInputs ? "runs of the same inputs" : plural(counted, "trial", "trials"),
        counted == trials.size() ? "" : fmt::format(" and {} more", trials.size() - counted), worst,
        rule == Rule::Strict && unbounded
            ? "; an output without a strict bound was judged by the paper's rule"
            : "");
}

} // namespace

Judgement judge(
    const std::vector<TrialFacts>& trials, const Tolerance& tolerance, const StrictRule& strict, Rule rule)
{
    bool compared = false;
    for (const TrialFacts& trial : trials) {
        compared = compared || !trial.outputs.empty();
    }
    if (!compared) {
        return {Verdict::Unverified, "No output was compared with a reference."};
    }
    const auto firstFault = [&trials](auto&& check, std::string_view name) -> std::optional<Judgement> {
        for (std::size_t i = 0; i < trials.size(); ++i) {
            if (std::optional<Judgement> fault = check(trials[i], trialTitle(trials, i))) {
                fault->check = fmt::format("{}, {}", name,
                    trials[i].title.empty() ? fmt::format("trial {}", i + 1) : trials[i].title);
                return fault;
            }
        }
        return std::nullopt;
    };
    using Check = std::optional<Judgement> (*)(const TrialFacts&, const std::string&);
    constexpr std::array<std::pair<Check, std::string_view>, 4> basicChecks{{{judgeGuards, "guard bands"},
        {judgeInputs, "input hash"}, {judgeWritten, "poisoned outputs"}, {judgeFinite, "NaN and Inf masks"}}};
    for (const auto& [check, name] : basicChecks) {
        if (std::optional<Judgement> fault = firstFault(check, name)) {
            return *fault;
        }
    }
    const auto byPaper = [&](const TrialFacts& trial, const std::string& title) {
        return judgePaperRule(trial, title, tolerance);
    };
    if (std::optional<Judgement> fault = firstFault(byPaper, "comparison with the oracle")) {
        return *fault;
    }
    if (rule == Rule::Strict) {
        const auto byNorm = [&](const TrialFacts& trial, const std::string& title) {
            return judgeStrictRule(trial, title, strict);
        };
        if (std::optional<Judgement> fault = firstFault(byNorm, "norm of the error")) {
            return *fault;
        }
    }
    return {Verdict::Correct, correctSentence(trials, strict, rule)};
}

} // namespace ptxwb
