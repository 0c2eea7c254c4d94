// SPDX-License-Identifier: Apache-2.0
#include "app/history_controller.h"

#include "app/evaluation_controller.h"
#include "app/file_controller.h"
#include "app/panes.h"
#include "app/result_display.h"
#include "app/task_chooser.h"
#include "core/records/kept_evaluations.h"
#include "widgets/history/history_pane.h"

#include <QDockWidget>
#include <QTabWidget>

namespace ptxwb {

using records::HistoryEntry;
using records::KeptEvaluation;

namespace {

constexpr int mostListed = 1000;

} // namespace

HistoryController::HistoryController(Panes& panes, EvaluationController& evaluations, ResultDisplay& results,
    TaskChooser& tasks, FileController& files, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
    , m_evaluations(evaluations)
    , m_results(results)
    , m_tasks(tasks)
    , m_files(files)
    , m_listJob(new BackgroundJob(this))
    , m_entryJob(new BackgroundJob(this))
    , m_file(records::historyFile())
{
    m_evaluations.setHistoryFile(m_file);
    for (BackgroundJob* job : {m_listJob, m_entryJob}) {
        connect(job, &BackgroundJob::started, this, &HistoryController::runningChanged);
        connect(job, &BackgroundJob::ended, this, &HistoryController::runningChanged);
    }
    connect(m_panes.historyDock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
        if (visible && !m_shown) {
            reload();
        }
    });
    connect(&m_evaluations, &EvaluationController::kept, this, [this] {
        if (m_shown) {
            reload();
        }
    });
    connect(&m_evaluations, &EvaluationController::notKept, this, [this](const Error& error) {
        emit stateChanged(
            tr("Evaluated, but not kept in the history: %1").arg(QString::fromStdString(describe(error))));
    });
    connect(m_panes.history, &HistoryPane::reloadRequested, this, &HistoryController::reload);
    connect(m_panes.history, &HistoryPane::resultRequested, this, &HistoryController::showResult);
    connect(m_panes.history, &HistoryPane::textRequested, this, &HistoryController::openText);
}

void HistoryController::reload()
{
    m_shown = true;
    m_listJob->start<Result<std::vector<HistoryEntry>>>(
        [file = m_file](std::stop_token) -> Result<std::vector<HistoryEntry>> {
            std::error_code ignored;
            if (!std::filesystem::exists(file, ignored)) {
                return std::vector<HistoryEntry>{}; // looking makes no file
            }
            const auto history = records::History::open(file);
            if (!history) {
                return history.error();
            }
            return history->list({.limit = mostListed + 1});
        },
        [this](Result<std::vector<HistoryEntry>> entries) {
            if (!entries) {
                m_panes.history->showProblem(tr("The history cannot be read: %1")
                                                 .arg(QString::fromStdString(describe(entries.error()))));
                return;
            }
            const bool truncated = entries->size() > mostListed;
            if (truncated) {
                entries->resize(mostListed);
            }
            m_panes.history->setEntries(*std::move(entries), truncated);
        });
}

void HistoryController::read(qint64 id, std::function<void(KeptEvaluation)> take)
{
    m_entryJob->start<Result<KeptEvaluation>>(
        [file = m_file, id](std::stop_token) { return records::keptEvaluation(file, id); },
        [this, take = std::move(take)](Result<KeptEvaluation> kept) {
            if (kept) {
                take(*std::move(kept));
            } else {
                emit stateChanged(QString::fromStdString(describe(kept.error())));
            }
        });
}

void HistoryController::showResult(qint64 id)
{
    read(id, [this, id](KeptEvaluation kept) {
        const QString task = QString::fromStdString(kept.evaluation.task);
        const Task* chosen = m_tasks.task();
        if ((chosen == nullptr || chosen->name != kept.evaluation.task) && !m_tasks.chooseTask(task)) {
            emit stateChanged(tr("Evaluation %1 is of the task %2, which is not among the tasks here. "
                                 "`ptxwb history show %1` prints it.")
                                  .arg(id)
                                  .arg(task));
            return;
        }
        m_results.choose(m_evaluations.addKept(std::move(kept.evaluation)));
        m_panes.resultsDock->show();
        m_panes.resultsDock->raise();
        emit stateChanged(tr("Evaluation %1 from the history").arg(id));
    });
}

void HistoryController::openText(qint64 id)
{
    read(id, [this, id](KeptEvaluation kept) {
        if (kept.source.empty()) {
            emit stateChanged(tr("The text of evaluation %1 was not kept.").arg(id));
            return;
        }
        if (m_files.openText(QByteArray::fromStdString(kept.source), kept.evaluation.language)) {
            m_panes.centre->setCurrentIndex(0);
            emit stateChanged(tr("The text of evaluation %1, without a name: Save as gives it one").arg(id));
        }
    });
}

} // namespace ptxwb
