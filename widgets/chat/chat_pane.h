// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/conversation.h"
#include "core/llm/prompt_composer.h"
#include "widgets/chat/context_bar.h"

#include <QUrl>
#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTimer;

namespace ptxwb {

class Composer;
class TranscriptView;

/// The chat beside the editor: transcript, evidence chips, composer. Shows what it is given and asks by
/// signal; it does no network. While the last message is Streaming, Send is Stop.
class ChatPane : public QWidget {
    Q_OBJECT
public:
    explicit ChatPane(QWidget* parent = nullptr);

    /// An empty name: no provider is set up, which the pane says.
    void setProvider(const QString& name, const QString& model);
    /// Fast enough for every delta: what arrives within 40 ms (longer for long answers) is shown at once.
    void setConversation(const llm::Conversation& conversation);
    void setContextChips(const std::vector<ContextChip>& chips);
    /// What did not fit into the last question.
    void setLeftOut(const std::vector<llm::LeftOut>& leftOut);
    QStringList includedContextIds() const;
    void setQuestion(const QString& text);
    void focusComposer();

signals:
    void sendRequested(const QString& text, const QStringList& contextIds);
    /// The question at `messageIndex` was changed: it and all that follows are replaced.
    void resendRequested(int messageIndex, const QString& text, const QStringList& contextIds);
    void stopRequested();
    /// Ask the last question again.
    void retryRequested();
    void applyRequested(const QString& code, int messageIndex);
    void providerSetupRequested();
    void newChatRequested();
    /// An http or https link; others are not told.
    void linkActivated(const QUrl& url);

private:
    QWidget* makeHeader();
    QWidget* makeInput();
    QWidget* makeSetup();
    void submit();
    void showConversation();
    void showState();
    void setEditing(std::optional<int> messageIndex);
    bool isStreaming() const;

    llm::Conversation m_conversation;
    QString m_providerName;
    std::optional<int> m_editing;
    QTimer* m_refresh;
    QStackedWidget* m_pages;
    QLabel* m_provider;
    QPushButton* m_newChat;
    QLabel* m_empty;
    QStackedWidget* m_middle;
    TranscriptView* m_transcript;
    QWidget* m_editStrip;
    QLabel* m_leftOut;
    ContextBar* m_context;
    Composer* m_composer;
    QPushButton* m_send;
};

} // namespace ptxwb
