// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/placeholder_pane.h"
#include "widgets/editor/problems_model.h"

class QTreeView;

namespace ptxwb {

/// The list of problems; Enter or a double click asks to go there.
class ProblemsView : public PlaceholderPane {
    Q_OBJECT
public:
    explicit ProblemsView(QWidget* parent = nullptr);

    ProblemsModel* model() const { return m_model; }
    QString rowsAsText() const;
    void setCurrentRow(int row);

signals:
    void placeActivated(int line, int column);

private:
    ProblemsView(QTreeView* view, QWidget* parent);
    void copySelection();

    QTreeView* m_view;
    ProblemsModel* m_model;
};

} // namespace ptxwb
