// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/ledger.h"
#include "core/evaluation/recorded_run.h"
#include "widgets/results/evidence_view.h"
#include "widgets/results/findings_model.h"
#include "widgets/results/findings_view.h"
#include "widgets/results/ledger_words.h"
#include "widgets/results/phases_view.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/task_details.h"
#include "widgets/results/verdict_banner.h"
#include "widgets/results/verdict_words.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace ptxwb;

namespace {

Evidence row(const char* claim, EvidenceState state, const char* value, const char* reason)
{
    Evidence evidence;
    evidence.claim = claim;
    evidence.state = state;
    evidence.value = value;
    evidence.reason = reason;
    return evidence;
}

RunEntry runEntry(Verdict verdict, RunOrigin origin, bool sameText)
{
    Evaluation evaluation;
    evaluation.candidatePath = "tasks/gemm/examples/wgmma_tma.ptx";
    evaluation.workload.tags = {"paper"};
    evaluation.verdict = verdict;
    evaluation.explanation = "A sentence.";
    evaluation.madeUtc = "2026-03-04T05:06:07Z";
    evaluation.device.emplace();
    evaluation.device->name = "NVIDIA H200";
    evaluation.evidence = {row("correct", EvidenceState::NotMeasured, "", "no GPU")};
    return {std::make_shared<const Evaluation>(evaluation), origin, sameText};
}

} // namespace

class TestResults : public QObject {
    Q_OBJECT

private slots:
    void everyVerdictHasAWordAndOnlyCorrectIsGood()
    {
        for (int i = 0; i <= static_cast<int>(Verdict::Unverified); ++i) {
            const auto verdict = static_cast<Verdict>(i);
            QVERIFY2(!VerdictWords::word(verdict).isEmpty(), verdictName(verdict).data());
            QCOMPARE(VerdictWords::tone(verdict) == Tone::Good, verdict == Verdict::Correct);
        }
    }

    void evidenceShowsReasonsAndNoInventedValues()
    {
        EvidenceModel model;
        QAbstractItemModelTester tester(&model);
        model.setEvidence({row("assembles", EvidenceState::Measured, "yes", ""),
            row("1.03x | cublaslt", EvidenceState::NotMeasured, "", "no GPU\nhere")});
        QCOMPARE(model.index(1, EvidenceModel::ValueColumn).data().toString(), QString());
        QVERIFY(model.index(1, EvidenceModel::StateColumn)
                    .data()
                    .toString()
                    .contains(QLatin1String("not measured")));
        QCOMPARE(model.asTsv(),
            QStringLiteral("Claim\tState\tValue\tHow\tTool\tReason\nassembles\tmeasured\tyes\t\t\t\n"
                           "1.03x | cublaslt\tnot measured\t\t\t\tno GPU here\n"));
        QVERIFY(model.asMarkdown().contains(QLatin1String("| 1.03x \\| cublaslt | not measured |")));
        model.setEvidence({});
        QCOMPARE(model.rowCount(), 0);
    }

    void aClaimTakesOneLineAndStandsBelowInFullWhenChosen()
    {
        EvidenceView view;
        view.resize(400, 300);
        view.show();
        const QString reason = QStringLiteral("no GPU here, and what else is to be said of it ").repeated(6);
        view.model()->setEvidence({row("assembles", EvidenceState::Measured, "yes", ""),
            row("faster", EvidenceState::NotMeasured, "", qPrintable(reason))});
        view.setPlaceholder({});
        auto* tree = view.findChild<QTreeView*>();
        QCOMPARE(tree->visualRect(view.model()->index(1, 0)).height(),
            tree->visualRect(view.model()->index(0, 0)).height());
        QVERIFY(tree->isColumnHidden(EvidenceModel::ReasonColumn));
        QVERIFY(view.detail().isEmpty());
        tree->setCurrentIndex(view.model()->index(1, 0));
        QVERIFY2(view.detail().contains(reason.trimmed()), qPrintable(view.detail()));
        QVERIFY(view.detail().startsWith(QLatin1String("faster: not measured")));
        view.model()->setEvidence({});
        QVERIFY(view.detail().isEmpty());
    }

    void aRecordedRunSaysWhereAndWhen()
    {
        ResultsPane pane;
        pane.setReason(QStringLiteral("Press F5."));
        QCOMPARE(pane.banner()->sentence(), QStringLiteral("Press F5."));
        QVERIFY(!pane.evidence()->placeholder().isEmpty());
        pane.setRuns({runEntry(Verdict::Correct, RunOrigin::Recorded, true)}, 0);
        QCOMPARE(pane.banner()->word(), QStringLiteral("Correct"));
        QCOMPARE(pane.banner()->provenance(), QStringLiteral("recorded on NVIDIA H200, 2026-03-04"));
        QVERIFY(pane.evidence()->placeholder().isEmpty());
        pane.setRuns({runEntry(Verdict::Unverified, RunOrigin::EarlierText, false)}, 0);
        QCOMPARE(pane.banner()->provenance(), QStringLiteral("of an earlier text"));
        pane.setRuns({runEntry(Verdict::Unverified, RunOrigin::Live, true)}, 0);
        QCOMPARE(pane.banner()->provenance(), QString());
        pane.setRuns({}, -1);
        QVERIFY(pane.shownRun() == nullptr);
        QCOMPARE(pane.evidence()->model()->rowCount(), 0);
    }

    void phasesTellProgressAndHowEachEnded()
    {
        PhasesView view;
        view.startRun();
        QVERIFY(view.isRunning());
        view.setProgress(Phase::Verify, 0.5, QStringLiteral("trial 2 of 3"));
        QVERIFY(view.phaseText(Phase::Verify).startsWith(QStringLiteral("▶")));
        QVERIFY(view.statusText().contains(QLatin1String("trial 2 of 3")));
        PhaseRecord failed;
        failed.phase = Phase::Verify;
        failed.state = PhaseState::Failed;
        failed.ms = 12;
        view.endPhase(failed);
        QVERIFY(view.phaseText(Phase::Verify).startsWith(QStringLiteral("✗")));
        view.stopRun();
        QVERIFY(!view.isRunning());
        PhaseRecord skipped;
        skipped.phase = Phase::Measure;
        skipped.state = PhaseState::Skipped;
        view.showPhases({failed, skipped});
        QVERIFY2(!view.phaseText(Phase::Measure).contains(QLatin1Char('0')),
            "a skipped phase took no time, not 0 ms");
    }

    void theLedgerIsAClosedSetOfSentences()
    {
        int sentences = 0;
        QStringList unknown;
        const auto check = [&](const std::string& text) {
            if (!text.empty()) {
                ++sentences;
                if (!LedgerWords::knows(text)) {
                    unknown << QString::fromStdString(text);
                }
            }
        };
        const Result<std::vector<Task>> tasks = loadTasks(PTXWB_SOURCE_ROOT "/tasks");
        QVERIFY(tasks);
        for (const Task& task : *tasks) {
            for (const RecordedRun& run : loadRecordedRuns(task).runs) {
                for (const Evidence& row : run.evaluation.evidence) {
                    check(row.claim);
                    check(row.how);
                }
                if (run.evaluation.verdict != Verdict::CompileError) { // else words of the compiler
                    check(run.evaluation.explanation);
                }
            }
        }
        QVERIFY(sentences > 100);
        QVERIFY2(unknown.isEmpty(), qPrintable(unknown.join(QLatin1Char('\n'))));
    }

    void whatTheLedgerSaysTodayIsKnown()
    {
        Evaluation evaluation;
        evaluation.target = "sm_90a";
        InstructionGoal wgmma;
        wgmma.name = "wgmma";
        wgmma.sassFamily = "wgmma";
        GoalRecord goal;
        goal.goal = wgmma;
        goal.executed = 7;
        goal.executedBy = "emulator";
        evaluation.goals = {goal};
        evaluation.phases = {{.phase = Phase::Compile, .state = PhaseState::Passed},
            {.phase = Phase::Inspect, .state = PhaseState::Passed}};
        evaluation.trials.resize(2);
        evaluation.strict = Judgement{Verdict::Correct, ""};
        evaluation.schedules.emplace();
        evaluation.schedules->policies = {"early", "late"};
        evaluation.numericProfile = "sequential";
        for (const char* on : {"gpu", "emulator", "none"}) {
            evaluation.on = on;
            for (const Evidence& row : buildLedger(evaluation, {})) {
                for (const std::string* text : {&row.claim, &row.value, &row.how, &row.reason}) {
                    const bool counts = text->starts_with("GMMA ");
                    QVERIFY2(text->empty() || counts || LedgerWords::knows(*text), text->c_str());
                }
            }
        }
    }

    void numbersAndNamesStayInTranslatedSentences()
    {
        QCOMPARE(
            LedgerWords::translated("incorrect_numerical"), VerdictWords::word(Verdict::IncorrectNumerical));
        QCOMPARE(LedgerWords::translated("race at line 12: two warps write"),
            QStringLiteral("Race at line 12: two warps write"));
        const char* const sentence =
            "Output C: 5 of 9 elements are off by more than 0.01 and by more than 0.01 of "
            "the reference, in trial 1 (seed 7); first at element 0: got -91, expected "
            "-99.154.";
        QCOMPARE(LedgerWords::translated(sentence), QString::fromUtf8(sentence));
        QCOMPARE(LedgerWords::translated("ptxas fatal : 100%1"), QStringLiteral("ptxas fatal : 100%1"));
        QVERIFY(!LedgerWords::knows("line 63: Argument 1 of instruction"));
        QCOMPARE(
            LedgerWords::translated("incorrect_numerical: Output C was never written in trial 1 (seed 7)."),
            VerdictWords::word(Verdict::IncorrectNumerical)
                + QStringLiteral(": Output C was never written in trial 1 (seed 7)."));
        for (const char* known : {"1 warning: missing_wgmma_fence", "2 findings: race, livelock",
                 "0 of 1 schedules came to their end: trap at line 3: trap",
                 "Output C was never written in trial 1 (seed 7). (by emulation, fp32 accumulation; under 3 "
                 "schedules 1 warning: missing_wgmma_fence)"}) {
            QVERIFY2(LedgerWords::knows(known), known);
        }
    }

    void theBannerNamesGoalsMissed()
    {
        auto evaluation = std::make_shared<Evaluation>();
        evaluation->verdict = Verdict::Correct;
        evaluation->explanation = "No output was compared with a reference.";
        evaluation->phases = {{.phase = Phase::Inspect, .state = PhaseState::Passed}};
        evaluation->goals.resize(1);
        evaluation->goals[0].goal.name = "wgmma";
        ResultsPane pane;
        RunEntry run;
        run.evaluation = evaluation;
        pane.setRuns({run}, 0);
        QVERIFY(
            pane.banner()->sentence().startsWith(QLatin1String("Goal missed: wgmma in its code. No output")));
        evaluation->goals[0].inCode = 4;
        pane.setRuns({run}, 0);
        QVERIFY(pane.banner()->sentence().startsWith(QLatin1String("No output")));
    }

    void aFindingOpensInTheDebuggerUnlessItIsOfAGpu()
    {
        FindingsModel model;
        FindingsView view(&model);
        emulator::Report ours;
        ours.lines = {{"k.ptx", 7}};
        ours.step = 42;
        emulator::Report sanitizer = ours;
        sanitizer.bySanitizer = true;
        model.setReports({ours, sanitizer});
        QSignalSpy debug(&view, &FindingsView::debugRequested);
        QSignalSpy line(&view, &FindingsView::lineActivated);
        QAction* action = view.actions().constFirst();
        view.setCurrentIndex(model.index(1, 0));
        action->trigger();
        QCOMPARE(debug.count(), 0);
        view.setCurrentIndex(model.index(0, 0));
        action->trigger();
        QCOMPARE(debug.count(), 1);
        QCOMPARE(debug.first().first().value<emulator::Report>().step, std::uint64_t{42});
        emit view.activated(model.index(0, 0));
        QCOMPARE(line.first().first().toInt(), 7);
    }

    void findingsNameRuleLinesAndMend()
    {
        FindingsModel model;
        QAbstractItemModelTester tester(&model);
        emulator::Report report;
        report.rule = emulator::RuleId::Race;
        report.message = "two warps write one word";
        report.lines = {{"k.ptx", 12}, {"k.ptx", 30}};
        report.fix = "add bar.sync";
        report.occurrences = 4;
        model.setReports({report});
        QCOMPARE(model.index(0, FindingsModel::LinesColumn).data().toString(), QStringLiteral("12, 30"));
        QCOMPARE(model.index(0, 0).data(FindingsModel::LineRole).toInt(), 12);
        emulator::Report ofCuda = report;
        ofCuda.lines = {{"/usr/include/sm_32.hpp", 112}, {"k.cu", 11}, {"k.cu (generated PTX)", 65},
            {"k.cu (generated PTX)", 67}};
        model.setReports({ofCuda});
        QCOMPARE(model.index(0, FindingsModel::LinesColumn).data().toString(),
            QStringLiteral("sm_32.hpp:112, 11, PTX 65, 67"));
        QCOMPARE(model.index(0, 0).data(FindingsModel::LineRole).toInt(), 11);
        model.setReports({report});
        const QString tip = model.index(0, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(
            tip.contains(QLatin1String("add bar.sync")) && tip.contains(QLatin1Char('4')), qPrintable(tip));
        for (int i = 0; i <= static_cast<int>(emulator::RuleId::NotEmulated); ++i) {
            QVERIFY(!VerdictWords::word(static_cast<emulator::RuleId>(i)).isEmpty());
        }
    }

    void theTaskSaysShapesAndTolerance()
    {
        Task task;
        task.name = "gemm<x>";
        task.axes = {{"M", std::nullopt, ""}, {"N", 7168, ""}};
        TensorSpec tensor;
        tensor.name = "A";
        tensor.dtype = Dtype::Bfloat16;
        tensor.shape = {"M", "N"};
        task.inputs = {tensor};
        Workload workload;
        workload.axes = {{"M", 4096}};
        workload.tags = {"paper"};
        const QString html = TaskDetails::html(task, &workload);
        QVERIFY(html.contains(QLatin1String("gemm&lt;x&gt;")));
        QVERIFY2(html.contains(QStringLiteral("4096 × 7168")), qPrintable(html));
        QVERIFY(html.contains(QLatin1String("bfloat16")));
    }
};

QTEST_MAIN(TestResults)
#include "tst_results.moc"
