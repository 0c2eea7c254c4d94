// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/results_pane.h"

#include "widgets/results/evidence_view.h"
#include "widgets/results/phases_view.h"
#include "widgets/results/verdict_banner.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace ptxwb {

ResultsPane::ResultsPane(QWidget* parent)
    : QWidget(parent)
    , m_chooser(new QComboBox(this))
    , m_banner(new VerdictBanner(this))
    , m_phases(new PhasesView(this))
    , m_evidence(new EvidenceView(this))
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
    layout->addWidget(m_evidence, 1);
    connect(m_chooser, &QComboBox::activated, this, [this](int index) {
        showRun(index);
        emit runChosen(index);
    });
    setRuns({}, -1);
}

void ResultsPane::setColours(const StatusColours& colours)
{
    m_banner->setColours(colours);
    m_phases->setColours(colours);
    m_evidence->model()->setColours(colours);
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
    m_banner->showVerdict(
        run->evaluation->verdict, QString::fromStdString(run->evaluation->explanation), provenanceText(*run));
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
