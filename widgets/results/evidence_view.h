// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/placeholder_pane.h"
#include "widgets/results/evidence_model.h"

class QTreeView;

namespace ptxwb {

/// The ledger as a table that can be copied as TSV or Markdown.
class EvidenceView : public PlaceholderPane {
    Q_OBJECT
public:
    explicit EvidenceView(QWidget* parent = nullptr);

    EvidenceModel* model() const { return m_model; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    EvidenceView(QTreeView* view, QWidget* parent);
    void spreadColumns();

    QTreeView* m_view;
    EvidenceModel* m_model;
};

} // namespace ptxwb
