// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/ledger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace ptxwb {

namespace {

std::string oracleWords(const std::string& oracle)
{
    return oracle == "candidate" ? "another kernel"
        : oracle == "python"     ? "the definition's Python reference"
        : oracle == "stored"     ? "stored outputs"
                                 : "our own oracle";
}

/// A race, a hang or a missing fence or wait.
bool isOfOrder(const emulator::Report& report)
{
    using emulator::RuleId;
    constexpr std::array rules{RuleId::Deadlock, RuleId::Livelock, RuleId::Race, RuleId::MissingProxyFence,
        RuleId::MissingWgmmaFence, RuleId::MissingWgmmaWait, RuleId::TxCountMismatch, RuleId::BarrierMisuse};
    return std::find(rules.begin(), rules.end(), report.rule) != rules.end();
}

class Ledger {
public:
    Ledger(const Evaluation& evaluation, const LedgerSources& sources)
        : m_evaluation(evaluation)
        , m_sources(sources)
    {
    }

    std::vector<Evidence> build()
    {
        assembles();
        hostCode();
        contains();
        goals();
        correctness();
        schedules();
        timing();
        return std::move(m_rows);
    }

private:
    Evidence& measured(std::string claim, std::string value, std::string how)
    {
        m_rows.push_back({.claim = std::move(claim),
            .state = EvidenceState::Measured,
            .value = std::move(value),
            .how = std::move(how)});
        return m_rows.back();
    }

    void notMeasured(std::string claim, std::string reason)
    {
        m_rows.push_back({.claim = std::move(claim), .reason = std::move(reason)});
    }

    void byTool(Evidence& row, const Tool* tool, const std::string& command)
    {
        row.command = command;
        row.artefactSha256 = m_sources.cubinSha256;
        if (tool != nullptr) {
            row.tool = std::string(toolName(tool->kind));
            row.toolVersion = tool->version;
        }
    }

    void byRunner(Evidence& row)
    {
        row.tool = emulated() ? "emulator" : "ptxwb-runner";
        row.toolVersion = m_evaluation.productVersion;
        row.artefactSha256 = m_sources.cubinSha256;
    }

    // The clock of a host-contract candidate ticks in its own process.
    void byItsOwnProcess(Evidence& row) const
    {
        if (m_evaluation.contract == "host") {
            row.state = EvidenceState::Inferred;
            row.how = fmt::format(
                "{}; reported by the candidate's own process, bounded by the runner's clock ({:.1f} us)",
                row.how, m_evaluation.timing->ownClockUs.value_or(0));
        }
    }

    bool emulated() const { return m_evaluation.on == "emulator"; }

    std::string notInspectedReason() const
    {
        return m_sources.notInspected.empty() ? "the phases before it did not pass" : m_sources.notInspected;
    }

    std::string notRunReason() const
    {
        return m_sources.notRun.empty() ? "the phases before it did not pass" : m_sources.notRun;
    }

    bool phaseIs(Phase phase, PhaseState state) const
    {
        return std::any_of(m_evaluation.phases.begin(), m_evaluation.phases.end(),
            [&](const PhaseRecord& record) { return record.phase == phase && record.state == state; });
    }

    void assembles()
    {
        const std::string claim =
            m_evaluation.target.empty() ? "assembles" : fmt::format("assembles for {}", m_evaluation.target);
        if (phaseIs(Phase::Compile, PhaseState::Passed) || phaseIs(Phase::Compile, PhaseState::Failed)) {
            const bool passed = phaseIs(Phase::Compile, PhaseState::Passed);
            const auto errors = std::count_if(
                m_evaluation.diagnostics.begin(), m_evaluation.diagnostics.end(), [](const Diagnostic& d) {
                    return d.severity == Severity::Error || d.severity == Severity::Fatal;
                });
            byTool(measured(claim, passed ? "yes" : fmt::format("no, {} error(s)", errors),
                       "the compiler was run"),
                m_sources.compiler, m_sources.compileCommand);
        } else {
            notMeasured(claim, "the compiler was not run");
        }
    }

    void hostCode()
    {
        if (m_evaluation.contract != "host") {
            return;
        }
        const std::string claim = "its own host code was run";
        const auto verdict = m_evaluation.verdict;
        const bool isLoaded = emulated() ? !m_sources.hostCodeHow.empty() && verdict != Verdict::Unsupported
                && verdict != Verdict::LaunchError && verdict != Verdict::InfrastructureError
                                         : verdict == Verdict::BannedLibrary;
        if (m_evaluation.trials.empty() && !isLoaded) {
            notMeasured(claim, notRunReason());
            return;
        }
        byRunner(measured(claim, "yes",
            !m_sources.hostCodeHow.empty()
                ? m_sources.hostCodeHow
                : "in a process of its own, with this user's rights; it holds neither the reference nor the "
                  "checks"));
    }

    void contains()
    {
        const std::string claim = "architecture-specific instructions in the code (the paper's account)";
        if (!phaseIs(Phase::Inspect, PhaseState::Passed)) {
            notMeasured(claim, notInspectedReason());
            return;
        }
        const auto& account = m_evaluation.paperAccount;
        byTool(measured(claim,
                   fmt::format("GMMA {}, TMA {}, TCGEN {}", account.gmma, account.tma, account.tcgen),
                   "opcodes of address-prefixed SASS rows, counted"),
            m_sources.disassembler, m_sources.disassembleCommand);
    }

    void goals()
    {
        for (const auto& goal : m_evaluation.goals) {
            const auto& name = goal.goal.name;
            if (phaseIs(Phase::Inspect, PhaseState::Passed)) {
                byTool(measured(fmt::format("{} in the code", name),
                           goal.inCode > 0 ? fmt::format("yes, {} rows", goal.inCode) : "no",
                           fmt::format("SASS rows of family {}", goal.goal.sassFamily)),
                    m_sources.disassembler, m_sources.disassembleCommand);
            } else {
                notMeasured(fmt::format("{} in the code", name), notInspectedReason());
            }
            if (goal.executed) {
                byRunner(measured(fmt::format("{} executed", name), fmt::format("{} times", *goal.executed),
                    goal.executedBy == "emulator" ? "warp instructions counted by the emulator"
                                                  : "hardware counters per SASS row"));
            } else {
                notMeasured(fmt::format("{} executed", name), goal.reason);
            }
            if (goal.contributes) {
                measured(fmt::format("output depends on {}", name), *goal.contributes ? "yes" : "no",
                    "the results changed in a second emulated run, outputs compared");
            } else {
                notMeasured(fmt::format("output depends on {}", name),
                    "only an emulated run that comes to its end shows it");
            }
        }
    }

    /// "3"; "1 of 3" where some runs did not come to their end.
    std::string trialsText() const
    {
        const auto trials = static_cast<std::size_t>(std::count_if(m_evaluation.trials.begin(),
            m_evaluation.trials.end(), [](const TrialFacts& trial) { return trial.title.empty(); }));
        const auto& tried = m_evaluation.schedules;
        return tried && static_cast<std::size_t>(tried->runs) > trials
            ? fmt::format("{} of {}", trials, tried->runs)
            : std::to_string(trials);
    }

    bool found(emulator::RuleId rule) const
    {
        return std::any_of(m_evaluation.reports.begin(), m_evaluation.reports.end(),
            [rule](const emulator::Report& report) { return report.rule == rule; });
    }

    void rule(const char* label, const std::optional<Judgement>& judgement)
    {
        const std::string claim = fmt::format("correct by the {} rule", label);
        if (!judgement || judgement->verdict == Verdict::Unverified) {
            notMeasured(
                claim, judgement && m_sources.notRun.empty() ? judgement->explanation : notRunReason());
            return;
        }
        const bool correct = judgement->verdict == Verdict::Correct;
        auto& row = measured(claim, correct ? "yes" : "no",
            fmt::format("{} {} against {}, inputs from seed {}", trialsText(),
                emulated() ? "emulated runs" : "trials with fresh inputs", oracleWords(m_evaluation.oracle),
                m_evaluation.seed));
        row.reason = correct ? judgement->explanation
                             : fmt::format("{}: {}", verdictName(judgement->verdict), judgement->explanation);
        byRunner(row);
    }

    void correctness()
    {
        rule("strict", m_evaluation.strict);
        rule("paper's", m_evaluation.paper);
        const std::string claim = "inputs untouched, nothing written outside its buffers";
        const bool outside = found(emulator::RuleId::OutOfBounds);
        if (m_evaluation.trials.empty() && !outside) {
            notMeasured(claim, notRunReason());
            return;
        }
        const bool clean = !outside
            && std::all_of(
                m_evaluation.trials.begin(), m_evaluation.trials.end(), [](const TrialFacts& trial) {
                    return trial.modifiedInputs.empty() && trial.damagedGuards.empty();
                });
        byRunner(measured(claim, clean ? "yes" : "no",
            emulated() ? "every access checked by the emulator, inputs compared"
                       : "input hashes before and after, guard bands around every buffer"));
    }

    // A clean verdict over schedules is never a proof, and says so.
    void schedules()
    {
        for (const auto& run : m_evaluation.sanitizers) {
            const auto claim = fmt::format("nothing found by {}", sanitizerName(run.tool));
            if (!run.ran) {
                notMeasured(claim, run.reason);
                continue;
            }
            auto& row = measured(claim,
                run.reports.empty() ? "yes" : fmt::format("{} finding(s)", run.reports.size()),
                "one call of the candidate under NVIDIA's tool, reported by the tool");
            row.command = run.command;
            row.tool = "compute-sanitizer";
            row.toolVersion = run.version;
        }
        if (m_evaluation.repeatsBitwise) {
            byRunner(
                measured("a second call gives the same bits", *m_evaluation.repeatsBitwise ? "yes" : "no",
                    "the same inputs again, outputs poisoned between, hashes compared"));
        }
        const std::string claim = "free of races, hangs and missing fences";
        if (!m_evaluation.schedules) {
            notMeasured(claim, "only the emulator looks for these");
            return;
        }
        const auto& tried = *m_evaluation.schedules;
        std::vector<emulator::Report> against;
        std::copy_if(
            m_evaluation.reports.begin(), m_evaluation.reports.end(), std::back_inserter(against), isOfOrder);
        // What stopped a run hides what lies behind it.
        if (against.empty() && tried.completed < tried.runs) {
            notMeasured(claim,
                fmt::format("{} of {} schedules came to their end: {}", tried.completed, tried.runs,
                    m_evaluation.explanation));
            return;
        }
        auto& row = measured(claim,
            against.empty() ? fmt::format("none found under {} schedules", tried.runs)
                            : emulator::summaryOf(against),
            fmt::format("asynchronous work completed {}; sums as {}", fmt::join(tried.policies, ", "),
                m_evaluation.numericProfile));
        row.state = against.empty() ? EvidenceState::Inferred : EvidenceState::Measured;
        byRunner(row);
    }

    void timing()
    {
        if (!m_evaluation.timing) {
            notMeasured("time of one call", m_sources.notTimed.empty() ? notRunReason() : m_sources.notTimed);
            notMeasured("speed-up over the library",
                m_sources.notTimed.empty() ? notRunReason() : m_sources.notTimed);
            return;
        }
        const auto& timing = *m_evaluation.timing;
        if (!timing.refused.empty()) {
            notMeasured("time of one call", timing.refused);
            notMeasured("speed-up over the library", timing.refused);
            return;
        }
        if (const auto cold = median(timing.candidate.coldUs)) {
            auto& row = measured("time of one call, cold L2", fmt::format("{:.1f} us", *cold),
                fmt::format("CUDA events, median of {} calls", timing.candidate.coldUs.size()));
            byRunner(row);
            byItsOwnProcess(row);
        } else {
            notMeasured("time of one call, cold L2", "no accepted sample");
        }
        for (const auto& baseline : timing.baselines) {
            const std::string claim = fmt::format("speed-up over {}", baseline.name);
            if (timing.impossible) {
                notMeasured(
                    claim, "the time is below the roofline floor, which is impossible; it is no result");
            } else if (baseline.speedup) {
                auto& row = measured(claim,
                    fmt::format("{:.3f}x [{:.3f}, {:.3f}]", baseline.speedup->ratio,
                        baseline.speedup->ci95[0], baseline.speedup->ci95[1]),
                    fmt::format(
                        "{} paired rounds ABBA, cold L2, 95 % bootstrap interval of the ratio of medians",
                        baseline.speedup->pairedRounds));
                byRunner(row);
                byItsOwnProcess(row);
                const auto version = baseline.series.card.find("version");
                row.reason = version == baseline.series.card.end()
                    ? std::string()
                    : fmt::format("{} {}", baseline.name, version->second);
            } else {
                notMeasured(claim, baseline.unavailable.value_or("too few accepted rounds"));
            }
        }
        if (timing.baselines.empty()) {
            notMeasured("speed-up over the library", "the task names no baseline");
        }
    }

    const Evaluation& m_evaluation;
    const LedgerSources& m_sources;
    std::vector<Evidence> m_rows;
};

} // namespace

std::vector<Evidence> buildLedger(const Evaluation& evaluation, const LedgerSources& sources)
{
    return Ledger(evaluation, sources).build();
}

} // namespace ptxwb
