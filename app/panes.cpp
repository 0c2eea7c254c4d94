// SPDX-License-Identifier: Apache-2.0
#include "app/panes.h"

#include "app/main_window.h"
#include "app/theme.h"
#include "widgets/diff/diff_view.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/plots/speedup_pane.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/task_details.h"
#include "widgets/sass/sass_view.h"

#ifdef PTXWB_HAVE_CHAT
#include "widgets/chat/chat_pane.h"
#endif

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

Panes::Panes(QMainWindow& window)
    : centre(new QTabWidget(&window))
    , editor(new EditorPane)
    , diff(new DiffView)
    , sass(new SassView)
    , problems(new ProblemsView)
    , results(new ResultsPane)
    , speedup(new SpeedupPane)
    , task(new TaskDetails)
{
    centre->setDocumentMode(true);
    centre->addTab(editor, MainWindow::tr("Editor"));
    centre->addTab(diff, MainWindow::tr("Compare"));
    window.setCentralWidget(centre);
    window.setDockOptions(
        QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks | QMainWindow::AllowNestedDocks);
    window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    window.setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    window.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    sassDock = addDock(window, "sassDock", MainWindow::tr("SASS"), sass);
    problemsDock = addDock(window, "problemsDock", MainWindow::tr("Problems"), problems);
    resultsDock = addDock(window, "resultsDock", MainWindow::tr("Results"), results);
    speedupDock = addDock(window, "speedupDock", MainWindow::tr("Speed-up"), speedup);
    taskDock = addDock(window, "taskDock", MainWindow::tr("Task"), task);
#ifdef PTXWB_HAVE_CHAT
    chat = new ChatPane;
    chatDock = addDock(window, "chatDock", MainWindow::tr("Chat"), chat);
#endif
}

void Panes::setTheme(const Theme& theme)
{
    editor->editor()->setColours(theme.editor);
    results->setColours(theme.status);
    speedup->setColours(theme.chart);
}

} // namespace ptxwb
