// SPDX-License-Identifier: Apache-2.0
// Running a kernel by its own plan, and triage, in the window.
#include "window_fixture.h"

#include "app/build_controller.h"
#include "app/file_controller.h"
#include "app/run_controller.h"
#include "app/task_chooser.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/results/findings_model.h"
#include "widgets/results/verdict_banner.h"
#include "widgets/run/outputs_model.h"
#include "widgets/run/run_pane.h"

#ifdef PTXWB_HAVE_TRIAGE
#include "widgets/triage/triage_model.h"
#include "widgets/triage/triage_pane.h"
#endif

#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QTabWidget>

using namespace ptxwb;

namespace {

const char* const planned =
    "/* @launch { \"axes\": {\"n\": 64}, \"tensors\": {\"Y\": {\"dtype\":\"int32\", \"shape\":[\"n\"],\n"
    "   \"init\":\"zero\", \"role\":\"output\"}},\n"
    "   \"launches\": [ {\"kernel\":\"k\", \"grid\":[1,1,1], \"block\":[64,1,1], "
    "\"args\":[{\"tensor\":\"Y\"}]} ] } */\n"
    ".version 8.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    "    .reg .b64 %rd<4>;\n    .reg .b32 %r<3>;\n"
    "    ld.param.u64 %rd1, [p];\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mul.wide.u32 %rd2, %r1, STRIDE;\n"
    "    add.s64 %rd3, %rd1, %rd2;\n"
    "    st.global.u32 [%rd3], %r1;\n    ret;\n}\n";

QByteArray kernel(const char* stride)
{
    return QByteArray(planned).replace("STRIDE", stride);
}

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

} // namespace

class TestRuns : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_fixture = std::make_unique<WindowFixture>();
        WindowOptions options;
        options.fresh = true;
        m_window = m_fixture->open(options);
        QVERIFY(waitUntilIdle(*m_window));
    }
    void init() { m_window->actions().liveCompile->setChecked(true); }
    void cleanupTestCase()
    {
        m_window.reset();
        m_fixture.reset();
    }

    void aKernelRunsByItsOwnPlan()
    {
        m_window->files().setUntitledText(kernel("4"));
        m_window->actions().run->trigger();
        QVERIFY(waitUntilIdle(*m_window));
        const RunPane* pane = m_window->panes().run;
        QVERIFY2(pane->placeholder().isEmpty(), qPrintable(pane->placeholder()));
        QCOMPARE(pane->findings()->rowCount(), 0);
        QCOMPARE(pane->outputs()->rowCount(), 1);
        QVERIFY(pane->outputs()
                    ->index(0, OutputsModel::HeadColumn)
                    .data()
                    .toString()
                    .startsWith(QLatin1String("0 1 2 3")));
    }

    void aPlanOfItsOwnStandsBesideNoTask()
    {
        QVERIFY(m_window->tasks().chooseTask(QStringLiteral("gemm_n7168_k5120")));
        m_window->files().setUntitledText(kernel("4"));
        QVERIFY(m_window->tasks().task() == nullptr);
    }

    void theTabTellsOfUnsavedText()
    {
        m_window->files().setUntitledText(kernel("4"));
        m_window->panes().editor->editor()->insertAt(QStringLiteral("// more\n"), 0, 0);
        QVERIFY(m_window->panes().centre->tabText(0).endsWith(QStringLiteral(" •")));
    }

    void aFindingLeadsToItsLineUntilTheTextChanges()
    {
        m_window->actions().liveCompile->setChecked(false);
        m_window->files().setUntitledText(kernel("1024"));
        m_window->actions().run->trigger();
        QVERIFY(waitUntilIdle(*m_window));
        RunPane* pane = m_window->panes().run;
        QVERIFY2(pane->findings()->rowCount() > 0, qPrintable(pane->placeholder()));
        const int line = pane->findings()->index(0, 0).data(FindingsModel::LineRole).toInt();
        PtxEditor* editor = m_window->panes().editor->editor();
        QVERIFY(editor->text(line - 1).contains(QLatin1String("st.global")));
        emit pane->lineActivated(line);
        QCOMPARE(editor->currentLine(), line);
        editor->insertAt(QStringLiteral("// more\n"), 0, 0);
        editor->goTo(1);
        emit pane->lineActivated(line);
        QCOMPARE(editor->currentLine(), 1);
        QVERIFY(m_window->stateText().contains(QLatin1String("changed")));
    }

    void aPlanIsOfferedWhereThereIsNone()
    {
        QByteArray bare = kernel("4");
        bare = bare.mid(bare.indexOf(".version"));
        m_window->files().setUntitledText(bare);
        m_window->actions().run->trigger();
        QVERIFY(waitUntilIdle(*m_window));
        RunPane* pane = m_window->panes().run;
        QVERIFY(!pane->placeholder().isEmpty());
        QVERIFY(!pane->placeholder().contains(QLatin1String("@launch")));
        auto* insert = pane->findChild<QPushButton*>(QStringLiteral("insertPlan"));
        QVERIFY(insert != nullptr && insert->isVisibleTo(pane));
        insert->click();
        QVERIFY(m_window->panes().editor->editor()->utf8().contains("@launch"));
        QVERIFY(m_window->panes().editor->editor()->utf8().endsWith(bare));
        m_window->panes().editor->editor()->undo();
        QCOMPARE(m_window->panes().editor->editor()->utf8(), bare);
    }

    void anEndlessRunIsCancelled()
    {
        QByteArray endless = kernel("4");
        endless.replace("    ret;", "again:\n    add.u32 %r1, %r1, 1;\n    bra again;\n    ret;");
        m_window->files().setUntitledText(endless);
        QVERIFY(waitUntilIdle(*m_window));
        m_window->actions().run->trigger();
        QVERIFY(m_window->panes().run->isRunning());
        QTRY_VERIFY(m_window->actions().cancel->isEnabled());
        m_window->actions().cancel->trigger();
        QVERIFY(!m_window->panes().run->isRunning());
        QVERIFY(!m_window->panes().run->placeholder().isEmpty());
    }

    void aFolderIsLookedThroughAndARowOpens()
    {
#ifndef PTXWB_HAVE_TRIAGE
        QSKIP("built without cmark");
#else
        const QString folder = m_fixture->path(QStringLiteral("answers"));
        QVERIFY(QDir().mkpath(folder));
        write(folder + QStringLiteral("/a_good.ptx"), kernel("4"));
        write(folder + QStringLiteral("/b_bad.ptx"), kernel("4").replace("st.global", "st.globl"));
        write(folder + QStringLiteral("/c_message.md"),
            "Here it is.\n\n```ptx\n" + kernel("4").replace("mov.u32", "mvo.u32") + "```\n");
        m_fixture->prompts().openPath = folder;
        m_window->actions().triage->trigger();
        QVERIFY(waitUntilIdle(*m_window));
        TriagePane* pane = m_window->panes().triage;
        const auto& rows = pane->model()->rows();
        QCOMPARE(rows.size(), std::size_t{3});
        if (rows[0].result == records::TriageResult::NotCompiled) {
            QSKIP("no ptxas here");
        }
        QCOMPARE(rows[0].result, records::TriageResult::Compiles);
        QCOMPARE(rows[1].result, records::TriageResult::DoesNotCompile);
        PtxEditor* editor = m_window->panes().editor->editor();
        emit pane->rowActivated(records::TriageRow(rows[1]));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY2(m_window->files().document().path().endsWith(QLatin1String("b_bad.ptx")),
            qPrintable(m_window->stateText()));
        QVERIFY2(editor->text(editor->currentLine() - 1).contains(QLatin1String("st.globl")),
            qPrintable(QString::number(editor->currentLine())));
        emit pane->rowActivated(records::TriageRow(rows[2]));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->files().document().isUntitled());
        QVERIFY2(editor->text(editor->currentLine() - 1).contains(QLatin1String("mvo.u32")),
            qPrintable(QString::number(editor->currentLine())));
        // An answer that is no longer there is said, and nothing is opened.
        QVERIFY(QFile::remove(folder + QStringLiteral("/b_bad.ptx")));
        emit pane->rowActivated(records::TriageRow(rows[1]));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->files().document().isUntitled());
        QVERIFY(m_window->stateText().contains(QLatin1String("no longer")));
#endif
    }

private:
    std::unique_ptr<WindowFixture> m_fixture;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestRuns)
#include "tst_runs.moc"
