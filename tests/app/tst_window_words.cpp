// SPDX-License-Identifier: Apache-2.0
// What the window says of whom: runs, speed-ups, rows of SASS, and what the command line asked for in vain.
#include "window_fixture.h"

#include "app/build_controller.h"
#include "app/command_palette.h"
#include "app/comparison_controller.h"
#include "app/evaluation_controller.h"
#include "app/file_controller.h"
#include "app/screenshot.h"
#include "app/task_chooser.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/plots/speedup_pane.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/verdict_banner.h"
#include "widgets/sass/row_reading.h"
#include "widgets/sass/sass_model.h"
#include "widgets/sass/sass_view.h"

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QMenu>
#include <QSignalSpy>
#include <QTableView>

using namespace ptxwb;

namespace {

const char* const kernel = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p)\n{\n"
                           "    .reg .b64 %rd<3>;\n    .reg .b32 %r<3>;\n"
                           "    ld.param.u64 %rd1, [p];\n"
                           "    ld.global.u32 %r1, [%rd1];\n"
                           "    st.global.u32 [%rd1+4], %r1;\n    ret;\n}\n";

const char* const gemm = "gemm_n7168_k5120";

WindowOptions freshOptions()
{
    WindowOptions options;
    options.fresh = true;
    return options;
}

QString taskFile(const char* name)
{
    return QStringLiteral(PTXWB_SOURCE_ROOT "/tasks/gemm/gemm_n7168_k5120/") + QLatin1String(name);
}

} // namespace

class TestWindowWords : public QObject {
    Q_OBJECT

private slots:
    void theNameOfAPaneLeadsToItAndDoesNotHideIt()
    {
        WindowFixture fixture;
        const auto window = fixture.open(freshOptions());
        const QList<QAction*> all = window->actions().all();
        const auto first = std::find_if(all.begin(), all.end(), [](const QAction* action) {
            return CommandPalette::matches(CommandPalette::title(*action), QStringLiteral("results"));
        });
        QVERIFY(first != all.end());
        QCOMPARE(*first, window->actions().goToPane[4]);
        QAction* toggle = window->panes().resultsDock->toggleViewAction();
        QCOMPARE(CommandPalette::title(*toggle), QStringLiteral("Hide pane: Results"));
        window->panes().resultsDock->hide();
        QCOMPARE(CommandPalette::title(*toggle), QStringLiteral("Show pane: Results"));
    }

    void theHeadlineIsOfTheEvaluationThatRuns()
    {
        WindowFixture fixture;
        WindowOptions options = freshOptions();
        options.file = taskFile("examples/plain.ptx");
        const auto window = fixture.open(options);
        QVERIFY(waitUntilIdle(*window));
        window->tasks().chooseWhere(QStringLiteral("none"));
        VerdictBanner* banner = window->panes().results->banner();
        QVERIFY2(!banner->provenance().isEmpty(), "a recorded run is shown");
        window->evaluate();
        QCOMPARE(banner->word(), QStringLiteral("Evaluating"));
        QCOMPARE(banner->provenance(), QString());
        // What settles while it runs does not bring the older verdict back.
        emit window->evaluations().runsChanged();
        QCOMPARE(banner->word(), QStringLiteral("Evaluating"));
        QSignalSpy finished(&window->evaluations(), &EvaluationController::finished);
        QVERIFY(finished.wait(60'000));
        QCOMPARE(banner->provenance(), QString());
        // The run of another file is none of an earlier text of this one.
        QVERIFY(window->files().open(taskFile("failed/wrong_result.ptx")));
        QVERIFY(waitUntilIdle(*window));
        for (const RunEntry& run : window->evaluations().runs()) {
            QVERIFY(run.origin != RunOrigin::EarlierText);
        }
    }

    void speedupsStandBesideKernelsOfTheirTaskOnly()
    {
        WindowFixture fixture;
        WindowOptions options = freshOptions();
        options.file = taskFile("examples/wgmma_tma.ptx");
        const auto window = fixture.open(options);
        QVERIFY(waitUntilIdle(*window));
        SpeedupPane* plot = window->panes().speedup;
        QVERIFY2(plot->placeholder().isEmpty(), "recorded runs of the task");
        for (const char* workload : {"paper", "small"}) {
            QVERIFY(window->tasks().chooseWorkload(QLatin1String(workload)));
            QCOMPARE(window->panes().results->shownRun()->evaluation->workload.name(), std::string(workload));
        }
        QFile other(fixture.path(QStringLiteral("other.ptx")));
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(kernel);
        other.close();
        QVERIFY(window->files().open(other.fileName()));
        QVERIFY(waitUntilIdle(*window));
        QCOMPARE(window->tasks().task()->name, std::string(gemm));
        QVERIFY2(plot->placeholder().contains(QLatin1String("other.ptx")), qPrintable(plot->placeholder()));
        emit window->tasks().taskPicked(); // the user says that it is one
        QVERIFY(plot->placeholder().isEmpty());
    }

    void aFreshWindowNeitherReadsNorWritesRecentFiles()
    {
        WindowFixture fixture;
        {
            const auto window = fixture.open({});
            QVERIFY(window->files().open(taskFile("examples/plain.ptx")));
            QCOMPARE(fixture.settings().recentFiles().size(), 1);
        }
        {
            const auto window = fixture.open(freshOptions());
            QVERIFY(fixture.settings().recentFiles().isEmpty());
            QVERIFY(!window->actions().recentMenu->isEnabled());
            QVERIFY(window->files().open(taskFile("failed/wrong_result.ptx")));
        }
        const auto window = fixture.open({});
        QCOMPARE(fixture.settings().recentFiles(), QStringList{taskFile("examples/plain.ptx")});
    }

    void whatTheCommandLineNamesInVainIsSaid()
    {
        WindowFixture fixture;
        WindowOptions options = freshOptions();
        options.task = QStringLiteral("nonsense");
        {
            const auto window = fixture.open(options);
            QVERIFY(waitUntilIdle(*window));
            QVERIFY2(window->startProblem().contains(QLatin1String("nonsense"))
                    && window->startProblem().contains(QLatin1String(gemm)),
                qPrintable(window->startProblem()));
        }
        options.task = QLatin1String(gemm);
        options.workload = QStringLiteral("huge");
        {
            const auto window = fixture.open(options);
            QVERIFY(waitUntilIdle(*window));
            QVERIFY(window->startProblem().contains(QLatin1String("huge")));
        }
        options.workload.clear();
        options.file = fixture.path(QStringLiteral("nowhere.ptx"));
        {
            const auto window = fixture.open(options);
            QVERIFY(waitUntilIdle(*window));
            QVERIFY(window->startProblem().contains(QLatin1String("nowhere.ptx")));
        }
        options.file = taskFile("examples/plain.ptx");
        const auto window = fixture.open(options);
        QVERIFY(waitUntilIdle(*window));
        QVERIFY2(window->startProblem().isEmpty(), qPrintable(window->startProblem()));
    }

    void compareOnTheCommandLineIsInTheOrderOfDiff()
    {
        WindowFixture fixture;
        QFile file(fixture.path(QStringLiteral("b.ptx")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(kernel).replace("rd1+4", "rd1+8"));
        file.close();
        QFile buffer(fixture.path(QStringLiteral("a.ptx")));
        QVERIFY(buffer.open(QIODevice::WriteOnly));
        buffer.write(kernel);
        buffer.close();
        WindowOptions options = freshOptions();
        options.file = buffer.fileName();
        options.compare = file.fileName();
        const auto window = fixture.open(options);
        QString titles;
        connect(&window->comparisons(), &ComparisonController::compared, window.get(),
            [&titles](const std::shared_ptr<const Comparison>& done) {
                titles = QString::fromStdString(done->a->title + " " + done->b->title);
            });
        QVERIFY(waitUntilIdle(*window));
        if (titles.isEmpty()) {
            QSKIP("no ptxas or no disassembler here");
        }
        QVERIFY2(titles.startsWith(QLatin1String("a.ptx")), qPrintable(titles));
        // The menu's comparison asks what the editor changed: the file comes first.
        fixture.prompts().openPath = file.fileName();
        window->actions().compareFile->trigger();
        QVERIFY(waitUntilIdle(*window));
        QVERIFY2(titles.startsWith(QLatin1String("b.ptx")), qPrintable(titles));
    }

    void liveRegistersComeBehindTheListing()
    {
        WindowFixture fixture;
        const auto window = fixture.open(freshOptions());
        window->files().setUntitledText(kernel);
        QVERIFY(waitUntilIdle(*window));
        if (!window->builds().current() || !window->builds().current()->listing) {
            QSKIP("no ptxas or no disassembler here");
        }
        SassView* view = window->panes().sass;
        if (!view->model()->hasLiveRegisters()) {
            QSKIP("only cuobjdump here");
        }
        auto* table = view->findChild<QTableView*>();
        QVERIFY(!table->isColumnHidden(SassModel::LiveColumn));
        int store = -1;
        for (int row = 0; row < view->model()->rowCount(); ++row) {
            const QString opcode = view->model()->index(row, SassModel::OpcodeColumn).data().toString();
            store = opcode.startsWith(QLatin1String("STG")) ? row : store;
        }
        QVERIFY(store >= 0);
        QVERIFY(view->model()->index(store, SassModel::LiveColumn).data().toInt() > 0);
        // The store waits for the load: its row says so and leads there.
        table->setCurrentIndex(table->model()->index(store, 0));
        auto* reading = view->findChild<RowReading*>();
        QVERIFY2(reading->text().contains(QLatin1String("LDG")), qPrintable(reading->text()));
        const QString text = reading->text();
        const auto at = text.lastIndexOf(QLatin1String("href=\""), text.indexOf(QLatin1String("LDG")));
        emit reading->linkActivated(text.mid(at + 6).section(QLatin1Char('"'), 0, 0));
        QVERIFY(view->model()
                    ->index(table->currentIndex().row(), SassModel::OpcodeColumn)
                    .data()
                    .toString()
                    .startsWith(QLatin1String("LDG")));
        QVERIFY2(reading->text().contains(QLatin1String("STG")), "and it says who waits for it");
    }
};

QTEST_MAIN(TestWindowWords)
#include "tst_window_words.moc"
