// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/placeholder_pane.h"
#include "widgets/results/evidence_model.h"

class QPlainTextEdit;
class QTreeView;

namespace ptxwb {

/// The ledger as a table of one line a claim that can be copied as TSV or Markdown; the chosen row stands
/// below in full.
class EvidenceView : public PlaceholderPane {
    Q_OBJECT
public:
    explicit EvidenceView(QWidget* parent = nullptr);

    EvidenceModel* model() const { return m_model; }
    /// What stands below the table; empty while no row is chosen.
    QString detail() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    EvidenceView(QWidget* content, QWidget* parent);
    void addCopyActions();
    void spreadColumns();
    void showDetail();

    QTreeView* m_view;
    QPlainTextEdit* m_detail;
    EvidenceModel* m_model;
};

} // namespace ptxwb
