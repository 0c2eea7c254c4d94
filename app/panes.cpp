// SPDX-License-Identifier: Apache-2.0
#include "app/panes.h"

#include "app/main_window.h"
#include "app/theme.h"
#include "widgets/debugger/debugger_pane.h"
#include "widgets/diff/diff_view.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/plots/speedup_pane.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/task_details.h"
#include "widgets/run/run_pane.h"
#include "widgets/sass/sass_view.h"

#ifdef PTXWB_HAVE_CHAT
#include "widgets/chat/chat_pane.h"
#endif

#ifdef PTXWB_HAVE_HISTORY
#include "widgets/history/history_pane.h"
#endif

#ifdef PTXWB_HAVE_TRIAGE
#include "widgets/triage/triage_pane.h"
#endif

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QTabWidget>

namespace ptxwb {

namespace {

QDockWidget* addDock(QMainWindow& window, const char* name, const QString& title, QWidget* content)
{
    auto* dock = new QDockWidget(title, &window);
    dock->setObjectName(QLatin1String(name));
    dock->setWidget(content);
    window.addDockWidget(Qt::BottomDockWidgetArea, dock);
    return dock;
}

} // namespace

Panes::Panes(QMainWindow& host)
    : window(&host)
    , centre(new QTabWidget(&host))
    , editor(new EditorPane)
    , diff(new DiffView)
    , sass(new SassView)
    , problems(new ProblemsView)
    , results(new ResultsPane)
    , run(new RunPane)
    , debugger(new DebuggerPane)
    , speedup(new SpeedupPane)
    , task(new TaskDetails)
{
    centre->setDocumentMode(true);
    centre->addTab(editor, MainWindow::tr("Editor"));
    centre->addTab(diff, MainWindow::tr("Compare"));
    host.setCentralWidget(centre);
    host.setDockOptions(
        QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    host.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    host.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    host.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    sassDock = addDock(host, "sassDock", MainWindow::tr("SASS"), sass);
    problemsDock = addDock(host, "problemsDock", MainWindow::tr("Problems"), problems);
    resultsDock = addDock(host, "resultsDock", MainWindow::tr("Results"), results);
    runDock = addDock(host, "runDock", MainWindow::tr("Run"), run);
    debuggerDock = addDock(host, "debuggerDock", MainWindow::tr("Debugger"), debugger);
    speedupDock = addDock(host, "speedupDock", MainWindow::tr("Speed-up"), speedup);
    taskDock = addDock(host, "taskDock", MainWindow::tr("Task"), task);
#ifdef PTXWB_HAVE_CHAT
    chat = new ChatPane;
    chatDock = addDock(host, "chatDock", MainWindow::tr("Chat"), chat);
#endif
#ifdef PTXWB_HAVE_TRIAGE
    triage = new TriagePane;
    triageDock = addDock(host, "triageDock", MainWindow::tr("Triage"), triage);
#endif
#ifdef PTXWB_HAVE_HISTORY
    history = new HistoryPane;
    historyDock = addDock(host, "historyDock", MainWindow::tr("History"), history);
#endif
}

void Panes::setCodeFont(const QFont& font)
{
    editor->editor()->setEditorFont(font);
    sass->setCodeFont(font);
    diff->setCodeFont(font);
    problems->setCodeFont(font);
    debugger->setCodeFont(font);
}

QList<QDockWidget*> Panes::docks() const
{
    QList<QDockWidget*> all{sassDock, chatDock, problemsDock, resultsDock, taskDock, runDock, debuggerDock,
        triageDock, historyDock, speedupDock};
    all.removeAll(nullptr);
    return all;
}

bool Panes::isInFront(const QDockWidget* dock) const
{
    // The main window parks docks behind another tab outside of itself.
    return dock->isVisible() && (dock->isFloating() || window->rect().intersects(dock->geometry()));
}

QDockWidget* Panes::raiseQuietly(QDockWidget* dock) const
{
    if (dock->isHidden()) {
        return nullptr;
    }
    QDockWidget* front = nullptr;
    for (QDockWidget* other : window->tabifiedDockWidgets(dock)) {
        front = isInFront(other) ? other : front;
    }
    if (front != nullptr && front->isAncestorOf(QApplication::focusWidget())) {
        return nullptr;
    }
    dock->raise();
    return front;
}

void Panes::setTheme(const Theme& theme)
{
    editor->editor()->setColours(theme.editor);
    problems->setColours(theme.status);
    results->setColours(theme.status);
    run->setColours(theme.status);
    debugger->setColours(theme.status);
    speedup->setColours(theme.chart);
#ifdef PTXWB_HAVE_TRIAGE
    triage->setColours(theme.status);
#endif
#ifdef PTXWB_HAVE_HISTORY
    history->setColours(theme.status);
#endif
}

} // namespace ptxwb
