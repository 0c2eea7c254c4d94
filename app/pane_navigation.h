// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>
#include <QString>

class QDockWidget;
class QWidget;

namespace ptxwb {

struct Panes;

/// Moves the keyboard between panes: to one by its number, or around all that are shown.
class PaneNavigation : public QObject {
    Q_OBJECT
public:
    PaneNavigation(Panes& panes, QObject* parent);

    /// Shows the pane and gives it the focus. Numbers are those of WindowActions::goToPane.
    void goTo(int number);
    /// +1 the next pane that is shown, -1 the one before.
    void cycle(int step);
    /// Of the pane that has the focus, -1 for none.
    int current() const;

private:
    struct Place {
        QWidget* content;
        QDockWidget* dock; ///< null: a tab in the middle
    };
    bool isShown(const Place& place) const;

    Panes& m_panes;
    QList<Place> m_places;
};

} // namespace ptxwb
