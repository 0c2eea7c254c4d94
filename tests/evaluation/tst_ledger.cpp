// SPDX-License-Identifier: Apache-2.0
// What the ledger says of emulated runs: a claim is measured only where a run was able to tell.
#include "core/evaluation/ledger.h"

#include <QTest>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

const std::string ordered = "free of races, hangs and missing fences";
const std::string inside = "inputs untouched, nothing written outside its buffers";

Report found(RuleId rule, ReportSeverity severity = ReportSeverity::Error)
{
    Report report;
    report.rule = rule;
    report.severity = severity;
    report.message = "what happened";
    report.lines = {{"k.ptx", 12}};
    return report;
}

/// Three schedules, of which `completed` came to their end and were compared.
Evaluation emulated(Verdict verdict, std::vector<Report> reports, int completed)
{
    Evaluation e;
    e.on = "emulator";
    e.verdict = verdict;
    e.explanation = reports.empty() ? "the explanation" : located(reports.front());
    e.reports = std::move(reports);
    e.schedules = Schedules{.policies = {"early"}, .seeds = 1, .runs = 3, .found = 0, .completed = completed};
    e.trials.resize(static_cast<std::size_t>(completed));
    return e;
}

Evidence row(const Evaluation& e, const std::string& claim)
{
    LedgerSources sources;
    sources.notRun = e.explanation;
    const auto rows = buildLedger(e, sources);
    const auto place =
        std::find_if(rows.begin(), rows.end(), [&](const Evidence& one) { return one.claim == claim; });
    return place == rows.end() ? Evidence{} : *place;
}

GoalRecord goal(const char* name, int inCode, std::int64_t executed)
{
    GoalRecord record;
    record.goal.name = name;
    record.inCode = inCode;
    record.executed = executed;
    return record;
}

} // namespace

class TestLedger : public QObject {
    Q_OBJECT

private slots:
    void aRunThatStoppedTellsNothingOfOrder_data()
    {
        QTest::addColumn<int>("rule");
        QTest::addColumn<int>("verdict");
        QTest::newRow("not emulated") << int(RuleId::NotEmulated) << int(Verdict::Unsupported);
        QTest::newRow("resource limit") << int(RuleId::ResourceLimit) << int(Verdict::LaunchError);
        QTest::newRow("trap") << int(RuleId::Trap) << int(Verdict::RuntimeError);
    }

    void aRunThatStoppedTellsNothingOfOrder()
    {
        QFETCH(int, rule);
        QFETCH(int, verdict);
        const auto e = emulated(Verdict(verdict), {found(RuleId(rule))}, 0);
        for (const auto& claim : {ordered, inside, std::string("correct by the strict rule")}) {
            const auto one = row(e, claim);
            QCOMPARE(one.state, EvidenceState::NotMeasured);
            QVERIFY(one.value.empty());
            QVERIFY2(one.reason.find("what happened") != std::string::npos, one.reason.c_str());
        }
    }

    void silenceIsInferredAndAFindingIsNamed()
    {
        const auto silent = row(emulated(Verdict::Correct, {}, 3), ordered);
        QCOMPARE(silent.state, EvidenceState::Inferred);
        QCOMPARE(silent.value, std::string("none found under 3 schedules"));
        const auto fence = found(RuleId::MissingWgmmaFence, ReportSeverity::Warning);
        const auto warned = row(emulated(Verdict::Correct, {fence}, 3), ordered);
        QCOMPARE(warned.state, EvidenceState::Measured);
        QCOMPARE(warned.value, std::string("1 warning: missing_wgmma_fence"));
        const auto raced = row(emulated(Verdict::Race, {found(RuleId::Race), fence}, 0), ordered);
        QCOMPARE(raced.state, EvidenceState::Measured);
        QCOMPARE(raced.value, std::string("2 findings: race, missing_wgmma_fence (warning)"));
    }

    void anAccessOutsideIsNotUntouched()
    {
        const auto one = row(emulated(Verdict::OutOfBounds, {found(RuleId::OutOfBounds)}, 1), inside);
        QCOMPARE(one.state, EvidenceState::Measured);
        QCOMPARE(one.value, std::string("no"));
    }

    void aRuleThatIsNotMetIsNoWithItsVerdict()
    {
        auto e = emulated(Verdict::IncorrectNumerical, {}, 2);
        e.strict = Judgement{.verdict = Verdict::IncorrectNumerical, .explanation = "Output C differs."};
        const auto one = row(e, "correct by the strict rule");
        QCOMPARE(one.state, EvidenceState::Measured);
        QCOMPARE(one.value, std::string("no"));
        QCOMPARE(one.reason, std::string("incorrect_numerical: Output C differs."));
        QVERIFY2(one.how.starts_with("2 of 3 emulated runs"), one.how.c_str());
    }

    void callsBesideTheTrialsAreNotCountedAsTrials()
    {
        auto e = emulated(Verdict::Correct, {}, 3);
        e.strict = Judgement{.verdict = Verdict::Correct, .explanation = "Every output agrees."};
        e.schedules.reset();
        e.trials.back().title = "the audited call";
        const auto one = row(e, "correct by the strict rule");
        QVERIFY2(one.how.starts_with("2 "), one.how.c_str());
    }

    void missedGoalsAreThoseKnownToBeMissed()
    {
        using Names = std::vector<std::string>;
        auto e = emulated(Verdict::Correct, {}, 3);
        e.goals = {goal("wgmma", 0, 0), goal("tma", 4, 0), goal("other", 4, 7)};
        QCOMPARE(missedGoals(e), (Names{"wgmma executed", "tma executed"})); // nobody looked into the code
        e.phases = {{.phase = Phase::Inspect, .state = PhaseState::Passed}};
        QCOMPARE(missedGoals(e), (Names{"wgmma in its code", "tma executed"}));
        e.goals[1].executed.reset();
        QCOMPARE(missedGoals(e), Names{"wgmma in its code"});
    }
};

QTEST_APPLESS_MAIN(TestLedger)
#include "tst_ledger.moc"
