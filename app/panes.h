// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QDockWidget;
class QFont;
class QMainWindow;
class QTabWidget;
class QWidget;

namespace ptxwb {

class ChatPane;
class DebuggerPane;
class DiffView;
class EditorPane;
class HistoryPane;
class ProblemsView;
class ResultsPane;
class RunPane;
class SassView;
class SpeedupPane;
class TaskDetails;
class TriagePane;
struct Theme;

/// Every pane of the window with its dock. All are owned by the window.
struct Panes {
    explicit Panes(QMainWindow& host);

    void setTheme(const Theme& theme);
    /// Of the editor and of both listings, so that their lines are of one size.
    void setCodeFont(const QFont& font);
    /// Brings a dock to the front of its tabs without the keyboard, unless it is closed or the user works in
    /// the one that is there. Returns the dock that it went before, null for none.
    QDockWidget* raiseQuietly(QDockWidget* dock) const;
    /// Shown, and not behind another of its tabs.
    bool isInFront(const QDockWidget* dock) const;
    /// In the order of the View menu; without those that this build lacks.
    QList<QDockWidget*> docks() const;

    QMainWindow* window = nullptr;
    QTabWidget* centre = nullptr; ///< editor, comparison
    EditorPane* editor = nullptr;
    DiffView* diff = nullptr;
    SassView* sass = nullptr;
    ProblemsView* problems = nullptr;
    ResultsPane* results = nullptr;
    RunPane* run = nullptr;
    DebuggerPane* debugger = nullptr;
    SpeedupPane* speedup = nullptr;
    TaskDetails* task = nullptr;
    ChatPane* chat = nullptr; ///< null where the program was built without libcurl

    TriagePane* triage = nullptr; ///< null where the program was built without cmark

    HistoryPane* history = nullptr; ///< null where the program was built without SQLite

    QDockWidget* sassDock = nullptr;
    QDockWidget* problemsDock = nullptr;
    QDockWidget* resultsDock = nullptr;
    QDockWidget* runDock = nullptr;
    QDockWidget* debuggerDock = nullptr;
    QDockWidget* speedupDock = nullptr;
    QDockWidget* taskDock = nullptr;
    QDockWidget* chatDock = nullptr;
    QDockWidget* triageDock = nullptr;
    QDockWidget* historyDock = nullptr;
};

} // namespace ptxwb
