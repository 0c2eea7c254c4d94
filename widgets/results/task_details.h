// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"

#include <QTextBrowser>

namespace ptxwb {

/// What the chosen task and workload ask for: tensors, tolerance, goals, baselines, notes.
class TaskDetails : public QTextBrowser {
    Q_OBJECT
public:
    explicit TaskDetails(QWidget* parent = nullptr);

    void showTask(const Task& task, const Workload* workload);
    void showReason(const QString& text);

    static QString html(const Task& task, const Workload* workload);
};

} // namespace ptxwb
