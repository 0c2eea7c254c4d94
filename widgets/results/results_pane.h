// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/theme_colours.h"
#include "widgets/results/run_entry.h"

#include <QWidget>

#include <vector>

class QComboBox;

namespace ptxwb {

class EvidenceView;
class FindingsModel;
class FindingsView;
class PhasesView;
class VerdictBanner;

/// Verdict, phases and evidence of one evaluation, and the choice among those that there are.
class ResultsPane : public QWidget {
    Q_OBJECT
public:
    explicit ResultsPane(QWidget* parent = nullptr);

    void setColours(const StatusColours& colours);
    /// The runs that can be looked at, newest first. `shown` is the index to show, -1 for none.
    void setRuns(const std::vector<RunEntry>& runs, int shown);
    /// Said while there is no run to show.
    void setReason(const QString& text);
    /// The run that is shown; null when none is.
    const RunEntry* shownRun() const;

    VerdictBanner* banner() const { return m_banner; }
    PhasesView* phases() const { return m_phases; }
    EvidenceView* evidence() const { return m_evidence; }
    FindingsModel* findings() const { return m_findings; }

signals:
    void runChosen(int index);
    /// The user went to a finding of the emulator; only sent for a run of the text in the editor.
    void lineActivated(int line);
    /// The user wants to see a finding in the debugger.
    void debugRequested(const ptxwb::emulator::Report& report);

private:
    void showRun(int index);
    QWidget* makeLists();
    void showFindings(const RunEntry* run);

    std::vector<RunEntry> m_runs;
    QString m_reason;
    int m_shown = -1;
    QComboBox* m_chooser;
    VerdictBanner* m_banner;
    PhasesView* m_phases;
    EvidenceView* m_evidence;
    FindingsModel* m_findings;
    FindingsView* m_findingsView;
};

} // namespace ptxwb
