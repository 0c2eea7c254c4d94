// SPDX-License-Identifier: Apache-2.0
#pragma once

class QDockWidget;
class QMainWindow;
class QTabWidget;
class QWidget;

namespace ptxwb {

class ChatPane;
class DiffView;
class EditorPane;
class ProblemsView;
class ResultsPane;
class SassView;
class SpeedupPane;
class TaskDetails;
struct Theme;

/// Every pane of the window with its dock. All are owned by the window.
struct Panes {
    explicit Panes(QMainWindow& window);

    void setTheme(const Theme& theme);

    QTabWidget* centre = nullptr; ///< editor, comparison
    EditorPane* editor = nullptr;
    DiffView* diff = nullptr;
    SassView* sass = nullptr;
    ProblemsView* problems = nullptr;
    ResultsPane* results = nullptr;
    SpeedupPane* speedup = nullptr;
    TaskDetails* task = nullptr;
    ChatPane* chat = nullptr; ///< null where the program was built without libcurl

    QDockWidget* sassDock = nullptr;
    QDockWidget* problemsDock = nullptr;
    QDockWidget* resultsDock = nullptr;
    QDockWidget* speedupDock = nullptr;
    QDockWidget* taskDock = nullptr;
    QDockWidget* chatDock = nullptr;
};

} // namespace ptxwb
