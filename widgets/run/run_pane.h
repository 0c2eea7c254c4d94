// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/run_plan.h"
#include "widgets/editor/placeholder_pane.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTreeView;

namespace ptxwb {

class FindingsModel;
class FindingsView;
class OutputsModel;
struct StatusColours;
class VerdictBanner;

/// Any kernel by its own plan on the emulator: what it wrote and what was found under each schedule.
class RunPane : public QWidget {
    Q_OBJECT
public:
    explicit RunPane(QWidget* parent = nullptr);

    quint64 seed() const;
    int seeds() const; ///< random schedules
    int limitSeconds() const; ///< of one schedule

    void startRun();
    void setProgress(quint64 done, quint64 total);
    void showOutcome(const emulator::PlanRunOutcome& outcome);
    /// The run gave nothing; `canInsertPlan`: a plan to begin with can be put into the text.
    void showFailure(const QString& sentence, bool canInsertPlan);
    void stopRun();
    bool isRunning() const { return m_running; }
    /// The text has changed since the outcome: its lines may have moved.
    void setStale(bool stale);
    /// Another text: what was shown is gone.
    void clear();
    void setColours(const StatusColours& colours);

    VerdictBanner* banner() const { return m_banner; }
    OutputsModel* outputs() const { return m_outputs; }
    FindingsModel* findings() const { return m_findings; }
    QString placeholder() const { return m_pane->placeholder(); }

signals:
    void runRequested();
    void cancelRequested();
    void insertPlanRequested();
    void lineActivated(int line);
    /// The user wants to see a finding in the debugger.
    void debugRequested(const ptxwb::emulator::Report& report);

private:
    QWidget* makeHead();
    void setRunning(bool running);

    OutputsModel* m_outputs;
    FindingsModel* m_findings;
    VerdictBanner* m_banner;
    QPushButton* m_run;
    QPushButton* m_cancel;
    QPushButton* m_insertPlan;
    QSpinBox* m_seed;
    QSpinBox* m_seeds;
    QSpinBox* m_limit;
    QProgressBar* m_progress;
    QLabel* m_schedules;
    QTreeView* m_outputsView;
    FindingsView* m_findingsView;
    PlaceholderPane* m_pane = nullptr;
    QString m_schedulesText;
    bool m_running = false;
    bool m_stale = false;
};

} // namespace ptxwb
