// SPDX-License-Identifier: Apache-2.0
// A kernel stepped in the window: forwards, backwards, to a line, to a breakpoint, from a deadlock to its
// cause.
#include "window_fixture.h"

#include "app/debug_controller.h"
#include "app/file_controller.h"
#include "app/run_controller.h"
#include "widgets/debugger/debug_table_model.h"
#include "widgets/debugger/debugger_pane.h"
#include "widgets/debugger/timeline_pane.h"
#include "widgets/debugger/timeline_view.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/results/findings_model.h"
#include "widgets/run/run_pane.h"

#include <QFile>
#include <QTemporaryDir>

using namespace ptxwb;
using emulator::StopCause;

namespace {

/// Warp 0 waits on an mbarrier made for two arrivals, of which warp 1 gives one.
const char* const hanging = "/* @launch { \"axes\": {\"n\": 64}, \"tensors\": {\"Y\": {\"dtype\":\"int32\", "
                            "\"shape\":[\"n\"], \"init\":\"zero\", \"role\":\"output\"}},\n"
                            "   \"launches\": [ {\"kernel\":\"k\", \"grid\":[1,1,1], \"block\":[64,1,1], "
                            "\"args\":[{\"tensor\":\"Y\"}]} ] } */\n"
                            ".version 8.0\n.target sm_90a\n.address_size 64\n"
                            ".shared .align 8 .b64 bar;\n"
                            ".visible .entry k(.param .u64 p)\n{\n"
                            "    .reg .b64 %rd<4>;\n    .reg .b32 %r<4>;\n    .reg .pred %p<4>;\n"
                            "    mov.u32 %r1, %tid.x;\n"
                            "    mov.u32 %r2, bar;\n"
                            "    setp.ne.u32 %p1, %r1, 0;\n"
                            "    @%p1 bra MADE;\n"
                            "    mbarrier.init.shared.b64 [%r2], 2;\n" // line 16
                            "MADE:\n    bar.sync 0;\n"
                            "    setp.eq.u32 %p2, %r1, 32;\n"
                            "    @%p2 mbarrier.arrive.shared.b64 %rd2, [%r2];\n" // line 20
                            "    setp.ge.u32 %p3, %r1, 32;\n"
                            "    @%p3 bra DONE;\n"
                            "WAIT:\n"
                            "    mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;\n" // line 24
                            "    @!%p1 bra WAIT;\n"
                            "DONE:\n    ret;\n}\n";

constexpr int initLine = 16;
constexpr int arriveLine = 20;

} // namespace

class TestDebugger : public QObject {
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
    void init()
    {
        m_window->files().setUntitledText(hanging);
        QVERIFY(waitUntilIdle(*m_window));
    }
    void cleanupTestCase()
    {
        m_window.reset();
        m_fixture.reset();
    }

    void itStepsForwardsAndBackwards()
    {
        trigger(m_window->actions().debugStart);
        QVERIFY2(pane().placeholder().isEmpty(), qPrintable(pane().placeholder()));
        QCOMPARE(now().stop.cause, StopCause::Start);
        const int first = now().line;
        QVERIFY(editor().text(first - 1).contains(QLatin1String("mov.u32 %r1")));
        QVERIFY(marked(first, PtxEditor::executionMarker));
        trigger(m_window->actions().debugStep);
        QCOMPARE(now().line, first + 1);
        QVERIFY(!marked(first, PtxEditor::executionMarker));
        QVERIFY(marked(first + 1, PtxEditor::executionMarker));
        const auto round = now().round;
        trigger(m_window->actions().debugStep);
        trigger(m_window->actions().debugBack);
        QCOMPARE(now().round, round);
        QCOMPARE(now().line, first + 1);
        editor().goTo(initLine);
        trigger(m_window->actions().debugToCaret);
        QCOMPARE(now().line, initLine);
        trigger(m_window->actions().debugEnd);
        QVERIFY(!m_window->debugger().isOpen());
        QVERIFY(!pane().placeholder().isEmpty());
        QVERIFY(!marked(initLine, PtxEditor::executionMarker));
    }

    void aBreakpointInTheMarginStopsIt()
    {
        editor().goTo(arriveLine);
        m_window->actions().breakpoint->trigger();
        QCOMPARE(editor().breakpoints(), std::vector<int>{arriveLine});
        trigger(m_window->actions().debugStart);
        trigger(m_window->actions().debugContinue);
        QCOMPARE(now().stop.cause, StopCause::Breakpoint);
        QCOMPARE(now().line, arriveLine);
        // Taken away while it stands there: it does not stop again.
        m_window->actions().breakpoint->trigger();
        QVERIFY(waitUntilIdle(*m_window));
        trigger(m_window->actions().debugStart);
        trigger(m_window->actions().debugContinue);
        QVERIFY(now().stop.cause != StopCause::Breakpoint);
    }

    void aConditionHoldsABreakpointBack()
    {
        editor().goTo(arriveLine);
        m_fixture->prompts().answer = QStringLiteral("%r1==40");
        m_window->actions().breakpointCondition->trigger();
        QCOMPARE(editor().breakpointCondition(arriveLine), QStringLiteral("%r1 == 40"));
        QVERIFY(marked(arriveLine, PtxEditor::conditionMarker));
        trigger(m_window->actions().debugStart);
        trigger(m_window->actions().debugContinue);
        QCOMPARE(now().stop.cause, StopCause::Breakpoint);
        QVERIFY(now().stop.detail.find("%r1 is 40 in lane 8") != std::string::npos);
        // One that no lane meets does not stop; a register that is not there is said.
        m_fixture->prompts().answer = QStringLiteral("%r1 > 4000");
        m_window->actions().breakpointCondition->trigger();
        QCOMPARE(m_fixture->prompts().textBefore, QStringLiteral("%r1 == 40"));
        trigger(m_window->actions().debugStart);
        trigger(m_window->actions().debugContinue);
        QVERIFY(now().stop.cause != StopCause::Breakpoint);
        m_fixture->prompts().answer = QStringLiteral("%nothing == 1");
        m_window->actions().breakpointCondition->trigger();
        trigger(m_window->actions().debugStart);
        trigger(m_window->actions().debugContinue);
        QVERIFY2(now().note.find("%nothing is no register") != std::string::npos, now().note.c_str());
        // It goes with its line, and is gone with its breakpoint.
        editor().insertAt(QStringLiteral("// one more\n"), 0, 0);
        QCOMPARE(editor().breakpoints(), std::vector<int>{arriveLine + 1});
        QCOMPARE(editor().breakpointCondition(arriveLine + 1), QStringLiteral("%nothing == 1"));
        editor().toggleBreakpoint(arriveLine + 1);
        editor().toggleBreakpoint(arriveLine + 1);
        QVERIFY(editor().breakpointCondition(arriveLine + 1).isEmpty());
        QVERIFY(!marked(arriveLine + 1, PtxEditor::conditionMarker));
    }

    void theTimelineLeadsToAnyRound()
    {
        trigger(m_window->actions().debugStart);
        trigger(m_window->actions().debugStep);
        const auto stood = now().round;
        TimelinePane* timeline = pane().timeline();
        QVERIFY(timeline->view()->lanes().empty());
        emit timeline->recordingRequested(true);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(now().round, stood);
        QVERIFY(timeline->timeline().isWhole);
        QCOMPARE(now().stop.cause, StopCause::Step); // as before the recording
        QCOMPARE(timeline->view()->lanes().size(), std::size_t{3}); // two warps and a barrier
        const auto& first = timeline->view()->lanes().front().bars;
        QVERIFY(!first.empty());
        emit timeline->roundActivated(first.back().begin - 1);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(now().round, first.back().begin - 1);
        // Saved, the trace holds the wait; nothing is saved where nothing can be.
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("trace.json"));
        m_window->debugger().saveTrace(path);
        QVERIFY(waitUntilIdle(*m_window));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("waits at line"));
        // A new session has no timeline.
        trigger(m_window->actions().debugStart);
        QVERIFY(timeline->view()->lanes().empty());
    }

    void fromADeadlockBackToItsCause()
    {
        trigger(m_window->actions().debugStart);
        trigger(m_window->actions().debugContinue);
        QVERIFY2(now().stop.cause == StopCause::Deadlock || now().stop.cause == StopCause::Report,
            qPrintable(pane().stateText()));
        QVERIFY(!now().barriers.empty());
        QCOMPARE(now().barriers.front().pending, 1U);
        emit pane().barrierActivated(emulator::BarrierView(now().barriers.front()));
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(now().line, arriveLine); // the only arrival
        emit pane().barrierActivated(emulator::BarrierView(now().barriers.front()));
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(now().line, initLine); // where it was made, for two
    }

    void aWatchStopsWhereItsPlaceChanges()
    {
        trigger(m_window->actions().debugStart);
        emit pane().watchRequested(QStringLiteral("bar"));
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(pane().watches()->rowCount(), 1);
        trigger(m_window->actions().debugContinue);
        QCOMPARE(now().stop.cause, StopCause::Watch);
        emit pane().backRequested(QStringLiteral("bar"));
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(now().line, initLine);
        emit pane().backRequested(QStringLiteral("nowhere"));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY2(pane().stateText().contains(QLatin1String("nowhere")), qPrintable(pane().stateText()));
        emit pane().unwatchRequested(now().watches.front().number);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(pane().watches()->rowCount(), 0);
    }

    void memoryIsReadAtEveryStop()
    {
        trigger(m_window->actions().debugStart);
        emit pane().memoryQueryChanged({.place = "Y[60]", .dtype = {}});
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(now().memory.bytes.size(), std::size_t{4 * 4}); // four elements to its end
        QCOMPARE(now().memory.dtype, Dtype::Int32);
        emit pane().memoryQueryChanged({.place = "bar", .dtype = Dtype::Uint8});
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY2(!now().memory.bytes.empty(), now().memory.problem.c_str());
        emit pane().memoryQueryChanged(
            {.place = "Y", .dtype = {}, .matrix = emulator::MatrixQuery{.rows = 8, .columns = 8}});
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY2(now().memory.isMatrix, now().memory.problem.c_str());
        QCOMPARE(now().memory.bytes.size(), std::size_t{8 * 8 * 4});
        QCOMPARE(now().memory.columns, 8U);
        emit pane().memoryQueryChanged({.place = "nowhere", .dtype = {}});
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!now().memory.problem.empty());
        emit pane().memoryQueryChanged({});
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(now().memory.problem.empty());
    }

    void aReportOfARunOpensAtItsStep()
    {
        trigger(m_window->actions().run);
        const FindingsModel* findings = m_window->panes().run->findings();
        QVERIFY2(findings->rowCount() > 0, qPrintable(m_window->panes().run->placeholder()));
        emit m_window->panes().run->debugRequested(emulator::Report(*findings->report(0)));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY2(pane().placeholder().isEmpty(), qPrintable(pane().placeholder()));
        QVERIFY(now().round > 0);
        QVERIFY(!now().barriers.empty());
    }

    void aTextThatHasChangedIsSaid()
    {
        trigger(m_window->actions().debugStart);
        const int line = now().line;
        editor().insertAt(QStringLiteral("// more\n"), 0, 0);
        QVERIFY(waitUntilIdle(*m_window));
        QTRY_VERIFY2(
            pane().stateText().contains(QLatin1String("earlier text")), qPrintable(pane().stateText()));
        QVERIFY(!marked(line, PtxEditor::executionMarker) && !marked(line + 1, PtxEditor::executionMarker));
        trigger(m_window->actions().debugStart);
        QCOMPARE(now().line, line + 1);
    }

    void anEndlessRunIsInterruptedAndTheSessionStays()
    {
        editor().replaceAllText(QByteArray(hanging).replace("@!%p1 bra WAIT", "bra WAIT"));
        QVERIFY(waitUntilIdle(*m_window));
        trigger(m_window->actions().debugStart);
        m_window->actions().debugContinue->trigger();
        QVERIFY(m_window->debugger().isRunning());
        m_window->debugger().interrupt();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->debugger().isOpen());
        QVERIFY(pane().placeholder().isEmpty());
    }

    void aKernelWithoutTensorsSaysWhatIsMissing()
    {
        const QByteArray text(hanging);
        editor().replaceAllText(text.mid(text.indexOf(".version")));
        QVERIFY(waitUntilIdle(*m_window));
        trigger(m_window->actions().debugStart);
        QVERIFY(!m_window->debugger().isOpen());
        QVERIFY(!pane().placeholder().isEmpty());
    }

private:
    void trigger(QAction* action)
    {
        action->trigger();
        QVERIFY(waitUntilIdle(*m_window));
    }
    DebuggerPane& pane() { return *m_window->panes().debugger; }
    const DebugSnapshot& now() { return *pane().shown(); }
    PtxEditor& editor() { return *m_window->panes().editor->editor(); }
    bool marked(int line, int marker) { return (editor().markersAtLine(line - 1) & (1U << marker)) != 0; }

    std::unique_ptr<WindowFixture> m_fixture;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestDebugger)
#include "tst_debugger.moc"
