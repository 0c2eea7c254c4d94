// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/background_job.h"
#include "core/records/kept_evaluations.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>

namespace ptxwb {

class EvaluationController;
class FileController;
class ResultDisplay;
class TaskChooser;
struct Panes;

/// The history pane: lists what was kept, shows a chosen result among the runs of its task, opens the text
/// that it was made of. The file is read in the background.
class HistoryController : public QObject {
    Q_OBJECT
public:
    HistoryController(Panes& panes, EvaluationController& evaluations, ResultDisplay& results,
        TaskChooser& tasks, FileController& files, QObject* parent = nullptr);

    bool isRunning() const { return m_listJob->isRunning() || m_entryJob->isRunning(); }

signals:
    void runningChanged();
    /// One line for the status bar.
    void stateChanged(const QString& text);

private:
    void reload();
    /// `take` gets the evaluation on the GUI thread; a failure is said.
    void read(qint64 id, std::function<void(records::KeptEvaluation)> take);
    void showResult(qint64 id);
    void openText(qint64 id);

    Panes& m_panes;
    EvaluationController& m_evaluations;
    ResultDisplay& m_results;
    TaskChooser& m_tasks;
    FileController& m_files;
    BackgroundJob* m_listJob;
    BackgroundJob* m_entryJob;
    std::filesystem::path m_file;
    bool m_shown = false; ///< the list has been asked for
};

} // namespace ptxwb
