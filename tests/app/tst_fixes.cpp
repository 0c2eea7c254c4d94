// SPDX-License-Identifier: Apache-2.0
// Fixes of problems, applied in the window.
#include "window_fixture.h"

#include "app/build_controller.h"
#include "app/file_controller.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"

#include <QFile>
#include <QMenu>
#include <QPushButton>

using namespace ptxwb;

namespace {

const char* const misspelt = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                             ".visible .entry k(.param .u64 p)\n{\n"
                             "    .reg .b64 %rd<3>;\n    .reg .b32 %r<3>;\n"
                             "    ld.parm.u64 %rd1, [p];\n"
                             "    mov.u32 %r1, %tid.x;\n"
                             "    st.globl.u32 [%rd1], %r1;\n    ret;\n}\n";

WindowOptions freshOptions()
{
    WindowOptions options;
    options.fresh = true;
    return options;
}

QMenu* fixMenu(MainWindow& window)
{
    window.actions().fixProblem->trigger();
    return window.findChild<QMenu*>(QStringLiteral("fixMenu"));
}

} // namespace

class TestFixes : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_fixture = std::make_unique<WindowFixture>();
        m_window = m_fixture->open(freshOptions());
    }
    void init() { m_window->actions().liveCompile->setChecked(true); }
    void cleanupTestCase()
    {
        m_window.reset();
        m_fixture.reset();
    }

    void aFixIsOneUndoStepAndTheTextIsCompiledAgain()
    {
        if (!load(misspelt)) {
            QSKIP("no ptxas here");
        }
        PtxEditor* editor = m_window->panes().editor->editor();
        ProblemsView* problems = m_window->panes().problems;
        QVERIFY2(problems->model()->fixableCount() > 0, qPrintable(problems->rowsAsText()));
        const QByteArray before = editor->utf8();
        editor->goTo(8);
        QMenu* menu = fixMenu(*m_window);
        QVERIFY(menu != nullptr);
        menu->actions().constFirst()->trigger();
        menu->close();
        QTRY_VERIFY(m_window->findChild<QMenu*>(QStringLiteral("fixMenu")) == nullptr);
        QVERIFY2(editor->utf8().contains("ld.param.u64"), editor->utf8().constData());
        QVERIFY(editor->utf8().contains("st.globl"));
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->builds().current()->sourceSha256, m_window->files().sha256());
        editor->undo();
        QCOMPARE(editor->utf8(), before);
    }

    void theButtonOfAFixLeavesTheKeyboardInProblems()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        if (!load(misspelt)) {
            QSKIP("no ptxas here");
        }
        ProblemsView* problems = m_window->panes().problems;
        QTRY_VERIFY(problems->isVisible());
        auto* button = problems->findChild<QPushButton*>(QStringLiteral("applyFix1"));
        QVERIFY(button != nullptr);
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        QVERIFY2(
            m_window->panes().editor->editor()->utf8() != QByteArray(misspelt), "applied by the keyboard");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(problems->isAncestorOf(QApplication::focusWidget()));
    }

    void allFixesAreOneStep()
    {
        if (!load(misspelt)) {
            QSKIP("no ptxas here");
        }
        PtxEditor* editor = m_window->panes().editor->editor();
        // One error at a time may be all that the assembler says: again until nothing is left.
        m_window->panes().problems->findChild<QPushButton*>(QStringLiteral("applyAllFixes"))->click();
        QVERIFY(waitUntilIdle(*m_window));
        m_window->actions().fixAll->trigger();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY2(
            m_window->builds().current()->compile.ok, qPrintable(m_window->panes().problems->rowsAsText()));
        QVERIFY(editor->utf8().contains("st.global.u32"));
        while (editor->isUndoAvailable()) {
            editor->undo();
        }
        QCOMPARE(editor->utf8(), QByteArray(misspelt));
    }

    void aFixOfAnEarlierTextIsNeverApplied()
    {
        if (!load(misspelt)) {
            QSKIP("no ptxas here");
        }
        m_window->actions().liveCompile->setChecked(false);
        PtxEditor* editor = m_window->panes().editor->editor();
        editor->goTo(8);
        editor->insertAt(QStringLiteral("// a line more\n"), 0, 0);
        const QByteArray changed = editor->utf8();
        auto* button = m_window->panes().problems->findChild<QPushButton*>(QStringLiteral("applyFix1"));
        QVERIFY(button != nullptr && !button->isEnabled());
        QVERIFY(fixMenu(*m_window) == nullptr);
        QVERIFY2(
            m_window->stateText().contains(QLatin1String("earlier text")), qPrintable(m_window->stateText()));
        m_window->actions().fixAll->trigger();
        emit m_window->panes().problems->fixRequested(
            m_window->panes().problems->model()->problems().front().cause.fixes.front());
        QCOMPARE(editor->utf8(), changed);
    }

    void aByteOrderMarkThatPtxasRefusesIsTakenAway()
    {
        QFile file(m_fixture->path(QStringLiteral("marked.ptx")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\xEF\xBB\xBF");
        file.write(misspelt);
        file.close();
        m_fixture->prompts().saveChoice = Prompts::SaveChoice::Discard;
        QVERIFY(m_window->files().open(file.fileName()));
        if (!waitUntilIdle(*m_window) || m_window->builds().current()->failure) {
            QSKIP("no ptxas here");
        }
        QCOMPARE(m_window->files().fileBytes().substr(0, 3), std::string("\xEF\xBB\xBF"));
        for (int round = 0; round < 3 && !m_window->builds().current()->compile.ok; ++round) {
            m_window->actions().fixAll->trigger();
            QVERIFY(waitUntilIdle(*m_window));
        }
        QVERIFY2(
            m_window->builds().current()->compile.ok, qPrintable(m_window->panes().problems->rowsAsText()));
        QVERIFY(m_window->panes().editor->editor()->utf8().startsWith(".version 8.0\n"));
        QCOMPARE(m_window->files().fileBytes().substr(0, 4), std::string(".ver"));
    }

    void aLineWithoutAFixSaysSo()
    {
        if (!load(misspelt)) {
            QSKIP("no ptxas here");
        }
        m_window->panes().editor->editor()->goTo(1);
        QVERIFY(fixMenu(*m_window) == nullptr);
        QVERIFY2(m_window->stateText().contains(QLatin1String("No fix")), qPrintable(m_window->stateText()));
    }

private:
    bool load(const char* text)
    {
        m_window->files().setUntitledText(text);
        m_window->panes().editor->editor()->setFocus();
        return waitUntilIdle(*m_window) && m_window->builds().current()
            && !m_window->builds().current()->failure;
    }

    std::unique_ptr<WindowFixture> m_fixture;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestFixes)
#include "tst_fixes.moc"
