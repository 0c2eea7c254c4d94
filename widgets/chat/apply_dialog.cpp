// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/apply_dialog.h"

#include "widgets/chat/apply_view.h"

#include <QVBoxLayout>

namespace ptxwb {

ApplyDialog::ApplyDialog(
    const llm::Proposal& proposal, bool cutByLimit, const QString& bufferTitle, QWidget* parent)
    : QDialog(parent)
    , m_view(new ApplyView(this))
{
    setWindowTitle(tr("Apply to %1").arg(bufferTitle));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    m_view->setProposal(proposal, cutByLimit);
    connect(m_view, &ApplyView::accepted, this, [this](const QString& text, const QString& basedOn) {
        emit textAccepted(text, basedOn);
        accept();
    });
    connect(m_view, &ApplyView::rejected, this, &QDialog::reject);
}

} // namespace ptxwb
