// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/chat_controller.h"
#include "app/key_store.h"

#include "core/llm/prompt_composer.h"

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QSettings;

namespace ptxwb {

class ChatPane;

/// Joins the chat pane with its controller, the provider dialog and the apply dialog. What it needs of the
/// window it asks by two functions.
class ChatRoom : public QObject {
    Q_OBJECT
public:
    struct Buffer {
        QString title{};
        QString text{};
    };
    struct Sources {
        std::function<Buffer()> buffer{};
        /// The buffer under the id "buffer", and whatever else may go with a question.
        std::function<std::vector<llm::ContextItem>()> evidence{};
    };

    ChatRoom(ChatPane* pane, QSettings& settings, Sources sources, QObject* parent = nullptr);

    ChatController& controller() { return m_controller; }

public slots:
    /// Shows the evidence of now as chips. Call it when buffer, diagnostics or verdict changed.
    void refreshEvidence();
    void setUpProvider();

signals:
    /// The buffer's new text, to be set as one undo step.
    void textAccepted(const QString& text);
    /// Something to say in the status line.
    void noticed(const QString& sentence);

private:
    std::vector<llm::ContextItem> evidenceOf(const QStringList& ids) const;
    void useProvider(const llm::ProviderSettings& provider);
    void apply(const QString& code, int messageIndex);

    ChatPane* m_pane;
    QSettings& m_settings;
    Sources m_sources;
    llm::ProviderSettings m_provider;
    KeyStore m_keys;
    ChatController m_controller;
};

} // namespace ptxwb
