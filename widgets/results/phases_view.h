// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"
#include "widgets/editor/theme_colours.h"

#include <QElapsedTimer>
#include <QWidget>

#include <vector>

class QLabel;
class QProgressBar;
class QTimer;

namespace ptxwb {

/// The phases of an evaluation in a strip: what is over and how, what runs and for how long.
class PhasesView : public QWidget {
    Q_OBJECT
public:
    explicit PhasesView(QWidget* parent = nullptr);

    void setColours(const StatusColours& colours);
    /// A finished evaluation.
    void showPhases(const std::vector<PhaseRecord>& phases);
    /// A new run starts: every phase is open, the clock runs.
    void startRun();
    void setProgress(Phase phase, double fraction, const QString& message);
    void endPhase(const PhaseRecord& record);
    /// The run is over, however it ended.
    void stopRun();

    QString phaseText(Phase phase) const;
    bool isRunning() const { return m_running; }
    QString statusText() const;

private:
    void paint(Phase phase);
    void showElapsed();
    void setRunningVisible(bool visible);

    struct Chip {
        Phase phase;
        QLabel* label;
        std::optional<PhaseRecord> record{};
    };
    Chip& chip(Phase phase);

    std::vector<Chip> m_chips;
    StatusColours m_colours;
    QProgressBar* m_bar;
    QLabel* m_status;
    QTimer* m_tick;
    QElapsedTimer m_clock;
    QString m_message;
    std::optional<Phase> m_current;
    bool m_running = false;
};

} // namespace ptxwb
