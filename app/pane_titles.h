// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;

namespace ptxwb {

/// Gives a dock that stands alone a title bar as flat as a tab, and one that shares tabs none: its tab says
/// the name already. Follows docks as they are moved, closed and floated.
class PaneTitles : public QObject {
    Q_OBJECT
public:
    PaneTitles(QMainWindow& window, const QList<QDockWidget*>& docks, QObject* parent);

    void refresh();

private:
    void refreshSoon();
    bool sharesTabs(QDockWidget* dock) const;

    QMainWindow& m_window;
    QList<QDockWidget*> m_docks;
    QList<QWidget*> m_bars; ///< of each dock, where it stands alone
    QList<QWidget*> m_nothings; ///< of each dock, where it shares tabs
    bool m_due = false;
};

} // namespace ptxwb
