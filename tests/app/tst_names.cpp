// SPDX-License-Identifier: Apache-2.0
// Names in the editor: declaration, uses, rename, completion.
#include "window_fixture.h"

#include "app/file_controller.h"
#include "widgets/editor/completion_list.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"

using namespace ptxwb;

namespace {

const char* const kernel = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p)\n{\n"
                           "    .reg .b64 %address;\n    .reg .b32 %r<3>;\n"
                           "    ld.param.u64 %address, [p];\n"
                           "    mov.u32 %r1, %tid.x;\n"
                           "    st.global.u32 [%address], %r1;\n    ret;\n}\n";

} // namespace

class TestNames : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_fixture = std::make_unique<WindowFixture>();
        WindowOptions options;
        options.fresh = true;
        m_window = m_fixture->open(options);
        QVERIFY(waitUntilIdle(*m_window));
        editor().loadText(kernel);
    }
    void cleanup()
    {
        m_window.reset();
        m_fixture.reset();
    }

    void renamesEverywhereInOneStep()
    {
        editor().goTo(10, 22);
        m_fixture->prompts().answer = QStringLiteral("  %out ");
        m_window->actions().rename->trigger();
        QCOMPARE(m_fixture->prompts().textBefore, QStringLiteral("%address"));
        QCOMPARE(editor().utf8(), QByteArray(kernel).replace("%address", "%out"));
        QVERIFY(m_window->stateText().contains(QLatin1String("%out")));
        editor().undo();
        QCOMPARE(editor().utf8(), QByteArray(kernel));
    }

    void aNameThatIsTakenIsRefusedAndSaid()
    {
        editor().goTo(10, 22);
        m_fixture->prompts().answer = QStringLiteral("%r2");
        m_window->actions().rename->trigger();
        QCOMPARE(editor().utf8(), QByteArray(kernel));
        QVERIFY2(m_window->stateText().contains(QLatin1String("%r2")), qPrintable(m_window->stateText()));
        editor().goTo(11, 6);
        m_fixture->prompts().textBefore.clear();
        m_window->actions().rename->trigger();
        QVERIFY2(m_fixture->prompts().textBefore.isEmpty(), "no question about what has no name");
        QVERIFY(m_window->stateText().contains(QLatin1String("declares")));
    }

    void keysLeadToDeclarationAndUses()
    {
        editor().goTo(10, 22);
        m_window->actions().declaration->trigger();
        QCOMPARE(editor().currentLine(), 6);
        m_window->actions().nextUse->trigger();
        QCOMPARE(editor().currentLine(), 8);
        m_window->actions().previousUse->trigger();
        QCOMPARE(editor().currentLine(), 6);
    }

    void completionWhileTypingIsASetting()
    {
        QVERIFY(m_window->actions().completeWhileTyping->isChecked());
        m_window->actions().completeWhileTyping->setChecked(false);
        QVERIFY(!editor().completion()->isWhileTyping());
        editor().goTo(11, 8);
        m_window->actions().complete->trigger();
        QVERIFY(m_window->stateText().contains(QLatin1String("go on")));
        WindowOptions options;
        options.fresh = true;
        m_window.reset();
        m_window = m_fixture->open(options);
        QVERIFY2(!m_window->actions().completeWhileTyping->isChecked(), "kept");
    }

private:
    PtxEditor& editor() { return *m_window->panes().editor->editor(); }

    std::unique_ptr<WindowFixture> m_fixture;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestNames)
#include "tst_names.moc"
