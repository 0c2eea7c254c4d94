// SPDX-License-Identifier: Apache-2.0
#include "widgets/triage/triage_pane.h"

#include "widgets/editor/roomy_delegate.h"
#include "widgets/triage/cause_histogram.h"
#include "widgets/triage/triage_filter_model.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

namespace ptxwb {

TriagePane::TriagePane(QWidget* parent)
    : QWidget(parent)
    , m_model(new TriageModel(this))
    , m_filter(new TriageFilterModel(this))
    , m_choose(new QPushButton(tr("Choose a folder…")))
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_summary(new QLabel)
    , m_progress(new QProgressBar)
    , m_words(new QLineEdit)
    , m_histogram(new CauseHistogram)
    , m_view(new QTreeView)
    , m_count(new QTimer(this))
{
    m_count->setSingleShot(true);
    m_count->setInterval(150);
    connect(m_count, &QTimer::timeout, this, &TriagePane::showCounts);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(6, 4, 6, 2);
    head->addWidget(m_choose);
    head->addWidget(m_summary, 1);
    head->addWidget(m_progress);
    head->addWidget(m_cancel);
    head->addWidget(m_words);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_summary->setTextFormat(Qt::PlainText);
    m_progress->setMaximumWidth(160);
    m_words->setPlaceholderText(tr("Filter by words"));
    m_words->setAccessibleName(tr("Filter by words"));
    m_words->setClearButtonEnabled(true);
    m_words->setMaximumWidth(220);

    m_filter->setSourceModel(m_model);
    m_view->setModel(m_filter);
    m_view->setRootIsDecorated(false);
    m_view->setUniformRowHeights(true);
    m_view->setItemDelegate(new RoomyDelegate(m_view));
    m_view->setAlternatingRowColors(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setSortingEnabled(true);
    m_view->sortByColumn(-1, Qt::AscendingOrder); // in the order of the files until the user sorts
    m_view->setAccessibleName(tr("Answers"));
    const std::pair<int, int> widths[] = {{TriageModel::AnswerColumn, 220}, {TriageModel::ResultColumn, 130},
        {TriageModel::CauseColumn, 210}, {TriageModel::LineColumn, 50}, {TriageModel::MessageColumn, 330},
        {TriageModel::AskedColumn, 150}, {TriageModel::PresentColumn, 170}};
    for (const auto& [column, width] : widths) {
        m_view->setColumnWidth(column, width);
    }
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(m_histogram);
    splitter->addWidget(m_view);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({230, 700});
    m_histogram->setMinimumHeight(40); // else the pane would push up the whole row of docks
    m_view->setMinimumHeight(40);
    m_pane = new PlaceholderPane(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_pane, 1);
    setFocusProxy(m_choose);

    connect(m_choose, &QPushButton::clicked, this, &TriagePane::folderRequested);
    connect(m_cancel, &QPushButton::clicked, this, &TriagePane::cancelRequested);
    connect(m_words, &QLineEdit::textChanged, m_filter, &TriageFilterModel::setWords);
    connect(m_histogram, &CauseHistogram::bucketChosen, m_filter, &TriageFilterModel::setBucket);
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const int row = m_filter->mapToSource(index).row();
        emit rowActivated(m_model->rows()[static_cast<std::size_t>(row)]);
    });
    setRunning(false);
    m_pane->setPlaceholder(tr("Nothing has been looked through yet. Choose a folder of answers (.ptx, .cu, "
                              "Markdown with code blocks, trajectories): each is compiled, none is run, and "
                              "the causes of the failures are counted here."));
}

void TriagePane::setRunning(bool running)
{
    m_running = running;
    m_progress->setVisible(running);
    m_cancel->setVisible(running);
    m_choose->setEnabled(!running);
}

void TriagePane::startRun(const QString& path)
{
    m_path = path;
    m_model->setRows({});
    m_progress->setRange(0, 0);
    setRunning(true);
    showCounts();
    m_pane->setPlaceholder(tr("Looking for answers in %1…").arg(path));
    m_summary->setText(path);
}

void TriagePane::addRow(const records::TriageRow& row, int filesRead, int files)
{
    m_model->addRow(row);
    m_progress->setRange(0, files);
    m_progress->setValue(filesRead);
    m_pane->setPlaceholder({});
    m_summary->setText(tr("%1: %n answer(s) so far", nullptr, m_model->rowCount()).arg(m_path));
    if (!m_count->isActive()) {
        m_count->start();
    }
}

void TriagePane::endRun(std::vector<records::TriageRow> rows, const QString& summary)
{
    m_model->setRows(std::move(rows));
    setRunning(false);
    showCounts();
    m_pane->setPlaceholder({});
    m_summary->setText(summary);
    m_summary->setToolTip(summary);
}

void TriagePane::stopRun(const QString& why)
{
    setRunning(false);
    showCounts();
    m_summary->setText(why);
    m_summary->setToolTip(why);
    if (m_model->rowCount() == 0) {
        m_pane->setPlaceholder(why);
    }
}

QString TriagePane::summary() const
{
    return m_summary->text();
}

void TriagePane::showCounts()
{
    m_histogram->setCounts(m_model->counts());
}

void TriagePane::setColours(const StatusColours& colours)
{
    m_model->setColours(colours);
    m_histogram->setColours(colours);
}

} // namespace ptxwb
