// SPDX-License-Identifier: Apache-2.0
#include "widgets/history/history_pane.h"

#include "widgets/editor/roomy_delegate.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace ptxwb {

HistoryPane::HistoryPane(QWidget* parent)
    : QWidget(parent)
    , m_model(new HistoryModel(this))
    , m_filter(new QSortFilterProxyModel(this))
    , m_result(new QPushButton(tr("Show the result")))
    , m_text(new QPushButton(tr("Open its text")))
    , m_reload(new QPushButton(tr("Read again")))
    , m_summary(new QLabel)
    , m_words(new QLineEdit)
    , m_view(new QTreeView)
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(6, 4, 6, 2);
    head->addWidget(m_result);
    head->addWidget(m_text);
    head->addWidget(m_summary, 1);
    head->addWidget(m_reload);
    head->addWidget(m_words);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_summary->setTextFormat(Qt::PlainText);
    m_words->setPlaceholderText(tr("Filter by words"));
    m_words->setAccessibleName(tr("Filter by words"));
    m_words->setClearButtonEnabled(true);
    m_words->setMaximumWidth(220);

    m_filter->setSourceModel(m_model);
    m_filter->setSortRole(HistoryModel::SortRole);
    m_filter->setSortCaseSensitivity(Qt::CaseInsensitive);
    m_filter->setFilterKeyColumn(-1);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_view->setModel(m_filter);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setItemDelegate(new RoomyDelegate(m_view));
    m_view->setAlternatingRowColors(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(HistoryModel::MadeColumn, Qt::DescendingOrder);
    m_view->setAccessibleName(tr("Evaluations"));
    m_view->setMinimumHeight(40); // else the pane would push up the whole row of docks
    const std::pair<int, int> widths[] = {{HistoryModel::MadeColumn, 120},
        {HistoryModel::CandidateColumn, 150}, {HistoryModel::TaskColumn, 150},
        {HistoryModel::WorkloadColumn, 76}, {HistoryModel::VerdictColumn, 130},
        {HistoryModel::SpeedupColumn, 70}, {HistoryModel::MedianColumn, 66}};
    for (const auto& [column, width] : widths) {
        m_view->setColumnWidth(column, width);
    }
    m_pane = new PlaceholderPane(m_view);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_pane, 1);
    setFocusProxy(m_view);

    connect(m_reload, &QPushButton::clicked, this, &HistoryPane::reloadRequested);
    connect(m_words, &QLineEdit::textChanged, m_filter, &QSortFilterProxyModel::setFilterFixedString);
    const auto askResult = [this] {
        if (const auto id = chosen()) {
            emit resultRequested(*id);
        }
    };
    connect(m_result, &QPushButton::clicked, this, askResult);
    connect(m_view, &QTreeView::activated, this, askResult);
    connect(m_text, &QPushButton::clicked, this, [this] {
        if (const auto id = chosen()) {
            emit textRequested(*id);
        }
    });
    connect(
        m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &HistoryPane::updateButtons);
    connect(m_filter, &QAbstractItemModel::modelReset, this, &HistoryPane::updateButtons);
    updateButtons();
    m_pane->setPlaceholder(tr("The history is read when this pane is first shown."));
}

std::optional<qint64> HistoryPane::chosen() const
{
    const QModelIndex index = m_filter->mapToSource(m_view->currentIndex());
    if (!index.isValid()) {
        return {};
    }
    return m_model->entries()[static_cast<std::size_t>(index.row())].id;
}

void HistoryPane::updateButtons()
{
    const bool any = m_view->currentIndex().isValid();
    m_result->setEnabled(any);
    m_text->setEnabled(any);
}

void HistoryPane::setEntries(std::vector<records::HistoryEntry> entries, bool truncated)
{
    const auto before = chosen();
    const int count = static_cast<int>(entries.size());
    m_model->setEntries(std::move(entries));
    m_summary->setText(truncated
            ? tr("the newest %n evaluation(s); `ptxwb history` lists all", nullptr, count)
            : tr("%n evaluation(s)", nullptr, count));
    m_summary->setToolTip(m_summary->text());
    m_pane->setPlaceholder(count > 0
            ? QString()
            : tr("No evaluation has been kept yet. Each that F5 or `ptxwb eval` makes appears here, with the "
                 "text that it was made of."));
    for (int row = 0; before && row < count; ++row) {
        if (m_model->entries()[static_cast<std::size_t>(row)].id == *before) {
            m_view->setCurrentIndex(m_filter->mapFromSource(m_model->index(row, 0)));
        }
    }
    if (count > 0 && !m_view->currentIndex().isValid()) {
        m_view->setCurrentIndex(m_view->model()->index(0, 0));
    }
    if (m_words->hasFocus() && m_words->text().isEmpty()) {
        m_view->setFocus(); // it went there while there was no list to go to
    }
    updateButtons();
}

void HistoryPane::showProblem(const QString& sentence)
{
    m_model->setEntries({});
    m_summary->clear();
    m_pane->setPlaceholder(sentence);
    updateButtons();
}

void HistoryPane::setColours(const StatusColours& colours)
{
    m_model->setColours(colours);
}

} // namespace ptxwb
