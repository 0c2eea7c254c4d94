// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/results_pane.h"

#include "widgets/results/evidence_view.h"
#include "widgets/results/findings_model.h"
#include "widgets/results/findings_view.h"
#include "widgets/results/ledger_words.h"
#include "widgets/results/phases_view.h"
#include "widgets/results/verdict_banner.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

namespace ptxwb {

namespace {

/// The explanation, behind the goals that a candidate misses: correct alone would hide them.
QString sentenceOf(const Evaluation& evaluation)
{
    QStringList missed;
    for (const std::string& goal : missedGoals(evaluation)) {
        missed << LedgerWords::translated(goal);
    }
    const QString explanation = LedgerWords::translated(evaluation.explanation);
    return missed.isEmpty() ? explanation
                            : ResultsPane::tr("Goal missed: %1.").arg(missed.join(QStringLiteral(", ")))
            + QLatin1Char(' ') + explanation;
}

} // namespace

ResultsPane::ResultsPane(QWidget* parent)
    : QWidget(parent)
    , m_chooser(new QComboBox(this))
    , m_banner(new VerdictBanner(this))
    , m_phases(new PhasesView(this))
    , m_evidence(new EvidenceView(this))
    , m_findings(new FindingsModel(this))
    , m_findingsView(new FindingsView(m_findings, this))
{
    setObjectName(QStringLiteral("resultsPane"));
    m_chooser->setAccessibleName(tr("Evaluation to show"));
    m_chooser->setToolTip(tr("Evaluations made here, and recorded ones of the chosen task"));
    m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_chooser->setMinimumContentsLength(20);
    m_chooser->setPlaceholderText(tr("Choose a run to look at: made here, or recorded"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_chooser);
    layout->addWidget(m_banner);
    layout->addWidget(m_phases);
    layout->addWidget(makeLists(), 1);
    setFocusProxy(m_evidence);
    connect(m_chooser, &QComboBox::activated, this, [this](int index) {
        showRun(index);
        emit runChosen(index);
    });
    setRuns({}, -1);
}

QWidget* ResultsPane::makeLists()
{
    connect(m_findingsView, &FindingsView::lineActivated, this, [this](int line) {
        if (const RunEntry* run = shownRun(); run != nullptr && run->sameText) {
            emit lineActivated(line);
        }
    });
    connect(m_findingsView, &FindingsView::debugRequested, this, &ResultsPane::debugRequested);
    auto* lists = new QSplitter(Qt::Vertical, this);
    lists->addWidget(m_findingsView);
    lists->addWidget(m_evidence);
    lists->setStretchFactor(1, 1);
    lists->setChildrenCollapsible(false);
    return lists;
}

void ResultsPane::showFindings(const RunEntry* run)
{
    m_findings->setReports(run != nullptr ? run->evaluation->reports : std::vector<emulator::Report>{});
    m_findingsView->setVisible(m_findings->rowCount() > 0);
}

void ResultsPane::setColours(const StatusColours& colours)
{
    m_banner->setColours(colours);
    m_phases->setColours(colours);
    m_evidence->model()->setColours(colours);
    m_findings->setColours(colours);
}

void ResultsPane::setRuns(const std::vector<RunEntry>& runs, int shown)
{
    m_runs = runs;
    const QSignalBlocker blocker(m_chooser);
    m_chooser->clear();
    for (const RunEntry& run : m_runs) {
        m_chooser->addItem(runTitle(run));
    }
    m_chooser->setVisible(!m_runs.empty());
    m_chooser->setCurrentIndex(shown);
    showRun(shown);
}

void ResultsPane::setReason(const QString& text)
{
    m_reason = text;
    if (m_shown < 0) {
        showRun(-1);
    }
}

void ResultsPane::showRun(int index)
{
    m_shown = index >= 0 && static_cast<std::size_t>(index) < m_runs.size() ? index : -1;
    const RunEntry* run = shownRun();
    showFindings(run);
    if (run == nullptr) {
        m_banner->showMessage(Tone::Neutral, tr("Not evaluated"), m_reason);
        if (!m_phases->isRunning()) {
            m_phases->showPhases({});
        }
        m_evidence->model()->setEvidence({});
        m_evidence->setPlaceholder(
            tr("No evidence yet. F5 evaluates the kernel; every claim then has a row here, "
               "with what was measured, by which tool, or why it was not."));
        return;
    }
    if (run->sameText) {
        m_banner->showVerdict(run->evaluation->verdict, sentenceOf(*run->evaluation), provenanceText(*run));
    } else {
        const QString sentence = run->origin == RunOrigin::Recorded
            ? tr("Recorded run of another text with this file name, not of the text in the editor: F5 "
                 "evaluates that.")
            : run->origin == RunOrigin::Kept ? tr("An evaluation from the history, of another text than the "
                                                  "one in the editor: the pane History "
                                                  "opens that text.")
                                             : sentenceOf(*run->evaluation);
        m_banner->showVerdictOfAnotherText(run->evaluation->verdict, sentence, provenanceText(*run));
    }
    if (!m_phases->isRunning()) {
        m_phases->showPhases(run->evaluation->phases);
    }
    m_evidence->model()->setEvidence(run->evaluation->evidence);
    m_evidence->setPlaceholder({});
}

const RunEntry* ResultsPane::shownRun() const
{
    return m_shown < 0 ? nullptr : &m_runs[static_cast<std::size_t>(m_shown)];
}

} // namespace ptxwb
