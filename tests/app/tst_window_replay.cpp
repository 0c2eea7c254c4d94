// SPDX-License-Identifier: Apache-2.0
// The window across the real process boundary: ptxwb-replay stands in for ptxwb-runner and plays what a
// runner said on an NVIDIA H200.
#include "window_fixture.h"

#include "app/build_controller.h"
#include "app/evaluation_controller.h"
#include "app/file_controller.h"
#include "app/task_chooser.h"
#include "widgets/plots/speedup_chart.h"
#include "widgets/plots/speedup_pane.h"
#include "widgets/results/evidence_view.h"
#include "widgets/results/phases_view.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/verdict_banner.h"
#include "widgets/results/verdict_words.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>

using namespace ptxwb;

namespace {

const QString gemm = QStringLiteral(PTXWB_SOURCE_ROOT "/tasks/gemm/gemm_n7168_k5120/");

/// A window whose runner is the recorded log.
class ReplayFixture : public WindowFixture {
public:
    bool play(const char* log, const char* speed)
    {
        QFile script(path(QStringLiteral("runner")));
        if (!script.open(QIODevice::WriteOnly)) {
            return false;
        }
        script.write("#!/bin/sh\nexec '" PTXWB_BIN_DIR "/ptxwb-replay' '" PTXWB_TEST_DATA "/runner/");
        script.write(log);
        script.write(".jsonl' --speed ");
        script.write(speed);
        script.write("\n");
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        script.close();
        return qputenv("PTXWB_RUNNER", script.fileName().toUtf8());
    }

    std::unique_ptr<MainWindow> openKernel(const QString& file)
    {
        WindowOptions options;
        options.file = gemm + file;
        options.fresh = true;
        auto window = open(options);
        if (!waitUntilIdle(*window) || !window->builds().current() || window->builds().current()->failure) {
            return nullptr;
        }
        window->tasks().chooseWhere(QStringLiteral("auto"));
        return window;
    }
};

QString rowsOf(const EvidenceModel& model)
{
    return model.asTsv();
}

} // namespace

class TestWindowReplay : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { qunsetenv("PTXWB_RUNNER"); }

    void correctWithItsInterval()
    {
        ReplayFixture fixture;
        QVERIFY(fixture.play("gemm-wgmma_tma-paper-correct", "10"));
        const auto window = fixture.openKernel(QStringLiteral("examples/wgmma_tma.ptx"));
        if (!window) {
            QSKIP("no ptxas here");
        }
        QSignalSpy progressed(&window->evaluations(), &EvaluationController::progressed);
        QSignalSpy finished(&window->evaluations(), &EvaluationController::finished);
        window->evaluate();
        QVERIFY(finished.wait(60'000));
        QVERIFY(progressed.count() > 5);
        ResultsPane* results = window->panes().results;
        QCOMPARE(results->banner()->word(), VerdictWords::word(Verdict::Correct));
        QVERIFY(results->phases()->phaseText(Phase::Measure).startsWith(QStringLiteral("✓")));
        QVERIFY2(
            rowsOf(*results->evidence()->model()).contains(QLatin1String("cublaslt"), Qt::CaseInsensitive),
            qPrintable(rowsOf(*results->evidence()->model())));
        const SpeedupSeries& series = window->panes().speedup->chart()->series();
        const auto live = std::find_if(series.bars.begin(), series.bars.end(),
            [](const SpeedupBar& bar) { return bar.origin == RunOrigin::Live; });
        QVERIFY(live != series.bars.end());
        QVERIFY(live->low <= live->ratio && live->ratio <= live->high);
        QVERIFY(live->rounds >= 10);
        QVERIFY(window->panes().speedup->placeholder().isEmpty());
    }

    void whatGoesWrongIsTheVerdict_data()
    {
        QTest::addColumn<QString>("log");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<int>("verdict");
        QTest::newRow("wrong numbers")
            << QStringLiteral("gemm-wrong_result-paper-incorrect_numerical")
            << QStringLiteral("failed/wrong_result.ptx") << static_cast<int>(Verdict::IncorrectNumerical);
        QTest::newRow("not written") << QStringLiteral("not_written")
                                     << QStringLiteral("failed/wrong_result.ptx")
                                     << static_cast<int>(Verdict::NotWritten);
        QTest::newRow("fault") << QStringLiteral("fault-trap") << QStringLiteral("failed/wrong_result.ptx")
                               << static_cast<int>(Verdict::RuntimeError);
        QTest::newRow("hang") << QStringLiteral("hang-timeout") << QStringLiteral("failed/wrong_result.ptx")
                              << static_cast<int>(Verdict::Timeout);
    }
    void whatGoesWrongIsTheVerdict()
    {
        QFETCH(QString, log);
        QFETCH(QString, kernel);
        QFETCH(int, verdict);
        ReplayFixture fixture;
        QVERIFY(fixture.play(log.toLatin1(), "20"));
        const auto window = fixture.openKernel(kernel);
        if (!window) {
            QSKIP("no ptxas here");
        }
        QSignalSpy finished(&window->evaluations(), &EvaluationController::finished);
        window->evaluate();
        QVERIFY(finished.wait(60'000));
        ResultsPane* results = window->panes().results;
        QCOMPARE(results->banner()->word(), VerdictWords::word(static_cast<Verdict>(verdict)));
        QVERIFY(results->phases()->phaseText(Phase::Verify).startsWith(QStringLiteral("✗")));
        QVERIFY(!results->banner()->sentence().isEmpty());
        for (const SpeedupBar& bar : window->panes().speedup->chart()->series().bars) {
            QVERIFY2(bar.origin == RunOrigin::Recorded, "a wrong kernel has no speed-up");
        }
    }

    void cancelInTheMiddleClaimsNothing()
    {
        ReplayFixture fixture;
        QVERIFY(fixture.play("gemm-wgmma_tma-paper-correct", "0.1"));
        auto window = fixture.openKernel(QStringLiteral("examples/wgmma_tma.ptx"));
        if (!window) {
            QSKIP("no ptxas here");
        }
        QSignalSpy cancelled(&window->evaluations(), &EvaluationController::cancelled);
        QSignalSpy finished(&window->evaluations(), &EvaluationController::finished);
        QSignalSpy failed(&window->evaluations(), &EvaluationController::failed);
        window->evaluate();
        QTRY_VERIFY_WITH_TIMEOUT(
            window->panes().results->phases()->phaseText(Phase::Verify).startsWith(QStringLiteral("▶")),
            30'000);
        QTRY_VERIFY(window->actions().cancel->isEnabled());
        window->actions().cancel->trigger();
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(window->panes().results->banner()->word(), QStringLiteral("Cancelled"));
        QTest::qWait(200);
        QCOMPARE(finished.count() + failed.count(), 0);
        QElapsedTimer clock;
        clock.start();
        window->close();
        window.reset();
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));
    }
};

QTEST_MAIN(TestWindowReplay)
#include "tst_window_replay.moc"
