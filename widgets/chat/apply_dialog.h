// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/hunks.h"

#include <QDialog>

namespace ptxwb {

class ApplyView;

/// The apply view as a dialog of its own.
class ApplyDialog : public QDialog {
    Q_OBJECT
public:
    ApplyDialog(const llm::Proposal& proposal, bool cutByLimit, const QString& bufferTitle,
        QWidget* parent = nullptr);

    ApplyView* view() const { return m_view; }
    QSize sizeHint() const override { return {860, 640}; }

signals:
    /// As ApplyView::accepted; the dialog closes after it.
    void textAccepted(const QString& text, const QString& basedOn);

private:
    ApplyView* m_view;
};

} // namespace ptxwb
