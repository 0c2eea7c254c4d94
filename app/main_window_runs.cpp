// SPDX-License-Identifier: Apache-2.0
// The window's side of running a kernel by its own plan, and of triage.
#include "app/debug_controller.h"
#include "app/file_controller.h"
#include "app/main_window.h"
#include "app/prompts.h"
#include "app/run_controller.h"
#include "widgets/debugger/debugger_pane.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/notice_bar.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/results/results_pane.h"
#include "widgets/run/run_pane.h"

#ifdef PTXWB_HAVE_TRIAGE
#include "app/triage_controller.h"
#endif
#ifdef PTXWB_HAVE_HISTORY
#include "app/history_controller.h"
#endif

#include <QDockWidget>
#include <QFileInfo>
#include <QTimer>

namespace ptxwb {

void MainWindow::connectRuns()
{
    connect(m_actions.run, &QAction::triggered, m_runs, &RunController::run);
    connect(m_runs, &RunController::stateChanged, this, &MainWindow::showState);
    connect(m_runs, &RunController::runningChanged, this, &MainWindow::updateBusy);
    connect(m_textSettled, &QTimer::timeout, this, [this] { m_runs->textChanged(false); });
#ifdef PTXWB_HAVE_TRIAGE
    m_triage = new TriageController(m_panes, *m_files, this);
    connect(m_triage, &TriageController::stateChanged, this, &MainWindow::showState);
    connect(m_triage, &TriageController::runningChanged, this, &MainWindow::updateBusy);
    const auto choose = [this] {
        const QString path = m_prompts->folderToOpen(
            tr("A folder of answers"), QFileInfo(m_files->document().path()).absolutePath());
        if (!path.isEmpty()) {
            startTriage(path);
        }
    };
    connect(m_triage, &TriageController::folderRequested, this, choose);
    connect(m_actions.triage, &QAction::triggered, this, choose);
#endif
#ifdef PTXWB_HAVE_HISTORY
    m_history = new HistoryController(m_panes, *m_evaluations, *m_resultDisplay, *m_tasks, *m_files, this);
    connect(m_history, &HistoryController::stateChanged, this, &MainWindow::showState);
    connect(m_history, &HistoryController::runningChanged, this, &MainWindow::updateBusy);
#endif
}

void MainWindow::askForCondition()
{
    PtxEditor* editor = m_panes.editor->editor();
    const int line = editor->currentLine();
    QString text = editor->breakpointCondition(line);
    QString problem;
    for (;;) {
        const auto answer = m_prompts->text(tr("Breakpoint at line %1").arg(line),
            problem + tr("Stops when a lane has, for example, %r5 == 3 (empty: always)"), text);
        if (!answer) {
            return;
        }
        text = answer->simplified();
        if (text.isEmpty()) {
            break;
        }
        const auto condition = emulator::parseBreakCondition(text.toStdString());
        if (condition) {
            text = QString::fromStdString(emulator::conditionText(*condition));
            break;
        }
        problem = tr("Not understood: a register, one of == != < <= > >=, and a whole number are needed.")
            + QLatin1Char('\n');
    }
    editor->setBreakpointCondition(line, text);
}

void MainWindow::connectDebugger()
{
    const std::pair<QAction*, void (DebugController::*)()> commands[] = {
        {m_actions.debugStart, &DebugController::start}, {m_actions.debugContinue, &DebugController::resume},
        {m_actions.debugStep, &DebugController::step}, {m_actions.debugBack, &DebugController::back},
        {m_actions.debugNextWarp, &DebugController::nextWarp},
        {m_actions.debugToCaret, &DebugController::runToCaret}, {m_actions.debugEnd, &DebugController::end}};
    for (const auto& [action, command] : commands) {
        connect(action, &QAction::triggered, m_debug, command);
    }
    m_panes.debugger->setActions(m_actions.debugger());
    PtxEditor* editor = m_panes.editor->editor();
    connect(m_actions.breakpoint, &QAction::triggered, editor,
        [editor] { editor->toggleBreakpoint(editor->currentLine()); });
    connect(m_actions.breakpointCondition, &QAction::triggered, this, &MainWindow::askForCondition);
    connect(m_debug, &DebugController::stateChanged, this, &MainWindow::showState);
    connect(m_debug, &DebugController::runningChanged, this, &MainWindow::updateBusy);
    connect(m_textSettled, &QTimer::timeout, this, [this] { m_debug->textChanged(false); });
    // A report opens at its step, with the tensors of the run that gave it.
    connect(m_panes.run, &RunPane::debugRequested, this, [this](const emulator::Report& report) {
        if (m_runs->isOfThisText()) {
            m_debug->openReport(report, m_runs->seed());
        }
    });
    connect(m_panes.results, &ResultsPane::debugRequested, this, [this](const emulator::Report& report) {
        if (const RunEntry* run = m_panes.results->shownRun(); run != nullptr && run->sameText) {
            m_debug->openReport(report, run->evaluation->seed, run->evaluation->workload.uuid);
        } else {
            showState(
                tr("The report is of another text than the one in the editor: evaluate it again (F5)."));
        }
    });
}

void MainWindow::startTriage(const QString& path)
{
#ifdef PTXWB_HAVE_TRIAGE
    m_panes.triageDock->show();
    m_panes.triageDock->raise();
    m_triage->setCompiler(m_environment.compiler);
    m_triage->start(path);
#else
    refuse(tr("This program was built without cmark, by which answers are taken apart: %1 was not looked "
              "through.")
               .arg(path));
#endif
}

bool MainWindow::runsAreIdle() const
{
#ifdef PTXWB_HAVE_TRIAGE
    if (m_triage->isRunning()) {
        return false;
    }
#endif
#ifdef PTXWB_HAVE_HISTORY
    if (m_history->isRunning()) {
        return false;
    }
#endif
    return !m_runs->isRunning() && !m_debug->isRunning();
}

void MainWindow::endRuns()
{
    m_runs->disconnect();
    delete m_runs;
    m_debug->interrupt();
    m_debug->disconnect();
    delete m_debug;
#ifdef PTXWB_HAVE_TRIAGE
    m_triage->disconnect();
    delete m_triage;
#endif
#ifdef PTXWB_HAVE_HISTORY
    m_history->disconnect();
    delete m_history;
#endif
}

void MainWindow::cancelRuns()
{
    m_runs->cancel();
    m_debug->interrupt();
#ifdef PTXWB_HAVE_TRIAGE
    m_triage->cancel();
#endif
}

} // namespace ptxwb
