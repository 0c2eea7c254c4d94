// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/transcript_view.h"

#include "widgets/chat/message_view.h"

#include <QScrollBar>
#include <QVBoxLayout>

namespace ptxwb {

TranscriptView::TranscriptView(QWidget* parent)
    : QScrollArea(parent)
    , m_column(new QVBoxLayout)
{
    auto* content = new QWidget;
    auto* outer = new QVBoxLayout(content);
    outer->setContentsMargins(6, 6, 6, 6);
    m_column->setSpacing(8);
    outer->addLayout(m_column);
    outer->addStretch(1);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Conversation"));
    setBackgroundRole(QPalette::Base);
    auto* bar = verticalScrollBar();
    connect(bar, &QScrollBar::valueChanged, this,
        [this, bar](int value) { m_followsEnd = value >= bar->maximum() - 4; });
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int maximum) {
        if (m_followsEnd) {
            bar->setValue(maximum);
        }
    });
}

void TranscriptView::setConversation(const llm::Conversation& conversation)
{
    std::size_t used = 0;
    const bool streaming =
        !conversation.messages.empty() && conversation.messages.back().state == llm::FinishState::Streaming;
    for (std::size_t i = 0; i < conversation.messages.size(); ++i) {
        const auto& message = conversation.messages[i];
        if (message.role == llm::Role::System) {
            continue;
        }
        if (used == m_shown.size()) {
            m_shown.push_back({addView(), 0});
        }
        auto& shown = m_shown[used++];
        shown.messageIndex = static_cast<int>(i);
        shown.view->setMessage(message, i + 1 == conversation.messages.size(), !streaming);
        shown.view->setLeftOut(message.role == llm::Role::User && llm::isUnanswered(conversation, i));
    }
    while (m_shown.size() > used) {
        delete m_shown.back().view;
        m_shown.pop_back();
    }
}

MessageView* TranscriptView::addView()
{
    auto* view = new MessageView(widget());
    m_column->addWidget(view);
    const auto indexOf = [this, view] {
        for (const auto& shown : m_shown) {
            if (shown.view == view) {
                return shown.messageIndex;
            }
        }
        return -1;
    };
    connect(view, &MessageView::applyRequested, this,
        [this, indexOf](const QString& code) { emit applyRequested(code, indexOf()); });
    connect(view, &MessageView::editRequested, this,
        [this, indexOf](const QString& text) { emit editRequested(indexOf(), text); });
    connect(view, &MessageView::retryRequested, this, &TranscriptView::retryRequested);
    connect(view, &MessageView::linkActivated, this, &TranscriptView::linkActivated);
    return view;
}

} // namespace ptxwb
