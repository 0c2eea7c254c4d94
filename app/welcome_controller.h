// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"
#include "widgets/editor/welcome_pane.h"

#include <QObject>

namespace ptxwb {

class FileController;
struct Panes;
struct WindowActions;

/// Shows the welcome pane in the place of an empty editor, until the user begins.
class WelcomeController : public QObject {
    Q_OBJECT
public:
    WelcomeController(Panes& panes, const WindowActions& actions, FileController& files, QObject* parent);

    void setRecent(const QStringList& files);
    /// Reads the folder of each task; a few small files.
    void setTasks(const std::vector<Task>& tasks);
    /// Never again in this window: the user asked for an empty text.
    void dismiss();
    void update();

private:
    Panes& m_panes;
    FileController& m_files;
    bool m_dismissed = false;
};

/// The kernels below a task's folder, each with the sentence that its first comment begins with.
WelcomeGroup examplesOf(const Task& task);
/// The first sentence of the comment that a PTX or CUDA text begins with, without its licence line; empty if
/// there is none.
QString firstSentence(const QByteArray& text);

} // namespace ptxwb
