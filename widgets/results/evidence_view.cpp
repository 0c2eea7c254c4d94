// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/evidence_view.h"

#include "widgets/results/wrapping_delegate.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QScrollBar>
#include <QTreeView>

#include <array>

namespace ptxwb {

EvidenceView::EvidenceView(QWidget* parent)
    : EvidenceView(new QTreeView, parent)
{
}

EvidenceView::EvidenceView(QTreeView* view, QWidget* parent)
    : PlaceholderPane(view, parent)
    , m_view(view)
    , m_model(new EvidenceModel(this))
{
    m_view->setModel(m_model);
    m_view->setRootIsDecorated(false);
    m_view->setWordWrap(true); // reasons are sentences
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setItemDelegate(new WrappingDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setAlternatingRowColors(true);
    m_view->setAccessibleName(tr("Evidence"));
    m_view->header()->setStretchLastSection(true);
    m_view->header()->setSectionResizeMode(EvidenceModel::StateColumn, QHeaderView::ResizeToContents);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);

    auto* copyTsv = new QAction(tr("Copy as TSV"), m_view);
    copyTsv->setShortcut(QKeySequence::Copy);
    copyTsv->setShortcutContext(Qt::WidgetShortcut);
    connect(copyTsv, &QAction::triggered, this,
        [this] { QGuiApplication::clipboard()->setText(m_model->asTsv()); });
    auto* copyMarkdown = new QAction(tr("Copy as Markdown"), m_view);
    connect(copyMarkdown, &QAction::triggered, this,
        [this] { QGuiApplication::clipboard()->setText(m_model->asMarkdown()); });
    m_view->addActions({copyTsv, copyMarkdown});
    connect(m_model, &QAbstractItemModel::modelReset, this, &EvidenceView::spreadColumns);
}

void EvidenceView::resizeEvent(QResizeEvent* event)
{
    PlaceholderPane::resizeEvent(event);
    spreadColumns();
}

void EvidenceView::spreadColumns()
{
    // Shares of the width: claims and reasons are sentences, the others are short.
    constexpr std::array<int, EvidenceModel::ColumnCount> shares{23, 0, 13, 14, 11, 39};
    // Of this pane: the view inside it gets its new size later.
    const int width = this->width() - m_view->verticalScrollBar()->sizeHint().width()
        - m_view->header()->sectionSize(EvidenceModel::StateColumn);
    for (int column = 0; column + 1 < EvidenceModel::ColumnCount; ++column) {
        if (column == EvidenceModel::StateColumn) {
            continue; // as wide as its words
        }
        m_view->header()->resizeSection(column, width * shares[static_cast<std::size_t>(column)] / 100);
    }
}

} // namespace ptxwb
