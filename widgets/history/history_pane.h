// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/placeholder_pane.h"
#include "widgets/history/history_model.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTreeView;

namespace ptxwb {

/// The evaluations that were kept, here and by the command line: each with its result, and the text that it
/// was made of.
class HistoryPane : public QWidget {
    Q_OBJECT
public:
    explicit HistoryPane(QWidget* parent = nullptr);

    HistoryModel* model() const { return m_model; }
    QTreeView* view() const { return m_view; }

    /// Newest first. `truncated`: there are older ones.
    void setEntries(std::vector<records::HistoryEntry> entries, bool truncated);
    /// Why there is no list.
    void showProblem(const QString& sentence);
    QString placeholder() const { return m_pane->placeholder(); }
    void setColours(const StatusColours& colours);

signals:
    void reloadRequested();
    void resultRequested(qint64 id);
    void textRequested(qint64 id);

private:
    std::optional<qint64> chosen() const;
    void updateButtons();

    HistoryModel* m_model;
    QSortFilterProxyModel* m_filter;
    QPushButton* m_result;
    QPushButton* m_text;
    QPushButton* m_reload;
    QLabel* m_summary;
    QLineEdit* m_words;
    QTreeView* m_view;
    PlaceholderPane* m_pane = nullptr;
};

} // namespace ptxwb
