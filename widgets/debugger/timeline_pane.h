// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/timeline.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace ptxwb {

class PlaceholderPane;
class TimelineView;

/// The timeline of a debugger's run with its buttons, or the sentence that says how to get one.
class TimelinePane : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePane(QWidget* parent = nullptr);

    void show(emulator::Timeline timeline);
    /// Where the debugger stands.
    void setRound(quint64 round);
    void clear();
    TimelineView* view() const { return m_view; }
    const emulator::Timeline& timeline() const { return m_timeline; }
    QString note() const;

signals:
    /// Up to where the debugger stands, or of the whole run.
    void recordingRequested(bool whole);
    void exportRequested();
    void roundActivated(quint64 round);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showLegend();
    void showNote();

    emulator::Timeline m_timeline;
    TimelineView* m_view;
    PlaceholderPane* m_pane;
    QPushButton* m_export;
    QLabel* m_legend;
    QLabel* m_note;
    QString m_chosen;
};

} // namespace ptxwb
