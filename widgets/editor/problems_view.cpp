// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/problems_view.h"

#include "widgets/editor/roomy_delegate.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTreeView>

namespace ptxwb {

ProblemsView::ProblemsView(QWidget* parent)
    : ProblemsView(new QTreeView, parent)
{
}

ProblemsView::ProblemsView(QTreeView* view, QWidget* parent)
    : PlaceholderPane(view, parent)
    , m_view(view)
    , m_model(new ProblemsModel(this))
{
    m_view->setModel(m_model);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setItemDelegate(new RoomyDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setAlternatingRowColors(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setAccessibleName(tr("Problems"));
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(ProblemsModel::MessageColumn, QHeaderView::Stretch);
    for (const int column : {ProblemsModel::SeverityColumn, ProblemsModel::LineColumn,
             ProblemsModel::ColumnColumn, ProblemsModel::ToolColumn}) {
        m_view->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const int line = index.data(ProblemsModel::LineRole).toInt();
        if (line > 0) {
            emit placeActivated(line, std::max(1, index.data(ProblemsModel::ColumnRole).toInt()));
        }
    });
    auto* copy = new QAction(tr("Copy"), m_view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(copy);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy, &QAction::triggered, this, &ProblemsView::copySelection);
}

void ProblemsView::setCurrentRow(int row)
{
    m_view->setCurrentIndex(m_model->index(row, 0));
}

QString ProblemsView::rowsAsText() const
{
    QStringList lines;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < ProblemsModel::ColumnCount; ++column) {
            cells << m_model->index(row, column).data().toString();
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

void ProblemsView::copySelection()
{
    QStringList lines;
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < ProblemsModel::ColumnCount; ++column) {
            cells << row.siblingAtColumn(column).data().toString();
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace ptxwb
