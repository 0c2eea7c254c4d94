// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/background_job.h"
#include "app/debug_session.h"

#include <QObject>
#include <QString>

namespace ptxwb {

class FileController;
struct Panes;
class TaskChooser;

/// Steps the editor's kernel on the emulator, in the background: one command at a time.
class DebugController : public QObject {
    Q_OBJECT
public:
    DebugController(Panes& panes, FileController& files, TaskChooser& tasks, QObject* parent = nullptr);
    ~DebugController() override;

    void start();
    /// From the start to just before the report is filed. `inputSeed`: of the run that gave it; `workload`
    /// empty: the emulator's of the chosen task.
    void openReport(const emulator::Report& report, quint64 inputSeed, const std::string& workload = {});
    void resume();
    void step();
    void nextWarp();
    void back();
    void runToCaret();
    /// Ends a command that runs; the session stays.
    void interrupt();
    void end();
    bool isRunning() const { return m_job->isRunning(); }
    bool isOpen() const { return m_session != nullptr; }
    /// The timeline that is shown, as a trace.
    void saveTrace(const QString& path);
    void textChanged(bool other);

signals:
    void runningChanged();
    /// One line for the status bar.
    void stateChanged(const QString& text);

private:
    void open(DebugStart start);
    DebugStart startOfNow() const;
    void perform(const QString& what,
        std::function<emulator::Stop(emulator::Debugger&, std::string&, std::stop_token)> command);
    void land(const DebugSnapshot& snapshot);
    void connectTimeline();
    void record(bool whole);
    std::vector<LineBreakpoint> breakpoints();

    Panes& m_panes;
    FileController& m_files;
    TaskChooser& m_tasks;
    BackgroundJob* m_job;
    std::shared_ptr<DebugSession> m_session;
    std::stop_source m_interrupt;
    std::string m_sha256; ///< of the text that is debugged
    std::string m_workload; ///< of the last start
    std::vector<LineBreakpoint> m_breakpoints; ///< of the last command
    MemoryQuery m_memory;
};

} // namespace ptxwb
