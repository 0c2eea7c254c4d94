// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/evidence_view.h"
#include "widgets/results/phases_view.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/task_details.h"
#include "widgets/results/verdict_banner.h"
#include "widgets/results/verdict_words.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

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
