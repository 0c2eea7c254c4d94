// SPDX-License-Identifier: Apache-2.0
#include "app/layouts.h"

#include "app/panes.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QTabWidget>

namespace ptxwb {

namespace {

/// Right: SASS with chat behind it. Bottom: problems, results and task in tabs, the plot beside them.
void arrange(QMainWindow& window, Panes& panes)
{
    for (QDockWidget* dock : panes.docks()) {
        window.removeDockWidget(dock);
        dock->setFloating(false);
    }
    window.addDockWidget(Qt::RightDockWidgetArea, panes.sassDock);
    if (panes.chatDock != nullptr) {
        window.tabifyDockWidget(panes.sassDock, panes.chatDock);
    }
    window.addDockWidget(Qt::BottomDockWidgetArea, panes.problemsDock);
    window.splitDockWidget(panes.problemsDock, panes.speedupDock, Qt::Horizontal);
    window.tabifyDockWidget(panes.problemsDock, panes.resultsDock);
    window.tabifyDockWidget(panes.resultsDock, panes.taskDock);
    window.tabifyDockWidget(panes.taskDock, panes.runDock);
    window.tabifyDockWidget(panes.runDock, panes.debuggerDock);
    if (panes.triageDock != nullptr) {
        window.tabifyDockWidget(panes.debuggerDock, panes.triageDock);
    }
    if (panes.historyDock != nullptr) {
        window.tabifyDockWidget(
            panes.triageDock != nullptr ? panes.triageDock : panes.debuggerDock, panes.historyDock);
    }
    for (QDockWidget* dock : panes.docks()) {
        dock->show();
    }
    panes.sassDock->raise();
}

} // namespace

std::optional<Layout> layoutByName(const QString& name)
{
    if (name == QLatin1String("edit")) {
        return Layout::Edit;
    }
    if (name == QLatin1String("inspect")) {
        return Layout::Inspect;
    }
    if (name == QLatin1String("compare")) {
        return Layout::Compare;
    }
    return {};
}

void applyLayout(QMainWindow& window, Panes& panes, Layout layout)
{
    arrange(window, panes);
    const int width = window.width();
    const int height = window.height();
    switch (layout) {
    case Layout::Edit:
        panes.centre->setCurrentIndex(0);
        panes.resultsDock->raise();
        window.resizeDocks({panes.sassDock}, {width * 45 / 100}, Qt::Horizontal);
        window.resizeDocks({panes.problemsDock}, {height * 34 / 100}, Qt::Vertical);
        window.resizeDocks(
            {panes.problemsDock, panes.speedupDock}, {width * 62 / 100, width * 38 / 100}, Qt::Horizontal);
        break;
    case Layout::Inspect:
        panes.centre->setCurrentIndex(0);
        panes.problemsDock->raise();
        panes.speedupDock->hide();
        window.resizeDocks({panes.sassDock}, {width * 60 / 100}, Qt::Horizontal);
        window.resizeDocks({panes.problemsDock}, {height * 20 / 100}, Qt::Vertical);
        break;
    case Layout::Compare:
        panes.centre->setCurrentIndex(1);
        panes.sassDock->hide();
        if (panes.chatDock != nullptr) {
            panes.chatDock->hide();
        }
        panes.problemsDock->raise();
        panes.speedupDock->hide();
        window.resizeDocks({panes.problemsDock}, {height * 18 / 100}, Qt::Vertical);
        break;
    }
}

} // namespace ptxwb
