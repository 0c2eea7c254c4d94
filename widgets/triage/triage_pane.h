// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/triage_row.h"
#include "widgets/editor/placeholder_pane.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTimer;
class QTreeView;

namespace ptxwb {

class CauseHistogram;
struct StatusColours;
class TriageFilterModel;
class TriageModel;

/// A folder of answers looked through: why the failed ones fail, and the way to each.
class TriagePane : public QWidget {
    Q_OBJECT
public:
    explicit TriagePane(QWidget* parent = nullptr);

    TriageModel* model() const { return m_model; }
    TriageFilterModel* filter() const { return m_filter; }
    CauseHistogram* histogram() const { return m_histogram; }

    /// Before the first row of a new run of `path`.
    void startRun(const QString& path);
    /// A row that is ready; `files` 0: not known yet.
    void addRow(const records::TriageRow& row, int filesRead, int files);
    /// The run has ended: all rows in order, and a line about them.
    void endRun(std::vector<records::TriageRow> rows, const QString& summary);
    /// The run was stopped or failed; rows that were ready stay.
    void stopRun(const QString& why);
    bool isRunning() const { return m_running; }
    QString summary() const;
    void setColours(const StatusColours& colours);

signals:
    void folderRequested();
    void cancelRequested();
    void rowActivated(const ptxwb::records::TriageRow& row);

private:
    void showCounts();
    void setRunning(bool running);

    TriageModel* m_model;
    TriageFilterModel* m_filter;
    QPushButton* m_choose;
    QPushButton* m_cancel;
    QLabel* m_summary;
    QProgressBar* m_progress;
    QLineEdit* m_words;
    CauseHistogram* m_histogram;
    QTreeView* m_view;
    QTimer* m_count; ///< rows come faster than bars need to grow
    PlaceholderPane* m_pane = nullptr;
    QString m_path;
    bool m_running = false;
};

} // namespace ptxwb
