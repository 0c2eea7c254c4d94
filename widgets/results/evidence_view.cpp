// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/evidence_view.h"

#include "widgets/editor/roomy_delegate.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTreeView>
#include <QVBoxLayout>

#include <array>

namespace ptxwb {

namespace {

constexpr int detailLines = 4;

/// A row without a value says in its place why there is none.
class EvidenceDelegate : public RoomyDelegate {
public:
    using RoomyDelegate::RoomyDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        RoomyDelegate::initStyleOption(option, index);
        if (index.column() == EvidenceModel::ValueColumn && option->text.isEmpty()) {
            option->text = index.siblingAtColumn(EvidenceModel::ReasonColumn).data().toString();
            option->font.setItalic(true);
        }
        option->text.replace(QLatin1Char('\n'), QLatin1Char(' '));
    }
};

} // namespace

EvidenceView::EvidenceView(QWidget* parent)
    : EvidenceView(new QWidget, parent)
{
}

EvidenceView::EvidenceView(QWidget* content, QWidget* parent)
    : PlaceholderPane(content, parent)
    , m_view(new QTreeView(content))
    , m_detail(new QPlainTextEdit(content))
    , m_model(new EvidenceModel(this))
{
    m_view->setModel(m_model);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setItemDelegate(new EvidenceDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setAlternatingRowColors(true);
    m_view->setAccessibleName(tr("Evidence"));
    m_view->setColumnHidden(EvidenceModel::ReasonColumn, true);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(EvidenceModel::StateColumn, QHeaderView::ResizeToContents);
    addCopyActions();

    m_detail->setReadOnly(true);
    m_detail->setFrameShape(QFrame::NoFrame);
    m_detail->setTabChangesFocus(true);
    m_detail->setAccessibleName(tr("The chosen claim"));
    m_detail->setFixedHeight(m_detail->fontMetrics().lineSpacing() * detailLines + 10);
    m_detail->hide();

    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_detail);
    setFocusProxy(m_view);
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        spreadColumns();
        showDetail();
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &EvidenceView::showDetail);
}

void EvidenceView::addCopyActions()
{
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
}

QString EvidenceView::detail() const
{
    return m_detail->toPlainText();
}

void EvidenceView::showDetail()
{
    const QModelIndex current = m_view->currentIndex();
    m_detail->setPlainText(current.data(EvidenceModel::wholeRowRole).toString());
    m_detail->setVisible(current.isValid());
    if (current.isValid()) {
        m_view->scrollTo(current);
    }
}

void EvidenceView::resizeEvent(QResizeEvent* event)
{
    PlaceholderPane::resizeEvent(event);
    spreadColumns();
}

void EvidenceView::spreadColumns()
{
    // Shares of the width: values and reasons are the longest.
    constexpr std::array<int, EvidenceModel::ReasonColumn> shares{28, 0, 36, 22, 14};
    // Of this pane: the view inside it gets its new size later.
    const int width = this->width() - m_view->verticalScrollBar()->sizeHint().width()
        - m_view->header()->sectionSize(EvidenceModel::StateColumn);
    for (int column = 0; column < EvidenceModel::ReasonColumn; ++column) {
        if (column == EvidenceModel::StateColumn) {
            continue; // as wide as its words
        }
        m_view->header()->resizeSection(column, width * shares[static_cast<std::size_t>(column)] / 100);
    }
}

} // namespace ptxwb
