// SPDX-License-Identifier: Apache-2.0
#include "app/result_display.h"

#include "app/evaluation_controller.h"
#include "app/file_controller.h"
#include "app/panes.h"
#include "app/task_chooser.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/plots/speedup_pane.h"
#include "widgets/results/ledger_words.h"
#include "widgets/results/phases_view.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/task_details.h"
#include "widgets/results/verdict_banner.h"
#include "widgets/results/verdict_words.h"

#include <QDockWidget>
#include <QTabWidget>

#include <algorithm>
#include <iterator>

namespace ptxwb {

ResultDisplay::ResultDisplay(Panes& panes, EvaluationController& evaluations, TaskChooser& tasks,
    FileController& files, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
    , m_evaluations(evaluations)
    , m_tasks(tasks)
    , m_files(files)
{
    PhasesView* phases = m_panes.results->phases();
    VerdictBanner* banner = m_panes.results->banner();
    connect(&m_evaluations, &EvaluationController::started, this, [this, phases] {
        m_panes.resultsDock->show();
        m_panes.resultsDock->raise();
        phases->startRun();
        refresh();
        emit stateChanged(tr("Evaluating…"));
    });
    connect(&m_evaluations, &EvaluationController::progressed, this,
        [phases](const EvaluationProgress& progress) {
            if (progress.ended) {
                phases->endPhase(*progress.ended);
            } else {
                phases->setProgress(
                    progress.phase, progress.fraction, LedgerWords::translated(progress.message));
            }
        });
    connect(&m_evaluations, &EvaluationController::finished, this, [this, phases] {
        phases->stopRun();
        forgetChoice();
    });
    connect(&m_evaluations, &EvaluationController::cancelled, this, [this, phases, banner] {
        phases->stopRun();
        refresh();
        banner->showMessage(
            Tone::Neutral, tr("Cancelled"), tr("The evaluation was stopped; nothing is claimed."));
        emit stateChanged(tr("Evaluation stopped"));
    });
    connect(&m_evaluations, &EvaluationController::failed, this, [this, phases, banner](const Error& error) {
        phases->stopRun();
        const QString text = QString::fromStdString(describe(error));
        banner->showMessage(Tone::Caution, tr("Not evaluated"), text);
        emit stateChanged(tr("Not evaluated: %1").arg(text));
    });
    connect(&m_evaluations, &EvaluationController::runsChanged, this, &ResultDisplay::refresh);
    connect(m_panes.results, &ResultsPane::runChosen, this, [this] {
        const RunEntry* run = m_panes.results->shownRun();
        m_chosen = run != nullptr ? run->evaluation : nullptr;
    });
    connect(m_panes.results, &ResultsPane::lineActivated, this, [this](int line) {
        m_panes.centre->setCurrentIndex(0);
        m_panes.editor->editor()->goTo(line);
        m_panes.editor->editor()->setFocus();
    });
    connect(&m_tasks, &TaskChooser::taskChanged, this, [this] {
        forgetChoice();
        if (const Task* task = m_tasks.task()) {
            m_evaluations.loadRecorded(*task);
        } else {
            m_evaluations.loadRecorded({});
        }
        showTask();
    });
    connect(&m_tasks, &TaskChooser::taskPicked, this, [this] {
        m_taskPicked = true;
        refresh();
    });
    connect(&m_tasks, &TaskChooser::workloadChanged, this, [this] {
        showTask();
        refresh();
    });
    connect(&m_evaluations, &EvaluationController::finished, this, [this] {
        const std::vector<RunEntry> runs = m_evaluations.runs();
        if (!runs.empty()) {
            emit stateChanged(tr("Evaluated: %1").arg(VerdictWords::word(runs.front().evaluation->verdict)));
        }
    });
    showTask();
    refresh();
}

void ResultDisplay::choose(std::shared_ptr<const Evaluation> evaluation)
{
    m_chosen = std::move(evaluation);
    refresh();
}

void ResultDisplay::setGpuProblem(const QString& problem)
{
    m_gpuProblem = problem;
    refresh();
}

void ResultDisplay::setTasksProblem(const QString& problem)
{
    m_tasksProblem = problem;
    showTask();
    refresh();
}

void ResultDisplay::showTask()
{
    if (const Task* task = m_tasks.task()) {
        m_panes.task->showTask(*task, m_tasks.workload());
    } else {
        m_panes.task->showReason(!m_tasksProblem.isEmpty()
                ? m_tasksProblem
                : tr("No task is chosen. Choose one in the tool bar: it says what the kernel must compute, "
                     "how exact it "
                     "must be and which instructions it is asked to use."));
    }
}

QString ResultDisplay::whyNoResult() const
{
    if (m_tasks.task() == nullptr) {
        return tr("Choose a task in the tool bar, then F5 evaluates the kernel. A kernel whose launch plan "
                  "declares its own tensors runs without a task: Ctrl+F5.");
    }
    return tr("F5 evaluates the kernel on the chosen workload.");
}

QString ResultDisplay::whyNoPlot() const
{
    if (m_tasks.task() == nullptr) {
        return tr("No measured speed-up: no task is chosen. Choose one in the tool bar; its recorded runs "
                  "are then shown "
                  "here.");
    }
    const QString here = m_gpuProblem.isEmpty()
        ? tr("F5 times the kernel against the library.")
        : tr("This machine cannot time a kernel (%1).").arg(m_gpuProblem);
    return tr("No measured speed-up yet for this task. %1 Recorded runs of the task appear here when there "
              "are any.")
        .arg(here);
}

void ResultDisplay::refresh()
{
    const Document& document = m_files.document();
    m_evaluations.setCurrentText(
        m_files.sha256(), (document.isUntitled() ? document.displayName() : document.path()).toStdString());
    const std::vector<RunEntry> runs = m_evaluations.runs();
    m_panes.results->setReason(whyNoResult());
    const Workload* workload = m_tasks.workload();
    int shown = m_evaluations.preferredRun(
        m_files.document().displayName(), workload != nullptr ? workload->uuid : std::string());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        shown = runs[i].evaluation == m_chosen ? static_cast<int>(i) : shown;
    }
    m_panes.results->setRuns(runs, shown);
    if (m_evaluations.isRunning()) {
        // What an earlier run gave stays below; the headline is about the one that runs.
        m_panes.results->banner()->showMessage(Tone::Neutral, tr("Evaluating"), tr("Esc stops it."));
    }
    showSpeedups(runs);
}

bool ResultDisplay::concerns(const Task& task, const std::vector<RunEntry>& runs) const
{
    if (m_taskPicked || m_panes.editor->editor()->length() == 0
        || m_tasks.taskOfFile(m_files.document().path()) == &task) {
        return true;
    }
    return std::any_of(runs.begin(), runs.end(),
        [](const RunEntry& run) { return run.sameText || run.origin == RunOrigin::EarlierText; });
}

void ResultDisplay::showSpeedups(const std::vector<RunEntry>& runs)
{
    const Workload* workload = m_tasks.workload();
    m_panes.speedupDock->setWindowTitle(workload == nullptr
            ? tr("Speed-up")
            : tr("Speed-up (%1)").arg(QString::fromStdString(workload->name())));
    const Task* task = m_tasks.task();
    if (task != nullptr && !concerns(*task, runs)) {
        m_panes.speedup->setRuns({},
            tr("%1 has not been evaluated against %2, so the speed-ups of that task are not shown beside it. "
               "F5 "
               "evaluates it; choosing the task in the tool bar shows the recorded runs.")
                .arg(m_files.document().displayName(), QString::fromStdString(task->name)));
        return;
    }
    std::vector<RunEntry> ofWorkload;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(ofWorkload), [workload](const RunEntry& run) {
        return workload == nullptr || run.evaluation->workload.uuid == workload->uuid;
    });
    const std::size_t elsewhere = speedupSeries(runs).bars.size() - speedupSeries(ofWorkload).bars.size();
    QString reason = whyNoPlot();
    if (elsewhere > 0) {
        reason += QLatin1Char(' ') + tr("Other workloads of the task have some: choose one in the tool bar.");
    }
    m_panes.speedup->setRuns(ofWorkload, reason);
}

} // namespace ptxwb
