// SPDX-License-Identifier: Apache-2.0
#include "app/pane_titles.h"

#include "app/main_window.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace ptxwb {

namespace {

QToolButton* barButton(QWidget* bar, const QString& glyph, const QString& name)
{
    auto* button = new QToolButton(bar);
    button->setText(glyph);
    button->setToolTip(name);
    button->setAccessibleName(name);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus); // as with the style's own buttons; the View menu has the keys
    return button;
}

QWidget* titleBar(QDockWidget* dock)
{
    auto* bar = new QWidget(dock);
    auto* title = new QLabel(dock->windowTitle(), bar);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 2, 2, 2);
    layout->setSpacing(0);
    layout->addWidget(title, 1);
    QToolButton* floating =
        barButton(bar, QStringLiteral("↗"), MainWindow::tr("Float in a window of its own"));
    QToolButton* close =
        barButton(bar, QStringLiteral("✕"), MainWindow::tr("Hide; View, Panes brings it back"));
    layout->addWidget(floating);
    layout->addWidget(close);
    QObject::connect(
        floating, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    QObject::connect(close, &QToolButton::clicked, dock, &QWidget::close);
    QObject::connect(dock, &QWidget::windowTitleChanged, title, &QLabel::setText);
    return bar;
}

/// A title bar that takes no room.
class NoTitle : public QWidget {
public:
    using QWidget::QWidget;
    QSize sizeHint() const override { return {0, 0}; }
    QSize minimumSizeHint() const override { return {0, 0}; }
};

} // namespace

PaneTitles::PaneTitles(QMainWindow& window, const QList<QDockWidget*>& docks, QObject* parent)
    : QObject(parent)
    , m_window(window)
{
    for (QDockWidget* dock : docks) {
        if (dock == nullptr) {
            continue;
        }
        m_docks << dock;
        m_bars << titleBar(dock);
        m_nothings << new NoTitle(dock);
        m_bars.last()->hide();
        m_nothings.last()->hide();
        connect(dock, &QDockWidget::topLevelChanged, this, &PaneTitles::refreshSoon);
        connect(dock, &QDockWidget::dockLocationChanged, this, &PaneTitles::refreshSoon);
        connect(dock->toggleViewAction(), &QAction::toggled, this, &PaneTitles::refreshSoon);
    }
    refreshSoon();
}

void PaneTitles::refreshSoon()
{
    if (!m_due) {
        m_due = true;
        QTimer::singleShot(0, this, &PaneTitles::refresh);
    }
}

bool PaneTitles::sharesTabs(QDockWidget* dock) const
{
    const QList<QDockWidget*> others = m_window.tabifiedDockWidgets(dock);
    return std::any_of(others.begin(), others.end(),
        [](const QDockWidget* other) { return other->toggleViewAction()->isChecked(); });
}

void PaneTitles::refresh()
{
    m_due = false;
    for (qsizetype i = 0; i < m_docks.size(); ++i) {
        QDockWidget* dock = m_docks[i];
        QWidget* wanted = !dock->isFloating() && sharesTabs(dock) ? m_nothings[i] : m_bars[i];
        if (dock->titleBarWidget() != wanted) {
            dock->setTitleBarWidget(wanted);
            wanted->show();
        }
    }
}

} // namespace ptxwb
