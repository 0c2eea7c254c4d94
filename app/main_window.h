// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/command_line.h"
#include "app/comparison_controller.h"
#include "app/environment.h"
#include "app/panes.h"
#include "app/prompts.h"
#include "app/settings.h"
#include "app/theme.h"
#include "app/window_actions.h"

#include <QMainWindow>

#include <memory>

class QTimer;

namespace ptxwb {

class BackgroundJob;
class BuildController;
class BuildDisplay;
class ChatRoom;
class DebugController;
class EvaluationController;
class FileController;
class HistoryController;
class LiveRegistersController;
class PaneNavigation;
class ResultDisplay;
class RunController;
class StatusDisplay;
class TaskChooser;
class TriageController;
class WelcomeController;

/// The window: joins panes, actions and controllers. Work is done by the controllers.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `prompts` null: the real dialogs.
    MainWindow(const WindowOptions& options, Settings& settings, std::unique_ptr<Prompts> prompts = nullptr);
    ~MainWindow() override;

    /// Nothing runs or waits: what the window shows will not change by itself.
    bool isIdle() const;
    QString stateText() const;
    /// What of the command line could not be done; empty when all was.
    QString startProblem() const { return m_startProblem; }

    Panes& panes() { return m_panes; }
    WindowActions& actions() { return m_actions; }
    FileController& files() { return *m_files; }
    RunController& runs() { return *m_runs; }
    DebugController& debugger() { return *m_debug; }
    PaneNavigation& navigation() { return *m_navigation; }
    BuildController& builds() { return *m_builds; }
    EvaluationController& evaluations() { return *m_evaluations; }
    ComparisonController& comparisons() { return *m_comparisons; }
    TaskChooser& tasks() { return *m_tasks; }

    void evaluate();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // main_window.cpp
    void connectControllers();
    void loadEnvironmentInBackground();
    void takeEnvironment(Environment environment);
    void takeGpu(GpuReport report);
    void restoreWindow();
    void useTheme(const QString& name);
    void showState(const QString& text);
    void chooseTaskOfDocument();
    void documentChanged();
    void updateBusy();
    struct BuildRequest buildRequest() const;
    void openAtStart();
    void refuse(const QString& sentence);
    // main_window_actions.cpp
    void connectActions();
    void connectFileActions();
    void connectEditActions();
    void goToProblem(bool forward);
    void connectViewActions();
    void fillRecentMenu();
    void cancelAll();
    void chooseFileToCompare();
    void compareWithFile(const QString& path, ComparisonController::Order order);
    void compareWithLastBuild();
    void exportPlot(int format);
    void changeTextSize(int step);
    // main_window_runs.cpp
    void connectRuns();
    void connectDebugger();
    void askForCondition();
    bool runsAreIdle() const;
    void cancelRuns();
    void endRuns();
    void startTriage(const QString& path);
    // main_window_chat.cpp
    void connectChat();

    WindowOptions m_options;
    Settings& m_settings;
    std::unique_ptr<Prompts> m_prompts;
    Panes m_panes;
    WindowActions m_actions;
    TaskChooser* m_tasks;
    FileController* m_files;
    BuildController* m_builds;
    EvaluationController* m_evaluations;
    ComparisonController* m_comparisons;
    LiveRegistersController* m_liveRegisters;
    BuildDisplay* m_buildDisplay;
    ResultDisplay* m_resultDisplay;
    RunController* m_runs;
    DebugController* m_debug;
    TriageController* m_triage = nullptr; ///< null where this build lacks the pane
    HistoryController* m_history = nullptr; ///< null where this build lacks the pane
    ChatRoom* m_chatRoom = nullptr;
    BackgroundJob* m_environmentJob;
    BackgroundJob* m_gpuJob;
    QTimer* m_textSettled;
    PaneNavigation* m_navigation;
    StatusDisplay* m_status;
    WelcomeController* m_welcome;
    QString m_startProblem;
    Environment m_environment;
    std::optional<GpuReport> m_gpu;
};

} // namespace ptxwb
