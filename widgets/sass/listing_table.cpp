// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/listing_table.h"

#include <QAction>
#include <QFontDatabase>
#include <QHeaderView>

namespace ptxwb {

ListingTable::ListingTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent)
    : QTableView(parent)
{
    setModel(model);
    setAccessibleName(accessibleName);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setMinimumSectionSize(1); // the style's own minimum is higher than a line of code
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setResizeContentsPrecision(200);
    setContextMenuPolicy(Qt::ActionsContextMenu);
}

QFont ListingTable::monospace(const QFont& like)
{
    QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    mono.setPointSizeF(like.pointSizeF());
    return mono;
}

void ListingTable::setRowFont(const QFont& font)
{
    verticalHeader()->setDefaultSectionSize(QFontMetrics(font).height() + 2);
}

void ListingTable::goTo(const QModelIndex& index)
{
    setCurrentIndex(index);
    scrollTo(index, QAbstractItemView::PositionAtCenter);
}

void ListingTable::addPaneAction(
    QWidget* pane, const QString& title, const QKeySequence& keys, const std::function<void()>& work)
{
    auto* action = new QAction(title, pane);
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, pane, work);
    pane->addAction(action);
    addAction(action);
}

} // namespace ptxwb
