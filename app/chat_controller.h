// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/key_store.h"

#include "core/llm/chat_client.h"
#include "core/llm/connection_test.h"
#include "core/llm/prompt_composer.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace ptxwb {

/// Owns the conversation and the transport. Lives on the GUI thread and never blocks it; everything is told
/// by signals of that thread. Every question ends in exactly one of `finished` and `failed`. No connection is
/// opened before a provider is set.
class ChatController : public QObject {
    Q_OBJECT
public:
    explicit ChatController(QObject* parent = nullptr);
    /// Stops what runs; takes well under two seconds.
    ~ChatController() override;

    void setProvider(const llm::ProviderSettings& provider);
    void setLimits(const llm::HttpLimits& limits) { m_limits = limits; }
    const llm::Conversation& conversation() const { return m_conversation; }
    bool isBusy() const { return m_busy; }

public slots:
    /// A new question with its evidence, after what was said before.
    void ask(const QString& text, const std::vector<llm::ContextItem>& evidence);
    /// The same in the place of the question at `messageIndex`; what follows that is dropped.
    void askInstead(int messageIndex, const QString& text, const std::vector<llm::ContextItem>& evidence);
    /// The last question again.
    void retry();
    /// Sends a conversation that ends in a question.
    void send(const llm::Conversation& conversation);
    void stop();
    void clear();
    /// Ends in exactly one `connectionTested`. `typedKey`, where not empty, is used instead of the stored
    /// one.
    void testConnection(const llm::ProviderSettings& provider, const QString& typedKey);

signals:
    /// The conversation so far; its last message is Streaming. Comes at most every 50 ms.
    void deltaReceived(const ptxwb::llm::Conversation& conversation);
    /// The answer ended, whole or not: `state` says which.
    void finished(ptxwb::llm::FinishState state, const ptxwb::llm::Conversation& conversation);
    /// There is no usable answer; the conversation's last message says why, too.
    void failed(const QString& sentence, const ptxwb::llm::Conversation& conversation);
    /// What of the evidence did not fit into the question.
    void leftOut(const std::vector<ptxwb::llm::LeftOut>& leftOut);
    void connectionTested(const ptxwb::llm::ConnectionReport& report);

private:
    void start(const llm::Secret& key);
    void post(llm::Delta delta);
    void postEnd(const llm::TurnEnd& end);
    void wakeUp();
    void takePosted();
    void endTurn(const llm::TurnEnd& end);
    void abandonTurn();

    llm::ProviderSettings m_provider;
    llm::HttpLimits m_limits;
    llm::Conversation m_conversation;
    QTimer m_tell;
    KeyStore m_keys;
    bool m_busy = false;
    bool m_transferring = false; ///< busy, and the key is there
    int m_turn = 0; ///< a key that the keychain gives too late belongs to another turn
    int m_test = 0;

    std::mutex m_mutex; ///< guards the three below, which the client's thread fills
    std::vector<llm::Delta> m_postedDeltas;
    std::optional<llm::TurnEnd> m_postedEnd;
    bool m_wakePosted = false;

    // Last, so that their threads are joined before anything that they use goes.
    std::jthread m_tester;
    llm::ChatClient m_client;
};

} // namespace ptxwb

Q_DECLARE_METATYPE(ptxwb::llm::Conversation)
Q_DECLARE_METATYPE(ptxwb::llm::ConnectionReport)
