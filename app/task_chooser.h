// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"
#include "core/evaluation/evaluator.h"

#include <QObject>

#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QToolBar;

namespace ptxwb {

/// The boxes of the tool bar: task, workload, target and where to run.
class TaskChooser : public QObject {
    Q_OBJECT
public:
    TaskChooser(QToolBar* bar, QObject* parent);

    void setTasks(const std::vector<Task>& tasks);
    void setTargets(const std::vector<std::string>& targets);
    /// Names the GPU (or why there is none) in the "Where" box.
    void setGpu(const QString& deviceName, const QString& problem);

    /// By name; false when there is no such task.
    bool chooseTask(const QString& name);
    /// By tag, uuid or its prefix.
    bool chooseWorkload(const QString& tagOrUuid);
    /// The task whose folder holds the file, if any.
    void chooseTaskOfFile(const QString& path);
    void chooseNoTask();
    const Task* taskOfFile(const QString& path) const;
    void chooseWhere(const QString& word);
    QString whereWord() const;

    const Task* task() const;
    const Workload* workload() const;
    std::optional<std::string> target() const; ///< nullopt: automatic
    Where where() const;
    const std::vector<Task>& tasks() const { return m_tasks; }

signals:
    void taskChanged();
    /// By the user, maybe the same again.
    void taskPicked();
    void workloadChanged();
    void targetChanged();
    void whereChanged();

private:
    void fillWorkloads();

    std::vector<Task> m_tasks;
    QComboBox* m_task;
    QComboBox* m_workload;
    QComboBox* m_target;
    QComboBox* m_where;
};

} // namespace ptxwb
