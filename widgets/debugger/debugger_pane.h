// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/debugger/debug_snapshot.h"
#include "widgets/editor/placeholder_pane.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QTableView;
class QToolBar;

namespace ptxwb {

class DebugTableModel;
class FindingsModel;
class MemoryView;
class TimelinePane;
struct StatusColours;

/// Where a kernel stands on the emulator: warps, registers, barriers, asynchronous operations, reports.
class DebuggerPane : public QWidget {
    Q_OBJECT
public:
    explicit DebuggerPane(QWidget* parent = nullptr);

    /// The window's actions (start, continue, step ...), shown as buttons.
    void setActions(const QList<QAction*>& actions);
    emulator::AsyncPolicy policy() const;
    quint64 seed() const;
    quint64 cta() const;
    /// As a report needs them.
    void setSchedule(emulator::AsyncPolicy policy, quint64 seed, quint64 cta);

    void show(const DebugSnapshot& snapshot);
    const std::optional<DebugSnapshot>& shown() const { return m_now; }
    /// No session; the sentence says why or what to do.
    void showReason(const QString& sentence);
    void setBusy(const QString& what);
    /// The text has changed since the session began.
    void setStale(bool stale);
    void setColours(const StatusColours& colours);
    void setCodeFont(const QFont& font);
    QString stateText() const;
    QString placeholder() const { return m_pane->placeholder(); }

    DebugTableModel* warps() const { return m_warps; }
    DebugTableModel* registers() const { return m_registers; }
    DebugTableModel* barriers() const { return m_barriers; }
    DebugTableModel* pending() const { return m_pending; }
    DebugTableModel* watches() const { return m_watches; }
    MemoryView* memory() const { return m_memory; }
    TimelinePane* timeline() const { return m_timeline; }
    FindingsModel* reports() const { return m_reports; }

signals:
    void warpChosen(const ptxwb::emulator::WarpName& warp);
    void barrierActivated(const ptxwb::emulator::BarrierView& barrier);
    /// By its number in the snapshot.
    void reportActivated(int number);
    void lineActivated(int line);
    /// A place in words: "%r5", "Y[3]", "shared+1024".
    void watchRequested(const QString& place);
    void unwatchRequested(int number);
    void backRequested(const QString& place);
    void memoryQueryChanged(const ptxwb::MemoryQuery& query);

private:
    QWidget* makeHead();
    QWidget* makeTables();
    QWidget* makeRegisters();
    QWidget* makeWatches();
    void showRegisters();

    DebugTableModel* m_warps;
    DebugTableModel* m_registers;
    DebugTableModel* m_barriers;
    DebugTableModel* m_pending;
    DebugTableModel* m_watches;
    FindingsModel* m_reports;
    QToolBar* m_bar;
    QComboBox* m_policy;
    QSpinBox* m_seed;
    QSpinBox* m_cta;
    QSpinBox* m_lane;
    QComboBox* m_format;
    QLineEdit* m_place;
    MemoryView* m_memory;
    TimelinePane* m_timeline;
    QLabel* m_state;
    QLabel* m_launch;
    QTableView* m_registersView = nullptr;
    PlaceholderPane* m_pane = nullptr;
    std::optional<DebugSnapshot> m_now;
    std::optional<DebugSnapshot> m_before;
    bool m_stale = false;
};

} // namespace ptxwb
