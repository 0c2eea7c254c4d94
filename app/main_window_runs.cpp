// SPDX-License-Identifier: Apache-2.0
// The window's side of running a kernel by its own plan, and of triage.
#include "app/file_controller.h"
#include "app/main_window.h"
#include "app/run_controller.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/notice_bar.h"

#ifdef PTXWB_HAVE_TRIAGE
#include "app/triage_controller.h"
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
    return !m_runs->isRunning();
}

void MainWindow::endRuns()
{
    m_runs->disconnect();
    delete m_runs;
#ifdef PTXWB_HAVE_TRIAGE
    m_triage->disconnect();
    delete m_triage;
#endif
}

void MainWindow::cancelRuns()
{
    m_runs->cancel();
#ifdef PTXWB_HAVE_TRIAGE
    m_triage->cancel();
#endif
}

} // namespace ptxwb
