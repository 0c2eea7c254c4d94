// SPDX-License-Identifier: Apache-2.0
#include "window_fixture.h"

#include "app/build_controller.h"
#include "app/comparison_controller.h"
#include "app/evaluation_controller.h"
#include "app/file_controller.h"
#include "app/layouts.h"
#include "app/task_chooser.h"
#include "widgets/diff/diff_view.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/notice_bar.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/plots/speedup_pane.h"
#include "widgets/results/evidence_view.h"
#include "widgets/results/phases_view.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/verdict_banner.h"
#include "widgets/results/verdict_words.h"
#include "widgets/sass/sass_model.h"
#include "widgets/sass/sass_view.h"

#include <QDockWidget>
#include <QElapsedTimer>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

using namespace ptxwb;

namespace {

const char* const smallKernel = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                                ".visible .entry k(.param .u64 p)\n{\n"
                                "    .reg .b64 %rd<3>;\n    .reg .b32 %r<3>;\n"
                                "    ld.param.u64 %rd1, [p];\n"
                                "    mov.u32 %r1, %tid.x;\n"
                                "    st.global.u32 [%rd1], %r1;\n    ret;\n}\n";

QString exampleKernel()
{
    return QStringLiteral(PTXWB_SOURCE_ROOT "/tasks/gemm/gemm_n7168_k5120/examples/wgmma_tma.ptx");
}

int linkedRows(const SassView& view)
{
    int rows = 0;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        rows +=
            view.model()->index(row, SassModel::OperandsColumn).data(Qt::BackgroundRole).isValid() ? 1 : 0;
    }
    return rows;
}

bool hasPtxas(MainWindow& window)
{
    return waitUntilIdle(window) && window.builds().current() && !window.builds().current()->failure;
}

WindowOptions openFile(const QString& path)
{
    WindowOptions options;
    options.file = path;
    return options;
}

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("not readable");
}

QPushButton* choiceOf(const NoticeBar* notice, const QString& label)
{
    for (QPushButton* button : notice->findChildren<QPushButton*>()) {
        if (button->text() == label && button->isVisible()) {
            return button;
        }
    }
    qFatal("the notice has no such choice");
    return nullptr;
}

} // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

private slots:
    void fromTheExampleToTheVerdict()
    {
        WindowFixture fixture;
        WindowOptions options = openFile(exampleKernel());
        options.fresh = true;
        const auto window = fixture.open(options);
        if (!hasPtxas(*window)) {
            QSKIP("no ptxas here");
        }
        Panes& panes = window->panes();
        QVERIFY2(window->builds().current()->compile.ok, qPrintable(panes.problems->rowsAsText()));
        QCOMPARE(window->tasks().task()->name, std::string("gemm_n7168_k5120"));
        if (!window->builds().current()->listing) {
            QSKIP("no disassembler here");
        }
        QVERIFY(panes.sass->model()->rowCount() > 100);

        window->tasks().chooseWhere(QStringLiteral("none"));
        QSignalSpy finished(&window->evaluations(), &EvaluationController::finished);
        window->evaluate();
        QVERIFY(panes.results->phases()->isRunning());
        QVERIFY(finished.wait(60'000));
        QVERIFY(!panes.results->phases()->isRunning());
        QCOMPARE(panes.results->banner()->word(), VerdictWords::word(Verdict::Unverified));
        QCOMPARE(panes.results->banner()->provenance(), QString());
        const EvidenceModel* evidence = panes.results->evidence()->model();
        int measured = 0;
        int withoutReason = 0;
        int notMeasured = 0;
        for (int row = 0; row < evidence->rowCount(); ++row) {
            const QString state = evidence->index(row, EvidenceModel::StateColumn).data().toString();
            if (state.contains(VerdictWords::word(EvidenceState::NotMeasured))) {
                ++notMeasured;
                withoutReason +=
                    evidence->index(row, EvidenceModel::ReasonColumn).data().toString().isEmpty() ? 1 : 0;
            } else {
                ++measured;
            }
        }
        QVERIFY(measured > 0);
        QVERIFY(notMeasured > 0);
        QCOMPARE(withoutReason, 0);

        // The text moves on; the result stays, and says so.
        panes.editor->editor()->append(QStringLiteral("// more\n"));
        QTRY_COMPARE(panes.results->banner()->provenance(), QStringLiteral("of an earlier text"));
    }

    void editorAndListingAreLinkedBothWays()
    {
        WindowFixture fixture;
        WindowOptions options = openFile(exampleKernel());
        options.fresh = true;
        const auto window = fixture.open(options);
        if (!hasPtxas(*window) || !window->builds().current()->listing) {
            QSKIP("no ptxas or no disassembler here");
        }
        PtxEditor* editor = window->panes().editor->editor();
        QSignalSpy fromListing(window->panes().sass, &SassView::ptxLineActivated);
        emit window->panes().sass->ptxLineActivated(60);
        QVERIFY((editor->markersAtLine(59) & (1U << PtxEditor::linkedMarker)) != 0);
        int line = 0;
        for (const SassInstruction& instruction :
            window->builds().current()->listing->kernels.front().instructions) {
            line = std::max(line, instruction.ptxLine);
        }
        QVERIFY2(line > 0, "the listing knows PTX lines");
        editor->goTo(line);
        QTRY_VERIFY(linkedRows(*window->panes().sass) > 0);
        QCOMPARE(editor->markersAtLine(59) & (1U << PtxEditor::linkedMarker), 0U);
    }

    void errorsAreListedAndMarked()
    {
        WindowFixture fixture;
        WindowOptions options;
        options.fresh = true;
        const auto window = fixture.open(options);
        PtxEditor* editor = window->panes().editor->editor();
        QByteArray broken = smallKernel;
        broken.replace("mov.u32 %r1, %tid.x;", "/* \xC3\xA9 */ mov.u32 %r1, nowhere;");
        window->files().setUntitledText(broken);
        if (!hasPtxas(*window)) {
            QSKIP("no ptxas here");
        }
        QVERIFY(!window->builds().current()->compile.ok);
        QVERIFY(window->panes().problems->model()->rowCount() > 0);
        QVERIFY((editor->markersAtLine(8) & (1U << PtxEditor::errorMarker)) != 0);
        QVERIFY(window->panes().problems->placeholder().isEmpty());
        // And mended again by typing: the live compile takes it.
        editor->replaceAllText(smallKernel);
        QVERIFY(waitUntilIdle(*window));
        QVERIFY(window->builds().current()->compile.ok);
        QCOMPARE(editor->markersAtLine(8), 0U);
        QVERIFY(!window->panes().problems->placeholder().isEmpty());
    }

    void aStaleCompileNeverLands()
    {
        WindowFixture fixture;
        WindowOptions options;
        options.fresh = true;
        const auto window = fixture.open(options);
        window->files().setUntitledText(smallKernel);
        if (!hasPtxas(*window)) {
            QSKIP("no ptxas here");
        }
        QSignalSpy built(&window->builds(), &BuildController::buildFinished);
        PtxEditor* editor = window->panes().editor->editor();
        for (int i = 0; i < 8; ++i) {
            editor->append(QStringLiteral("// %1\n").arg(i));
            window->builds().buildNow();
        }
        QVERIFY(waitUntilIdle(*window));
        QCOMPARE(built.count(), 1);
        QCOMPARE(window->builds().current()->sourceSha256, window->files().sha256());
    }

    void theEditorIsComparedWithTheBuildBefore()
    {
        WindowFixture fixture;
        WindowOptions options;
        options.fresh = true;
        const auto window = fixture.open(options);
        window->actions().compareLast->trigger();
        window->files().setUntitledText(smallKernel);
        if (!hasPtxas(*window) || !window->builds().current()->listing) {
            QSKIP("no ptxas or no disassembler here");
        }
        QByteArray changed = smallKernel;
        changed.replace("%tid.x", "%ctaid.x");
        window->panes().editor->editor()->replaceAllText(changed);
        QVERIFY(waitUntilIdle(*window));
        QSignalSpy compared(&window->comparisons(), &ComparisonController::compared);
        window->actions().compareLast->trigger();
        QVERIFY(compared.wait(20'000));
        QVERIFY(window->panes().diff->changeCount() > 0);

        QFile file(fixture.path(QStringLiteral("other one.ptx")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(changed);
        file.close();
        fixture.prompts().openPath = file.fileName();
        window->actions().compareFile->trigger();
        QVERIFY(compared.wait(20'000));
        QCOMPARE(window->panes().diff->changeCount(), 0);
    }

    void cancelEndsAnEvaluationWithoutAClaim()
    {
        WindowFixture fixture;
        WindowOptions options = openFile(exampleKernel());
        options.fresh = true;
        const auto window = fixture.open(options);
        if (!hasPtxas(*window)) {
            QSKIP("no ptxas here");
        }
        QSignalSpy cancelled(&window->evaluations(), &EvaluationController::cancelled);
        QSignalSpy finished(&window->evaluations(), &EvaluationController::finished);
        QSignalSpy failed(&window->evaluations(), &EvaluationController::failed);
        window->evaluate();
        window->actions().cancel->setEnabled(true);
        window->actions().cancel->trigger();
        QCOMPARE(cancelled.count(), 1);
        QTest::qWait(300);
        QCOMPARE(finished.count() + failed.count(), 0);
        QCOMPARE(window->panes().results->banner()->word(), QStringLiteral("Cancelled"));
    }

    void unsavedTextSurvivesAKill()
    {
        WindowFixture fixture;
        {
            const auto window = fixture.open({});
            window->panes().editor->editor()->append(QStringLiteral("// never saved \u00e9\n"));
            QTest::qWait(700);
            // Destroyed without close(): nothing of a proper end runs.
        }
        const auto window = fixture.open({});
        QCOMPARE(window->panes().editor->editor()->utf8(), QByteArray("// never saved \xC3\xA9\n"));
        QVERIFY(window->files().isModified());
        QVERIFY(!window->panes().editor->notice()->text().isEmpty());
    }

    void aNamedFileDoesNotPushOutUnsavedText()
    {
        WindowFixture fixture;
        {
            const auto window = fixture.open({});
            window->panes().editor->editor()->append(QStringLiteral("// precious\n"));
            QTest::qWait(700);
        }
        const auto window = fixture.open(openFile(exampleKernel()));
        QCOMPARE(window->panes().editor->editor()->utf8(), QByteArray("// precious\n"));
        QVERIFY(!window->panes().editor->notice()->text().isEmpty());
    }

    void savingKeepsBytesAndOpeningAsksFirst()
    {
        WindowFixture fixture;
        QFile file(fixture.path(QStringLiteral("a $ 'b'.ptx")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("// one\r\n");
        file.close();
        const auto window = fixture.open(openFile(file.fileName()));
        PtxEditor* editor = window->panes().editor->editor();
        editor->append(QStringLiteral("// two\r\n"));
        QVERIFY(window->isWindowModified());
        fixture.prompts().saveChoice = Prompts::SaveChoice::Cancel;
        QVERIFY(!window->files().open(exampleKernel()));
        QCOMPARE(fixture.prompts().saveQuestions, 1);
        QVERIFY(window->files().save());
        QVERIFY(!window->isWindowModified());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("// one\r\n// two\r\n"));
    }

    void aFileThatChangedOnDiskIsNotOverwritten()
    {
        WindowFixture fixture;
        const QString path = fixture.path(QStringLiteral("k.ptx"));
        writeFile(path, "// one\n");
        const auto window = fixture.open(openFile(path));
        PtxEditor* editor = window->panes().editor->editor();
        editor->append(QStringLiteral("// mine\n"));
        writeFile(path, "// two\n"); // the same size, perhaps at the same time
        QVERIFY(!window->files().save());
        QCOMPARE(readFile(path), QByteArray("// two\n"));
        NoticeBar* notice = window->panes().editor->notice();
        QVERIFY(notice->text().contains(QLatin1String("has changed on disk")));
        const QList<QPushButton*> choices = notice->findChildren<QPushButton*>();
        QCOMPARE(choices.size(), 3);
        choices[0]->click();
        QVERIFY(fixture.prompts().shownText.contains(QStringLiteral("<b>\u2212 // two</b>")));
        QVERIFY(fixture.prompts().shownText.contains(QLatin1String("<b>+ // mine</b>")));
        QVERIFY(!window->files().save()); // still not
        choiceOf(notice, QStringLiteral("Save mine over it"))->click();
        QCOMPARE(readFile(path), QByteArray("// one\n// mine\n"));
        QVERIFY(!window->files().isModified());
        QVERIFY(window->files().save());
        writeFile(path, "// three\n");
        QVERIFY(!window->files().save());
        choiceOf(notice, QStringLiteral("Take the disk's"))->click();
        QCOMPARE(editor->utf8(), QByteArray("// three\n"));
        QVERIFY(window->files().save());
        editor->undo();
        QCOMPARE(editor->utf8(), QByteArray("// one\n// mine\n"));
    }

    void aFileThatChangedBehindASessionIsNotOverwritten()
    {
        WindowFixture fixture;
        const QString path = fixture.path(QStringLiteral("k.ptx"));
        writeFile(path, "// one\n");
        {
            const auto window = fixture.open(openFile(path));
            window->panes().editor->editor()->append(QStringLiteral("// mine\n"));
            QTest::qWait(700);
        }
        writeFile(path, "// theirs\n");
        for (int start = 0; start < 2; ++start) { // said again until it is answered
            const auto window = fixture.open({});
            QCOMPARE(window->panes().editor->editor()->utf8(), QByteArray("// one\n// mine\n"));
            QVERIFY(window->panes().editor->notice()->text().contains(QLatin1String("changed on disk")));
            QVERIFY(!window->files().save());
            QCOMPARE(readFile(path), QByteArray("// theirs\n"));
            QTest::qWait(700);
            if (start == 1) {
                choiceOf(window->panes().editor->notice(), QStringLiteral("Save mine over it"))->click();
                QCOMPARE(readFile(path), QByteArray("// one\n// mine\n"));
            }
            window->close();
        }
    }

    void badFilesAreSaidInTheWindow()
    {
        WindowFixture fixture;
        WindowOptions options = openFile(fixture.path(QStringLiteral("nowhere.ptx")));
        const auto window = fixture.open(options);
        QVERIFY(window->panes().editor->notice()->text().contains(QLatin1String("nowhere.ptx")));
        QVERIFY(!window->files().open(fixture.path(QStringLiteral("."))));
    }

    void layoutsComeBackAndABrokenStateFallsBack()
    {
        WindowFixture fixture;
        {
            const auto window = fixture.open({});
            applyLayout(*window, window->panes(), Layout::Inspect);
            window->close();
        }
        {
            const auto window = fixture.open({});
            QVERIFY(window->panes().speedupDock->isHidden());
            window->actions().layoutReset->trigger();
            QVERIFY(!window->panes().speedupDock->isHidden());
            window->close();
        }
        fixture.settings().setWindow({}, "nonsense");
        const auto window = fixture.open({});
        QVERIFY(!window->panes().sassDock->isHidden());
        QVERIFY(!window->panes().resultsDock->isHidden());
    }

    void closingStopsWhatRunsInTime()
    {
        WindowFixture fixture;
        auto window = fixture.open(openFile(exampleKernel()));
        window->builds().buildNow();
        QTest::qWait(30);
        QElapsedTimer clock;
        clock.start();
        window->close();
        window.reset();
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));
    }

    void everyEmptyPaneSaysWhy()
    {
        WindowFixture fixture;
        WindowOptions options;
        options.fresh = true;
        const auto window = fixture.open(options);
        QVERIFY(waitUntilIdle(*window));
        QVERIFY(!window->panes().problems->placeholder().isEmpty());
        QVERIFY(!window->panes().speedup->placeholder().isEmpty());
        QVERIFY(!window->panes().results->evidence()->placeholder().isEmpty());
        QVERIFY(!window->panes().results->banner()->sentence().isEmpty());
        window->evaluate();
        QVERIFY2(
            !window->panes().editor->notice()->text().isEmpty(), "evaluating without a task says what to do");
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
