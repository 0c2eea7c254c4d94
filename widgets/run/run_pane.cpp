// SPDX-License-Identifier: Apache-2.0
#include "widgets/run/run_pane.h"

#include "widgets/editor/roomy_delegate.h"
#include "widgets/results/findings_model.h"
#include "widgets/results/findings_view.h"
#include "widgets/results/ledger_words.h"
#include "widgets/results/verdict_banner.h"
#include "widgets/results/verdict_words.h"
#include "widgets/run/outputs_model.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include <limits>

namespace ptxwb {

namespace {

constexpr int leastListHeight = 40; // else the pane would push up the whole row of docks

QTreeView* makeList(QAbstractItemModel* model, const QString& name)
{
    auto* view = new QTreeView;
    view->setModel(model);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setAlternatingRowColors(true);
    view->setFrameShape(QFrame::NoFrame);
    view->setItemDelegate(new RoomyDelegate(view));
    view->setAccessibleName(name);
    view->setMinimumHeight(leastListHeight);
    view->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    return view;
}

QSpinBox* makeSpin(int most, int value, const QString& name, const QString& toolTip)
{
    auto* spin = new QSpinBox;
    spin->setRange(1, most);
    spin->setValue(value);
    spin->setAccessibleName(name);
    spin->setToolTip(toolTip);
    return spin;
}

} // namespace

RunPane::RunPane(QWidget* parent)
    : QWidget(parent)
    , m_outputs(new OutputsModel(this))
    , m_findings(new FindingsModel(this))
    , m_banner(new VerdictBanner)
    , m_run(new QPushButton(tr("Run (Ctrl+F5)")))
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_insertPlan(new QPushButton(tr("Insert a plan to begin with")))
    , m_seed(makeSpin(std::numeric_limits<int>::max(), 1, tr("Seed"),
          tr("Of random tensors and of the random schedules")))
    , m_seeds(makeSpin(
          1000, 1, tr("Random schedules"), tr("How many random schedules are tried, from the seed on")))
    , m_limit(makeSpin(3600, 60, tr("Seconds"), tr("That one schedule may take")))
    , m_progress(new QProgressBar)
    , m_schedules(new QLabel)
    , m_outputsView(makeList(m_outputs, tr("What the kernel wrote")))
    , m_findingsView(new FindingsView(m_findings))
{
    connect(m_findingsView, &FindingsView::lineActivated, this, &RunPane::lineActivated);
    connect(m_findingsView, &FindingsView::debugRequested, this, &RunPane::debugRequested);
    auto* lists = new QSplitter(Qt::Vertical);
    lists->addWidget(m_findingsView);
    lists->addWidget(m_outputsView);
    lists->setChildrenCollapsible(false);
    auto* content = new QWidget;
    auto* inner = new QVBoxLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(2);
    inner->addWidget(m_banner);
    inner->addWidget(lists, 1);
    m_schedules->setMargin(4);
    m_schedules->setForegroundRole(QPalette::PlaceholderText);
    inner->addWidget(m_schedules);
    m_pane = new PlaceholderPane(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(makeHead());
    layout->addWidget(m_pane, 1);
    setFocusProxy(m_run);
    setRunning(false);
    clear();
}

QWidget* RunPane::makeHead()
{
    auto* head = new QWidget;
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(6, 4, 6, 2);
    layout->addWidget(m_run);
    layout->addWidget(m_cancel);
    for (QSpinBox* spin : {m_seed, m_seeds, m_limit}) {
        auto* label = new QLabel(spin->accessibleName());
        label->setBuddy(spin);
        label->setContentsMargins(8, 0, 0, 0);
        layout->addWidget(label);
        layout->addWidget(spin);
    }
    layout->addWidget(m_progress);
    m_progress->setMaximumWidth(160);
    layout->addStretch(1);
    layout->addWidget(m_insertPlan);
    m_insertPlan->setObjectName(QStringLiteral("insertPlan"));
    m_insertPlan->setToolTip(tr("A launch plan made from the kernel's parameters, to be corrected: what a "
                                "parameter means cannot be known"));
    connect(m_run, &QPushButton::clicked, this, &RunPane::runRequested);
    connect(m_cancel, &QPushButton::clicked, this, &RunPane::cancelRequested);
    connect(m_insertPlan, &QPushButton::clicked, this, &RunPane::insertPlanRequested);
    return head;
}

quint64 RunPane::seed() const
{
    return static_cast<quint64>(m_seed->value());
}

int RunPane::seeds() const
{
    return m_seeds->value();
}

int RunPane::limitSeconds() const
{
    return m_limit->value();
}

void RunPane::setRunning(bool running)
{
    m_running = running;
    m_run->setEnabled(!running);
    m_cancel->setEnabled(running);
    m_progress->setVisible(running);
}

void RunPane::startRun()
{
    m_progress->setRange(0, 0);
    m_insertPlan->hide();
    setRunning(true);
    m_pane->setPlaceholder(tr("Running under all schedules…"));
}

void RunPane::setProgress(quint64 done, quint64 total)
{
    if (m_running && total > 0) {
        m_progress->setRange(0, 1000);
        m_progress->setValue(static_cast<int>(done * 1000 / total));
    }
}

void RunPane::showOutcome(const emulator::PlanRunOutcome& outcome)
{
    setRunning(false);
    m_insertPlan->hide();
    // Nothing found is no verdict on what the kernel computes: nobody said what it should.
    const bool clean = outcome.verdict == Verdict::Unverified;
    const QString sentence = LedgerWords::translated(outcome.explanation);
    if (clean) {
        m_banner->showMessage(Tone::Neutral, tr("Nothing was reported"), sentence);
    } else {
        m_banner->showVerdict(outcome.verdict, sentence, {});
    }
    m_outputs->setOutputs(outcome.outputs);
    m_findings->setReports(outcome.reports);
    m_findingsView->setVisible(!outcome.reports.empty());
    QStringList policies;
    for (const std::string& policy : outcome.schedules.policies) {
        policies << QString::fromStdString(policy);
    }
    m_schedulesText = tr("Schedules: %1 · runs %2 · seed %3 · %4 s · %5")
                          .arg(policies.join(QStringLiteral(", ")))
                          .arg(outcome.schedules.runs)
                          .arg(seed())
                          .arg(outcome.seconds, 0, 'f', 2)
                          .arg(QString::fromStdString(outcome.profile));
    m_pane->setPlaceholder({});
    setStale(false);
}

void RunPane::showFailure(const QString& sentence, bool canInsertPlan)
{
    setRunning(false);
    m_insertPlan->setVisible(canInsertPlan);
    m_pane->setPlaceholder(sentence);
}

void RunPane::stopRun()
{
    setRunning(false);
    m_pane->setPlaceholder(tr("Stopped; nothing is claimed. Ctrl+F5 runs again."));
}

void RunPane::setStale(bool stale)
{
    m_stale = stale;
    m_schedules->setText(stale ? tr("Of an earlier text: the editor has changed since.")
                + QStringLiteral(" · ") + m_schedulesText
                               : m_schedulesText);
}

void RunPane::clear()
{
    m_insertPlan->hide();
    m_outputs->setOutputs({});
    m_findings->setReports({});
    m_schedulesText.clear();
    m_pane->setPlaceholder(
        tr("Not run yet. Ctrl+F5 runs the kernel on the CPU under three schedules, without "
           "a task: its launch plan declares the tensors. What it wrote and what was found "
           "is shown here."));
}

void RunPane::setColours(const StatusColours& colours)
{
    m_banner->setColours(colours);
    m_findings->setColours(colours);
}

} // namespace ptxwb
