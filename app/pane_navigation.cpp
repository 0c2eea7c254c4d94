// SPDX-License-Identifier: Apache-2.0
#include "app/pane_navigation.h"

#include "app/panes.h"

#ifdef PTXWB_HAVE_CHAT
#include "widgets/chat/chat_pane.h"
#endif
#include "widgets/debugger/debugger_pane.h"
#include "widgets/diff/diff_view.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/problems_view.h"
#include "widgets/plots/speedup_pane.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/task_details.h"
#include "widgets/run/run_pane.h"
#include "widgets/sass/sass_view.h"
#ifdef PTXWB_HAVE_HISTORY
#include "widgets/history/history_pane.h"
#endif
#ifdef PTXWB_HAVE_TRIAGE
#include "widgets/triage/triage_pane.h"
#endif

#include <QApplication>
#include <QDockWidget>
#include <QTabWidget>

namespace ptxwb {

namespace {

/// The content itself where it takes the focus, else the first of its parts that does.
QWidget* focusTarget(QWidget* content)
{
    const auto takes = [](const QWidget* widget) {
        return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0;
    };
    QWidget* target = content;
    while (target->focusProxy() != nullptr) {
        target = target->focusProxy();
    }
    if (takes(target)) {
        return target;
    }
    for (QWidget* next = content->nextInFocusChain(); next != content; next = next->nextInFocusChain()) {
        if (content->isAncestorOf(next) && takes(next)) {
            return next;
        }
    }
    return content;
}

} // namespace

PaneNavigation::PaneNavigation(Panes& panes, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
{
    QWidget* chat = nullptr;
#ifdef PTXWB_HAVE_CHAT
    chat = panes.chat;
#endif
    QWidget* triage = nullptr;
#ifdef PTXWB_HAVE_TRIAGE
    triage = panes.triage;
#endif
    QWidget* history = nullptr;
#ifdef PTXWB_HAVE_HISTORY
    history = panes.history;
#endif
    m_places = {{panes.editor, nullptr}, {panes.sass, panes.sassDock}, {chat, panes.chatDock},
        {panes.problems, panes.problemsDock}, {panes.results, panes.resultsDock},
        {panes.task, panes.taskDock}, {panes.speedup, panes.speedupDock}, {panes.diff, nullptr},
        {panes.run, panes.runDock}, {triage, panes.triageDock}, {panes.debugger, panes.debuggerDock},
        {history, panes.historyDock}};
}

bool PaneNavigation::isShown(const Place& place) const
{
    return place.content != nullptr && place.content->isVisible();
}

int PaneNavigation::current() const
{
    const QWidget* focus = QApplication::focusWidget();
    for (qsizetype i = 0; focus != nullptr && i < m_places.size(); ++i) {
        const QWidget* content = m_places[i].content;
        if (content != nullptr && (content == focus || content->isAncestorOf(focus))) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

void PaneNavigation::goTo(int number)
{
    if (number < 0 || number >= m_places.size() || m_places[number].content == nullptr) {
        return;
    }
    const Place& place = m_places[number];
    if (place.dock != nullptr) {
        place.dock->show();
        place.dock->raise();
        place.dock->activateWindow();
    } else {
        m_panes.centre->setCurrentWidget(place.content);
    }
    focusTarget(place.content)->setFocus(Qt::ShortcutFocusReason);
}

void PaneNavigation::cycle(int step)
{
    const int count = static_cast<int>(m_places.size());
    const int from = current();
    for (int i = 1; i <= count; ++i) {
        const int number = (((from < 0 && step < 0 ? 0 : from) + step * i) % count + count) % count;
        if (isShown(m_places[number])) {
            goTo(number);
            return;
        }
    }
}

} // namespace ptxwb
