// SPDX-License-Identifier: Apache-2.0
// What F5 made is in the history, and comes back from it.
#include "window_fixture.h"

#include "app/evaluation_controller.h"
#include "app/file_controller.h"
#include "app/task_chooser.h"
#include "core/records/kept_evaluations.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/history/history_pane.h"
#include "widgets/results/results_pane.h"

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QSignalSpy>
#include <QTreeView>

using namespace ptxwb;

namespace {

const QString gemm = QStringLiteral("gemm_n7168_k5120");

QString taskFile(const QString& name)
{
    return QStringLiteral(PTXWB_SOURCE_ROOT "/tasks/gemm/%1/%2").arg(gemm, name);
}

WindowOptions freshOptions(const QString& file)
{
    WindowOptions options;
    options.fresh = true;
    options.file = file;
    return options;
}

void bringForward(MainWindow& window)
{
    window.panes().historyDock->show();
    window.panes().historyDock->raise();
}

} // namespace

class TestWindowHistory : public QObject {
    Q_OBJECT

private slots:
    void anEvaluationComesBackWithItsText()
    {
        WindowFixture fixture;
        {
            const auto window = fixture.open(freshOptions(taskFile(QStringLiteral("examples/plain.ptx"))));
            QVERIFY(waitUntilIdle(*window));
            window->tasks().chooseWhere(QStringLiteral("none"));
            QSignalSpy kept(&window->evaluations(), &EvaluationController::kept);
            window->evaluate();
            if (window->evaluations().isRunning()) {
                QVERIFY(kept.wait(60'000));
            }
            if (kept.isEmpty()) {
                QSKIP("no ptxas here");
            }
            QCOMPARE(kept[0][0].toLongLong(), 1);
            bringForward(*window);
            QTRY_COMPARE(window->panes().history->model()->rowCount(), 1);
            // The list follows what is made while it is shown.
            window->evaluate();
            QVERIFY(kept.wait(60'000));
            QTRY_COMPARE(window->panes().history->model()->rowCount(), 2);
        }
        const auto window = fixture.open(freshOptions(taskFile(QStringLiteral("failed/wrong_result.ptx"))));
        QVERIFY(waitUntilIdle(*window));
        window->tasks().chooseNoTask();
        bringForward(*window);
        HistoryPane* history = window->panes().history;
        QTRY_COMPARE(history->model()->rowCount(), 2);
        history->view()->setCurrentIndex(history->view()->model()->index(1, 0));
        emit history->view()->activated(history->view()->currentIndex());
        QTRY_VERIFY(window->panes().results->shownRun() != nullptr
            && window->panes().results->shownRun()->origin == RunOrigin::Kept);
        QCOMPARE(window->tasks().task()->name, gemm.toStdString());
        const RunEntry* run = window->panes().results->shownRun();
        QVERIFY(!run->sameText);
        QVERIFY(provenanceText(*run).contains(QLatin1String("from the history")));
        // It stays chosen when the recorded runs of its task have come.
        QVERIFY(waitUntilIdle(*window));
        QCOMPARE(window->panes().results->shownRun()->origin, RunOrigin::Kept);

        QFile plain(taskFile(QStringLiteral("examples/plain.ptx")));
        QVERIFY(plain.open(QIODevice::ReadOnly));
        emit history->textRequested(1);
        const std::string text = plain.readAll().toStdString();
        QTRY_COMPARE(window->files().fileBytes(), text);
        QVERIFY(window->files().document().isUntitled());
    }

    void aHistoryThatCannotBeReadIsSaidAndNothingIsLost()
    {
        WindowFixture fixture;
        const QString data = qEnvironmentVariable("PTXWB_DATA_DIR");
        QVERIFY(QDir().mkpath(data + QStringLiteral("/history.sqlite"))); // a folder where the file should be
        const auto window = fixture.open(freshOptions(taskFile(QStringLiteral("examples/plain.ptx"))));
        QVERIFY(waitUntilIdle(*window));
        bringForward(*window);
        QTRY_VERIFY2(window->panes().history->placeholder().contains(QLatin1String("cannot be read")),
            qPrintable(window->panes().history->placeholder()));
        window->tasks().chooseWhere(QStringLiteral("none"));
        QSignalSpy finished(&window->evaluations(), &EvaluationController::finished);
        window->evaluate();
        if (!window->evaluations().isRunning()) {
            QSKIP("no ptxas here");
        }
        QVERIFY(finished.wait(60'000));
        QVERIFY(window->panes().results->shownRun() != nullptr);
        QTRY_VERIFY2(
            window->stateText().contains(QLatin1String("not kept")), qPrintable(window->stateText()));
    }
};

QTEST_MAIN(TestWindowHistory)
#include "tst_window_history.moc"
