// SPDX-License-Identifier: Apache-2.0
#include "app/chat_controller.h"

#include <algorithm>
#include <utility>

namespace ptxwb {

namespace {
/// A fast server sends thousands of pieces in a second; the eye needs some ten of them.
constexpr int tellMs = 50;
} // namespace

ChatController::ChatController(QObject* parent)
    : QObject(parent)
    , m_keys(this)
{
    m_tell.setSingleShot(true);
    m_tell.setInterval(tellMs);
    connect(&m_tell, &QTimer::timeout, this, [this] {
        if (m_busy) {
            emit deltaReceived(m_conversation);
        }
    });
}

ChatController::~ChatController() = default;

void ChatController::setProvider(const llm::ProviderSettings& provider)
{
    m_provider = provider;
}

void ChatController::ask(const QString& text, const std::vector<llm::ContextItem>& evidence)
{
    auto conversation = m_conversation;
    if (conversation.messages.empty()) {
        conversation.messages.push_back(llm::chatSystemMessage());
    }
    auto prompt = llm::composeTurn(text.toStdString(), evidence);
    conversation.messages.push_back(std::move(prompt.message));
    emit leftOut(prompt.leftOut);
    send(conversation);
}

void ChatController::askInstead(
    int messageIndex, const QString& text, const std::vector<llm::ContextItem>& evidence)
{
    abandonTurn();
    const auto count = static_cast<std::size_t>(std::max(messageIndex, 0));
    if (count < m_conversation.messages.size()) {
        m_conversation.messages.resize(count);
    }
    ask(text, evidence);
}

void ChatController::retry()
{
    abandonTurn();
    auto conversation = m_conversation;
    while (!conversation.messages.empty() && conversation.messages.back().role == llm::Role::Assistant) {
        conversation.messages.pop_back();
    }
    send(conversation);
}

void ChatController::send(const llm::Conversation& conversation)
{
    abandonTurn();
    if (conversation.messages.empty() || conversation.messages.back().role != llm::Role::User) {
        return;
    }
    m_conversation = conversation;
    m_conversation.messages.push_back({.role = llm::Role::Assistant, .state = llm::FinishState::Streaming});
    m_busy = true;
    const int turn = ++m_turn;
    emit deltaReceived(m_conversation);
    if (m_provider.baseUrl.empty()) {
        endTurn({llm::FinishState::Failed, "No provider is set up."});
        return;
    }
    m_keys.read(m_provider, [this, turn](const Result<llm::Secret>& key) {
        if (!m_busy || turn != m_turn) {
            return;
        }
        if (!key) {
            endTurn({llm::FinishState::Failed, describe(key.error()) + "."});
            return;
        }
        start(*key);
    });
}

void ChatController::start(const llm::Secret& key)
{
    llm::ChatRequest request{
        .provider = m_provider, .key = key, .conversation = m_conversation, .limits = m_limits};
    request.conversation.messages.pop_back(); // the answer that is to come
    m_transferring = true;
    m_client.start(
        std::move(request), [this](const llm::Delta& delta) { post(delta); },
        [this](const llm::TurnEnd& end) { postEnd(end); });
}

void ChatController::stop()
{
    if (!m_busy) {
        return;
    }
    if (!m_transferring) {
        endTurn({llm::FinishState::Stopped,
            "Stopped before the answer began."}); // the keychain is still being asked
    } else {
        m_client.stop();
    }
}

void ChatController::clear()
{
    abandonTurn();
    m_conversation = {};
    emit leftOut({});
}

void ChatController::post(llm::Delta delta)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_postedDeltas.push_back(std::move(delta));
    }
    wakeUp();
}

void ChatController::postEnd(const llm::TurnEnd& end)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_postedEnd = end;
    }
    wakeUp();
}

void ChatController::wakeUp()
{
    const std::scoped_lock lock(m_mutex);
    if (!std::exchange(m_wakePosted, true)) {
        QMetaObject::invokeMethod(this, &ChatController::takePosted, Qt::QueuedConnection);
    }
}

void ChatController::takePosted()
{
    std::vector<llm::Delta> deltas;
    std::optional<llm::TurnEnd> end;
    {
        const std::scoped_lock lock(m_mutex);
        deltas.swap(m_postedDeltas);
        end.swap(m_postedEnd);
        m_wakePosted = false;
    }
    if (!m_busy) {
        return;
    }
    for (const auto& delta : deltas) {
        llm::applyDelta(m_conversation.messages.back(), delta);
    }
    if (end) {
        endTurn(*end);
    } else if (!deltas.empty() && !m_tell.isActive()) {
        m_tell.start();
    }
}

void ChatController::endTurn(const llm::TurnEnd& end)
{
    m_tell.stop();
    m_busy = false;
    m_transferring = false;
    auto& answer = m_conversation.messages.back();
    answer.state = end.state;
    answer.failure = end.sentence;
    const auto conversation = m_conversation; // a slot may start the next turn
    if (end.state == llm::FinishState::Failed) {
        emit failed(QString::fromStdString(end.sentence), conversation);
    } else {
        emit finished(end.state, conversation);
    }
}

// Ends the running turn as Stopped before another one begins, so that its end is not mixed up with the next
// one's.
void ChatController::abandonTurn()
{
    m_client.stopAndWait();
    takePosted();
    if (m_busy) {
        endTurn({llm::FinishState::Stopped, "Stopped before the answer began."});
    }
}

void ChatController::testConnection(const llm::ProviderSettings& provider, const QString& typedKey)
{
    const int test = ++m_test;
    const auto report = [this, test](const llm::ConnectionReport& result) {
        if (test == m_test) {
            emit connectionTested(result);
        }
    };
    const auto run = [this, provider, report](const Result<llm::Secret>& key) {
        if (!key) {
            report({.sentence = describe(key.error()) + "."});
            return;
        }
        m_tester = {}; // stops and joins the test before
        m_tester = std::jthread([this, provider, report, secret = *key](std::stop_token stop) {
            auto result = llm::testConnection(provider, secret, std::move(stop));
            QMetaObject::invokeMethod(
                this, [report, result = std::move(result)] { report(result); }, Qt::QueuedConnection);
        });
    };
    if (typedKey.isEmpty()) {
        m_keys.read(provider, run);
    } else {
        run(llm::checkedKey(typedKey.toStdString()));
    }
}

} // namespace ptxwb
