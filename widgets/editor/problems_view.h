// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/placeholder_pane.h"
#include "widgets/editor/problems_model.h"

#include <memory>
#include <string>

class QAction;
class QLabel;
class QMenu;
class QPushButton;
class QTreeView;

namespace ptxwb {

class ProblemDetail;

/// The causes of what the tools said, with what follows from each folded beneath it; beside them the chosen
/// one at length, with its fixes. Enter or a double click asks to go there, Ctrl+. offers the fixes.
class ProblemsView : public PlaceholderPane {
    Q_OBJECT
public:
    explicit ProblemsView(QWidget* parent = nullptr);

    /// `source`: the text that the messages speak of, for previews. `ownFile` as in the model.
    void setProblems(const std::vector<Diagnostic>& diagnostics, const std::vector<PerformanceNote>& notes,
        std::string source = {}, const std::string& ownFile = {});
    ProblemsModel* model() const { return m_model; }
    QString rowsAsText() const { return m_model->asText(); }
    /// A cause.
    void setCurrentRow(int row);
    /// Of the cause to which the chosen row belongs; -1 for none.
    int currentRow() const;
    /// The text has changed since: fixes are shown and cannot be applied.
    void setStale(bool stale);
    void setColours(const StatusColours& colours);
    void setCodeFont(const QFont& font);

signals:
    void placeActivated(int line, int column);
    void fixRequested(const ptxwb::Fix& fix);
    void allFixesRequested();

private:
    ProblemsView(QWidget* content, QWidget* parent);
    void makeTree();
    void copySelection();
    void showDetail();
    void showSummary();
    void showContextMenu(const QPoint& at);

    QTreeView* m_view;
    ProblemsModel* m_model;
    ProblemDetail* m_detail;
    QLabel* m_summary;
    QPushButton* m_fixAll;
    QAction* m_copy;
    std::shared_ptr<const std::string> m_source;
    bool m_stale = false;
};

} // namespace ptxwb
