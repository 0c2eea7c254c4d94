// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;
class QToolBar;

namespace ptxwb {

struct Panes;
struct Theme;

/// Menus, tool bar and their actions. The window connects what they do.
struct WindowActions {
    WindowActions(QMainWindow& window, const Panes& panes);

    /// Draws the icons in the theme's inks.
    void setTheme(const Theme& theme);
    /// Every action with a text, for the list of shortcuts and the command palette.
    QList<QAction*> all() const;
    /// The buttons of the debugger's pane.
    QList<QAction*> debugger() const;

    QToolBar* bar = nullptr;
    QMenu* recentMenu = nullptr;

    QAction* newFile = nullptr;
    QAction* open = nullptr;
    QAction* save = nullptr;
    QAction* saveAs = nullptr;
    QAction* quit = nullptr;

    QAction* undo = nullptr;
    QAction* redo = nullptr;
    QAction* cut = nullptr;
    QAction* copy = nullptr;
    QAction* paste = nullptr;
    QAction* find = nullptr;
    QAction* replace = nullptr;
    QAction* findNext = nullptr;
    QAction* findPrevious = nullptr;
    QAction* goToLine = nullptr;
    QAction* toggleComment = nullptr;
    QAction* complete = nullptr;
    QAction* completeWhileTyping = nullptr;
    QAction* declaration = nullptr;
    QAction* nextUse = nullptr;
    QAction* previousUse = nullptr;
    QAction* rename = nullptr;
    QAction* foldAll = nullptr;
    QAction* hover = nullptr;
    QAction* zoomIn = nullptr;
    QAction* zoomOut = nullptr;
    QAction* zoomReset = nullptr;

    QAction* compile = nullptr;
    QAction* evaluate = nullptr;
    QAction* run = nullptr;
    QAction* triage = nullptr; ///< hidden where this build lacks the pane
    QAction* cancel = nullptr;
    QAction* liveCompile = nullptr;

    QAction* debugStart = nullptr;
    QAction* debugContinue = nullptr;
    QAction* debugStep = nullptr;
    QAction* debugBack = nullptr;
    QAction* debugNextWarp = nullptr;
    QAction* debugToCaret = nullptr;
    QAction* debugEnd = nullptr;
    QAction* breakpoint = nullptr;
    QAction* breakpointCondition = nullptr;

    QAction* compareFile = nullptr;
    QAction* compareLast = nullptr;

    QAction* layoutEdit = nullptr;
    QAction* layoutInspect = nullptr;
    QAction* layoutCompare = nullptr;
    QAction* layoutReset = nullptr;
    QList<QAction*> goToPane{}; ///< numbers of PaneNavigation; null where this build lacks the pane
    QAction* nextPane = nullptr;
    QAction* previousPane = nullptr;
    QAction* nextProblem = nullptr;
    QAction* previousProblem = nullptr;
    QAction* fixProblem = nullptr;
    QAction* fixAll = nullptr;
    QActionGroup* themes = nullptr; ///< data: "dark", "light", "system"

    QAction* palette = nullptr;
    QAction* shortcuts = nullptr;
    QAction* doctor = nullptr;
    QAction* about = nullptr;

private:
    void addFileMenu(QMainWindow& window);
    void addEditMenu(QMainWindow& window);
    void addViewMenu(QMainWindow& window, const Panes& panes);
    void addGoToMenu(QMenu* menu, const Panes& panes);
    void addRunMenu(QMainWindow& window, const Panes& panes);
    void addDebugMenu(QMainWindow& window);
    void addCompareMenu(QMainWindow& window);
    void addHelpMenu(QMainWindow& window);

    QMainWindow* m_window;
};

} // namespace ptxwb
