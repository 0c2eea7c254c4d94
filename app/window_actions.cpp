// SPDX-License-Identifier: Apache-2.0
#include "app/window_actions.h"

#include "app/command_palette.h"
#include "app/icons.h"
#include "app/main_window.h"
#include "app/panes.h"
#include "app/theme.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

#include <tuple>

namespace ptxwb {

namespace {

QAction* addTo(QMenu* menu, const QString& text, const QList<QKeySequence>& shortcuts = {})
{
    QAction* action = menu->addAction(text);
    action->setShortcuts(shortcuts);
    return action;
}

/// Without its mnemonic.
QString plain(QString text)
{
    return text.remove(QLatin1Char('&'));
}

} // namespace

WindowActions::WindowActions(QMainWindow& window, const Panes& panes)
    : m_window(&window)
{
    addFileMenu(window);
    addEditMenu(window);
    addViewMenu(window, panes);
    addRunMenu(window, panes);
    addDebugMenu(window);
    addCompareMenu(window);
    addHelpMenu(window);
    bar = window.addToolBar(MainWindow::tr("Main"));
    bar->setObjectName(QStringLiteral("mainBar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize(QSize(16, 16));
    bar->addAction(compile);
    bar->addAction(evaluate);
    bar->addAction(cancel);
    bar->addSeparator();
}

void WindowActions::addFileMenu(QMainWindow& window)
{
    QMenu* menu = window.menuBar()->addMenu(MainWindow::tr("&File"));
    newFile = addTo(menu, MainWindow::tr("&New"), {QKeySequence::New});
    open = addTo(menu, MainWindow::tr("&Open…"), {QKeySequence::Open});
    recentMenu = menu->addMenu(MainWindow::tr("Open &recent"));
    menu->addSeparator();
    save = addTo(menu, MainWindow::tr("&Save"), {QKeySequence::Save});
    saveAs = addTo(menu, MainWindow::tr("Save &as…"), {QKeySequence(QStringLiteral("Ctrl+Shift+S"))});
    menu->addSeparator();
    quit = addTo(menu, MainWindow::tr("&Quit"), {QKeySequence(QStringLiteral("Ctrl+Q"))});
}

void WindowActions::addEditMenu(QMainWindow& window)
{
    QMenu* menu = window.menuBar()->addMenu(MainWindow::tr("&Edit"));
    // The editor handles these keys itself while it has the focus; no shortcut here, so that line edits keep
    // theirs.
    undo = addTo(menu, MainWindow::tr("&Undo\tCtrl+Z"));
    redo = addTo(menu, MainWindow::tr("&Redo\tCtrl+Y"));
    menu->addSeparator();
    cut = addTo(menu, MainWindow::tr("Cu&t\tCtrl+X"));
    copy = addTo(menu, MainWindow::tr("&Copy\tCtrl+C"));
    paste = addTo(menu, MainWindow::tr("&Paste\tCtrl+V"));
    menu->addSeparator();
    find = addTo(menu, MainWindow::tr("&Find…"), {QKeySequence(QStringLiteral("Ctrl+F"))});
    replace = addTo(menu, MainWindow::tr("R&eplace…"), {QKeySequence(QStringLiteral("Ctrl+H"))});
    findNext = addTo(menu, MainWindow::tr("Find &next"), {QKeySequence(QStringLiteral("F3"))});
    findPrevious = addTo(menu, MainWindow::tr("Find pre&vious"), {QKeySequence(QStringLiteral("Shift+F3"))});
    goToLine = addTo(menu, MainWindow::tr("&Go to line…"), {QKeySequence(QStringLiteral("Ctrl+G"))});
    declaration = addTo(menu, MainWindow::tr("Go to &declaration"), {QKeySequence(QStringLiteral("F12"))});
    nextUse = addTo(menu, MainWindow::tr("Next u&se of the name"), {QKeySequence(QStringLiteral("F7"))});
    previousUse =
        addTo(menu, MainWindow::tr("Previous use of the name"), {QKeySequence(QStringLiteral("Shift+F7"))});
    menu->addSeparator();
    nextProblem = addTo(menu, MainWindow::tr("Next pro&blem"), {QKeySequence(QStringLiteral("F8"))});
    previousProblem =
        addTo(menu, MainWindow::tr("Previous problem"), {QKeySequence(QStringLiteral("Shift+F8"))});
    fixProblem = addTo(menu, MainWindow::tr("Fi&x this problem…"), {QKeySequence(QStringLiteral("Ctrl+."))});
    fixAll = addTo(menu, MainWindow::tr("App&ly all fixes"));
    menu->addSeparator();
    complete = addTo(menu, MainWindow::tr("C&omplete"), {QKeySequence(QStringLiteral("Ctrl+Space"))});
    completeWhileTyping = addTo(menu, MainWindow::tr("Complete while typin&g"));
    completeWhileTyping->setCheckable(true);
    rename = addTo(menu, MainWindow::tr("Rena&me…"), {QKeySequence(QStringLiteral("F2"))});
    toggleComment = addTo(menu, MainWindow::tr("Toggle co&mment"), {QKeySequence(QStringLiteral("Ctrl+/"))});
    foldAll = addTo(menu, MainWindow::tr("Fold or unfold &all"));
    hover = addTo(menu, MainWindow::tr("&What is this instruction?"),
        {QKeySequence(QStringLiteral("F1")), QKeySequence(QStringLiteral("Ctrl+K, Ctrl+I"))});
}

void WindowActions::addViewMenu(QMainWindow& window, const Panes& panes)
{
    QMenu* menu = window.menuBar()->addMenu(MainWindow::tr("&View"));
    layoutEdit = addTo(menu, MainWindow::tr("Layout: &Edit"), {QKeySequence(QStringLiteral("Ctrl+Alt+1"))});
    layoutInspect =
        addTo(menu, MainWindow::tr("Layout: &Inspect"), {QKeySequence(QStringLiteral("Ctrl+Alt+2"))});
    layoutCompare =
        addTo(menu, MainWindow::tr("Layout: &Compare"), {QKeySequence(QStringLiteral("Ctrl+Alt+3"))});
    layoutReset = addTo(menu, MainWindow::tr("&Reset layout"));
    menu->addSeparator();
    // Before the switches, so that a pane's name finds the way to it first, and not the one that hides it.
    addGoToMenu(menu->addMenu(MainWindow::tr("&Go to pane")), panes);
    QMenu* paneMenu = menu->addMenu(MainWindow::tr("&Panes"));
    for (QDockWidget* dock : panes.docks()) {
        QAction* toggle = dock->toggleViewAction();
        const auto name = [toggle, title = dock->windowTitle()](bool shown) {
            toggle->setProperty(CommandPalette::titleProperty,
                (shown ? MainWindow::tr("Hide pane: %1") : MainWindow::tr("Show pane: %1")).arg(title));
        };
        name(true);
        QObject::connect(toggle, &QAction::toggled, toggle, name);
        paneMenu->addAction(toggle);
    }
    QMenu* themeMenu = menu->addMenu(MainWindow::tr("&Theme"));
    themes = new QActionGroup(&window);
    const std::pair<QString, QString> choices[] = {{MainWindow::tr("&System"), QStringLiteral("system")},
        {MainWindow::tr("&Light"), QStringLiteral("light")},
        {MainWindow::tr("&Dark"), QStringLiteral("dark")}};
    for (const auto& [title, name] : choices) {
        QAction* action = themeMenu->addAction(title);
        action->setCheckable(true);
        action->setData(name);
        action->setProperty(CommandPalette::titleProperty, MainWindow::tr("Theme: %1").arg(plain(title)));
        themes->addAction(action);
    }
    menu->addSeparator();
    zoomIn = addTo(
        menu, MainWindow::tr("Larger &text"), {QKeySequence(QStringLiteral("Ctrl+=")), QKeySequence::ZoomIn});
    zoomOut = addTo(menu, MainWindow::tr("S&maller text"), {QKeySequence::ZoomOut});
    zoomReset = addTo(menu, MainWindow::tr("&Normal text size"), {QKeySequence(QStringLiteral("Ctrl+0"))});
}

void WindowActions::addGoToMenu(QMenu* menu, const Panes& panes)
{
    const QString titles[] = {MainWindow::tr("&Editor"), MainWindow::tr("&SASS"), MainWindow::tr("&Chat"),
        MainWindow::tr("&Problems"), MainWindow::tr("&Results"), MainWindow::tr("&Task"),
        MainWindow::tr("Speed-&up"), MainWindow::tr("C&ompare"), MainWindow::tr("Ru&n"),
        MainWindow::tr("Tr&iage"), MainWindow::tr("&Debugger"), MainWindow::tr("&History")};
    for (const QString& title : titles) {
        const int number = static_cast<int>(goToPane.size());
        if ((number == 2 && panes.chatDock == nullptr) || (number == 9 && panes.triageDock == nullptr)
            || (number == 11 && panes.historyDock == nullptr)) {
            goToPane << nullptr;
            continue;
        }
        QAction* action = addTo(menu, title,
            number < 10 ? QList<QKeySequence>{QKeySequence(QStringLiteral("Alt+%1").arg((number + 1) % 10))}
                        : QList<QKeySequence>{QKeySequence(
                            number == 10 ? QStringLiteral("Alt+Shift+D") : QStringLiteral("Alt+Shift+H"))});
        action->setProperty(
            CommandPalette::titleProperty, MainWindow::tr("Go to pane: %1").arg(plain(title)));
        goToPane << action;
    }
    menu->addSeparator();
    nextPane = addTo(menu, MainWindow::tr("&Next pane"), {QKeySequence(QStringLiteral("F6"))});
    previousPane = addTo(menu, MainWindow::tr("Pre&vious pane"), {QKeySequence(QStringLiteral("Shift+F6"))});
}

void WindowActions::setTheme(const Theme& theme)
{
    const QColor disabled = theme.palette.color(QPalette::Disabled, QPalette::ButtonText);
    const QColor plain = theme.palette.color(QPalette::ButtonText);
    const std::tuple<QAction*, QString, QColor> drawings[] = {{newFile, QStringLiteral("new"), plain},
        {open, QStringLiteral("open"), plain},
        {compile, QStringLiteral("compile"), theme.palette.color(QPalette::Link)},
        {evaluate, QStringLiteral("evaluate"), theme.status.goodInk},
        {cancel, QStringLiteral("cancel"), theme.status.badInk},
        {compareFile, QStringLiteral("compare"), plain}};
    for (const auto& [action, name, ink] : drawings) {
        action->setIcon(inkedIcon(name, ink, disabled));
    }
    // What does not fit the bar is behind a button of Qt's, whose own drawing is black in every theme.
    if (auto* more = bar->findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button"))) {
        more->setIcon(inkedIcon(QStringLiteral("more"), plain, disabled));
    }
}

void WindowActions::addRunMenu(QMainWindow& window, const Panes& panes)
{
    QMenu* menu = window.menuBar()->addMenu(MainWindow::tr("&Run"));
    compile = addTo(menu, MainWindow::tr("&Compile"),
        {QKeySequence(QStringLiteral("Ctrl+Return")), QKeySequence(QStringLiteral("Ctrl+Enter"))});
    compile->setIconText(MainWindow::tr("Compile"));
    evaluate = addTo(menu, MainWindow::tr("&Evaluate"), {QKeySequence(QStringLiteral("F5"))});
    evaluate->setIconText(MainWindow::tr("Evaluate"));
    run = addTo(menu, MainWindow::tr("&Run by its own plan"), {QKeySequence(QStringLiteral("Ctrl+F5"))});
    run->setToolTip(
        MainWindow::tr("Run the kernel on the CPU under three schedules, without a task (Ctrl+F5)"));
    triage = addTo(menu, MainWindow::tr("&Triage a folder of answers…"));
    triage->setVisible(panes.triageDock != nullptr);
    cancel = addTo(menu, MainWindow::tr("Ca&ncel"), {QKeySequence(QStringLiteral("Esc"))});
    cancel->setIconText(MainWindow::tr("Cancel"));
    cancel->setEnabled(false);
    menu->addSeparator();
    liveCompile = addTo(menu, MainWindow::tr("Compile after every e&dit"));
    liveCompile->setCheckable(true);
    compile->setToolTip(MainWindow::tr("Compile and show the SASS (Ctrl+Enter)"));
    evaluate->setToolTip(MainWindow::tr("Check the kernel against the task and time it (F5)"));
    cancel->setToolTip(MainWindow::tr("Stop what runs (Esc)"));
}

void WindowActions::addDebugMenu(QMainWindow& window)
{
    QMenu* menu = window.menuBar()->addMenu(MainWindow::tr("&Debug"));
    const auto add = [&](const QString& text, const QString& iconText, const char* keys) {
        QAction* action = addTo(menu, text, {QKeySequence(QLatin1String(keys))});
        action->setIconText(iconText);
        action->setToolTip(QStringLiteral("%1 (%2)").arg(plain(text), QLatin1String(keys)));
        return action;
    };
    debugStart = add(MainWindow::tr("&Start, or start again"), MainWindow::tr("Start"), "Alt+F5");
    debugContinue = add(MainWindow::tr("&Continue"), MainWindow::tr("Continue"), "Shift+F5");
    debugStep = add(MainWindow::tr("&Step one instruction of the warp"), MainWindow::tr("Step"), "F10");
    debugBack = add(MainWindow::tr("Step &back"), MainWindow::tr("Back"), "F11");
    debugNextWarp = add(MainWindow::tr("To the &next warp's turn"), MainWindow::tr("Next warp"), "Ctrl+F11");
    debugToCaret =
        add(MainWindow::tr("&Run to the caret's line"), MainWindow::tr("To the caret"), "Ctrl+F10");
    debugEnd = addTo(menu, MainWindow::tr("&End"));
    debugEnd->setIconText(MainWindow::tr("End"));
    menu->addSeparator();
    breakpoint =
        addTo(menu, MainWindow::tr("Set or remove a brea&kpoint"), {QKeySequence(QStringLiteral("F9"))});
    breakpointCondition = addTo(
        menu, MainWindow::tr("Breakpoint with a con&dition…"), {QKeySequence(QStringLiteral("Shift+F9"))});
}

QList<QAction*> WindowActions::debugger() const
{
    return {debugStart, debugContinue, debugStep, debugBack, debugNextWarp, debugToCaret, debugEnd};
}

void WindowActions::addCompareMenu(QMainWindow& window)
{
    QMenu* menu = window.menuBar()->addMenu(MainWindow::tr("&Compare"));
    compareFile = addTo(
        menu, MainWindow::tr("Editor against a &file…"), {QKeySequence(QStringLiteral("Ctrl+Shift+D"))});
    compareLast = addTo(
        menu, MainWindow::tr("Editor against the &last build"), {QKeySequence(QStringLiteral("Ctrl+D"))});
}

void WindowActions::addHelpMenu(QMainWindow& window)
{
    QMenu* menu = window.menuBar()->addMenu(MainWindow::tr("&Help"));
    palette = addTo(menu, MainWindow::tr("&Find a command…"), {QKeySequence(QStringLiteral("Ctrl+Shift+P"))});
    shortcuts = addTo(menu, MainWindow::tr("&Keyboard shortcuts"));
    doctor = addTo(menu, MainWindow::tr("What is &here (doctor)"));
    menu->addSeparator();
    about = addTo(menu, MainWindow::tr("&About PTX Workbench"));
}

QList<QAction*> WindowActions::all() const
{
    QList<QAction*> found;
    for (QAction* top : m_window->menuBar()->actions()) {
        QList<QMenu*> menus{top->menu()};
        while (!menus.isEmpty()) {
            QMenu* menu = menus.takeFirst();
            if (menu == nullptr || menu == recentMenu) {
                continue;
            }
            for (QAction* action : menu->actions()) {
                if (action->menu() != nullptr) {
                    menus << action->menu();
                } else if (!action->isSeparator()) {
                    found << action;
                }
            }
        }
    }
    return found;
}

} // namespace ptxwb
