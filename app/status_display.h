// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QLabel;
class QStatusBar;

namespace ptxwb {

class BuildController;
class FileController;
class TaskChooser;
struct Panes;

/// The status bar: what happened last, then problems, caret, language, target and GPU.
class StatusDisplay : public QObject {
    Q_OBJECT
public:
    StatusDisplay(QStatusBar& bar, Panes& panes, BuildController& builds, FileController& files,
        TaskChooser& tasks, QObject* parent);

    void setState(const QString& text);
    QString stateText() const;
    /// Empty name: there is none, for this reason.
    void setGpu(const QString& name, const QString& problem);

private:
    void showPosition();
    void showLanguage();
    void showTarget();
    void showProblems();

    Panes& m_panes;
    BuildController& m_builds;
    FileController& m_files;
    TaskChooser& m_tasks;
    QLabel* m_state;
    QLabel* m_problems;
    QLabel* m_position;
    QLabel* m_language;
    QLabel* m_target;
    QLabel* m_gpu;
};

} // namespace ptxwb
