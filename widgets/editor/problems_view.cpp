// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/problems_view.h"

#include "widgets/editor/problem_detail.h"
#include "widgets/editor/roomy_delegate.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

namespace ptxwb {

ProblemsView::ProblemsView(QWidget* parent)
    : ProblemsView(new QSplitter(Qt::Horizontal), parent)
{
}

ProblemsView::ProblemsView(QWidget* content, QWidget* parent)
    : PlaceholderPane(content, parent)
    , m_view(new QTreeView)
    , m_model(new ProblemsModel(this))
    , m_detail(new ProblemDetail)
    , m_summary(new QLabel)
    , m_fixAll(new QPushButton(tr("Apply all fixes")))
    , m_copy(new QAction(tr("Copy"), m_view))
{
    auto* splitter = qobject_cast<QSplitter*>(content);
    auto* list = new QWidget;
    auto* layout = new QVBoxLayout(list);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_view, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(6, 0, 6, 2);
    foot->addWidget(m_summary, 1);
    foot->addWidget(m_fixAll);
    layout->addLayout(foot);
    splitter->addWidget(list);
    splitter->addWidget(m_detail);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setFocusProxy(m_view);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_fixAll->setObjectName(QStringLiteral("applyAllFixes"));
    m_fixAll->setToolTip(tr("The first fix of every cause, as one step that Undo takes back"));
    makeTree();
    connect(m_fixAll, &QPushButton::clicked, this, &ProblemsView::allFixesRequested);
    connect(m_detail, &ProblemDetail::fixRequested, this, &ProblemsView::fixRequested);
    connect(m_detail, &ProblemDetail::focusLost, m_view, [this] { m_view->setFocus(); });
    showSummary();
}

void ProblemsView::makeTree()
{
    m_view->setModel(m_model);
    m_view->setUniformRowHeights(true);
    m_view->setMinimumHeight(40);
    m_detail->setMinimumHeight(40);
    m_view->setItemDelegate(new RoomyDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setAlternatingRowColors(true);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setAccessibleName(tr("Problems"));
    m_view->header()->setStretchLastSection(false);
    m_view->header()->setSectionResizeMode(ProblemsModel::MessageColumn, QHeaderView::Stretch);
    for (const int column : {ProblemsModel::SeverityColumn, ProblemsModel::LineColumn,
             ProblemsModel::ColumnColumn, ProblemsModel::FixColumn, ProblemsModel::ToolColumn}) {
        m_view->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    }
    connect(m_view, &QTreeView::activated, this, [this](const QModelIndex& index) {
        const int line = index.data(ProblemsModel::LineRole).toInt();
        if (line > 0) {
            emit placeActivated(line, std::max(1, index.data(ProblemsModel::ColumnRole).toInt()));
        }
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this, &ProblemsView::showDetail);
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(m_copy);
    connect(m_copy, &QAction::triggered, this, &ProblemsView::copySelection);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, &ProblemsView::showContextMenu);
}

void ProblemsView::setProblems(const std::vector<Diagnostic>& diagnostics,
    const std::vector<PerformanceNote>& notes, std::string source, const std::string& ownFile)
{
    const int row = currentRow();
    m_source = std::make_shared<const std::string>(std::move(source));
    m_model->setProblems(diagnostics, notes, ownFile);
    m_stale = false;
    m_detail->setStale(false);
    if (m_model->rowCount() > 0) {
        setCurrentRow(std::clamp(row, 0, m_model->rowCount() - 1));
    }
    showDetail();
    showSummary();
}

void ProblemsView::setCurrentRow(int row)
{
    m_view->setCurrentIndex(m_model->index(row, 0));
}

int ProblemsView::currentRow() const
{
    const QModelIndex current = m_view->currentIndex();
    return current.parent().isValid() ? current.parent().row() : current.row();
}

void ProblemsView::setStale(bool stale)
{
    m_stale = stale;
    m_detail->setStale(stale);
    showSummary();
}

void ProblemsView::setColours(const StatusColours& colours)
{
    m_model->setColours(colours);
    m_detail->setColours(colours);
}

void ProblemsView::setCodeFont(const QFont& font)
{
    m_detail->setCodeFont(font);
}

void ProblemsView::showDetail()
{
    const QModelIndex current = m_view->currentIndex();
    const Problem* problem = m_model->problem(current);
    m_detail->showProblem(
        problem, problem == nullptr ? QString() : m_model->messageText(problem->cause), m_source);
}

void ProblemsView::showSummary()
{
    const int rows = m_model->rowCount();
    const int fixable = m_model->fixableCount();
    int folded = 0;
    for (const Problem& problem : m_model->problems()) {
        folded += problem.isNote ? 0 : static_cast<int>(problem.consequences.size());
    }
    QStringList parts{tr("%n problem(s)", nullptr, rows)};
    if (folded > 0) {
        parts << tr("%n message(s) that follow from them", nullptr, folded);
    }
    if (fixable > 0) {
        parts << tr("%n with a fix", nullptr, fixable);
    }
    m_summary->setText(parts.join(QStringLiteral(" · ")));
    m_fixAll->setVisible(fixable > 0);
    m_fixAll->setEnabled(!m_stale);
}

void ProblemsView::showContextMenu(const QPoint& at)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const Problem* problem = m_model->problem(m_view->indexAt(at))) {
        for (const Fix& fix : problem->cause.fixes) {
            QAction* action = menu->addAction(tr("Apply: %1").arg(QString::fromStdString(fix.title)));
            action->setEnabled(!m_stale);
            connect(action, &QAction::triggered, this, [this, fix] { emit fixRequested(Fix(fix)); });
        }
    }
    if (m_model->fixableCount() > 0) {
        QAction* all = menu->addAction(tr("Apply all fixes"), this, &ProblemsView::allFixesRequested);
        all->setEnabled(!m_stale);
        menu->addSeparator();
    }
    menu->addAction(m_copy);
    menu->popup(m_view->viewport()->mapToGlobal(at));
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
