// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/conversation.h"

#include <QScrollArea>
#include <QUrl>

#include <vector>

class QVBoxLayout;

namespace ptxwb {

class MessageView;

/// The turns of a conversation, newest at the bottom. Follows the end while the user is there.
class TranscriptView : public QScrollArea {
    Q_OBJECT
public:
    explicit TranscriptView(QWidget* parent = nullptr);

    /// System messages are not shown. Parts that did not change keep their widgets.
    void setConversation(const llm::Conversation& conversation);

signals:
    void applyRequested(const QString& code, int messageIndex);
    void retryRequested();
    void editRequested(int messageIndex, const QString& text);
    void linkActivated(const QUrl& url);

private:
    MessageView* addView();

    struct Shown {
        MessageView* view = nullptr;
        int messageIndex = 0;
    };
    QVBoxLayout* m_column;
    std::vector<Shown> m_shown;
    bool m_followsEnd = true;
};

} // namespace ptxwb
