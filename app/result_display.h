// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluator.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace ptxwb {

class EvaluationController;
class FileController;
class TaskChooser;
struct Panes;

/// Shows evaluations, their progress, the speed-ups and the chosen task.
class ResultDisplay : public QObject {
    Q_OBJECT
public:
    ResultDisplay(Panes& panes, EvaluationController& evaluations, TaskChooser& tasks, FileController& files,
        QObject* parent = nullptr);

    /// Why there is no GPU here; empty when there is one. Part of the plot's sentence.
    void setGpuProblem(const QString& problem);
    /// Why there are no tasks; empty when they were read.
    void setTasksProblem(const QString& problem);
    void refresh();
    /// Another file or task: the run to show is chosen anew.
    void forgetChoice() { m_chosen.reset(); }
    /// By the user, elsewhere than in the pane. It must be one of the runs of the chosen task.
    void choose(std::shared_ptr<const Evaluation> evaluation);
    /// The user said that the text is of the chosen task, or another text came.
    void setTaskPicked(bool picked) { m_taskPicked = picked; }

signals:
    void stateChanged(const QString& text);

private:
    void showTask();
    void showSpeedups(const std::vector<struct RunEntry>& runs);
    /// Whether the text has to do with the task, as far as can be known.
    bool concerns(const Task& task, const std::vector<struct RunEntry>& runs) const;
    QString whyNoResult() const;
    QString whyNoPlot() const;

    Panes& m_panes;
    EvaluationController& m_evaluations;
    TaskChooser& m_tasks;
    FileController& m_files;
    QString m_gpuProblem;
    QString m_tasksProblem;
    std::shared_ptr<const Evaluation> m_chosen; ///< by the user
    bool m_taskPicked = false;
};

} // namespace ptxwb
