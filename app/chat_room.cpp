// SPDX-License-Identifier: Apache-2.0
#include "app/chat_room.h"

#include "app/provider_store.h"
#include "widgets/chat/apply_dialog.h"
#include "widgets/chat/chat_pane.h"
#include "widgets/chat/provider_dialog.h"

#include <algorithm>

namespace ptxwb {

ChatRoom::ChatRoom(ChatPane* pane, QSettings& settings, Sources sources, QObject* parent)
    : QObject(parent)
    , m_pane(pane)
    , m_settings(settings)
    , m_sources(std::move(sources))
{
    useProvider(loadProvider(settings));
    connect(pane, &ChatPane::sendRequested, this,
        [this](const QString& text, const QStringList& ids) { m_controller.ask(text, evidenceOf(ids)); });
    connect(pane, &ChatPane::resendRequested, this,
        [this](int index, const QString& text, const QStringList& ids) {
            m_controller.askInstead(index, text, evidenceOf(ids));
        });
    connect(pane, &ChatPane::stopRequested, &m_controller, &ChatController::stop);
    connect(pane, &ChatPane::retryRequested, &m_controller, &ChatController::retry);
    connect(pane, &ChatPane::newChatRequested, this, [this] {
        m_controller.clear();
        m_pane->setConversation({});
    });
    connect(pane, &ChatPane::providerSetupRequested, this, &ChatRoom::setUpProvider);
    connect(pane, &ChatPane::applyRequested, this, &ChatRoom::apply);
    connect(&m_controller, &ChatController::deltaReceived, pane, &ChatPane::setConversation);
    connect(&m_controller, &ChatController::finished, pane,
        [pane](llm::FinishState, const llm::Conversation& conversation) {
            pane->setConversation(conversation);
        });
    connect(&m_controller, &ChatController::failed, pane,
        [pane](
            const QString&, const llm::Conversation& conversation) { pane->setConversation(conversation); });
    connect(&m_controller, &ChatController::leftOut, pane, &ChatPane::setLeftOut);
    refreshEvidence();
}

void ChatRoom::refreshEvidence()
{
    std::vector<ContextChip> chips;
    for (const auto& item : m_sources.evidence()) {
        chips.push_back({.id = QString::fromStdString(item.block.id),
            .title = QString::fromStdString(item.block.title),
            .bytes = static_cast<qint64>(item.block.text.size())});
    }
    m_pane->setContextChips(chips);
}

std::vector<llm::ContextItem> ChatRoom::evidenceOf(const QStringList& ids) const
{
    auto items = m_sources.evidence();
    std::erase_if(items,
        [&](const llm::ContextItem& item) { return !ids.contains(QString::fromStdString(item.block.id)); });
    return items;
}

void ChatRoom::useProvider(const llm::ProviderSettings& provider)
{
    m_provider = provider;
    m_controller.setProvider(provider);
    const auto& name = provider.name.empty() ? provider.baseUrl : provider.name;
    m_pane->setProvider(provider.baseUrl.empty() ? QString() : QString::fromStdString(name),
        QString::fromStdString(provider.model));
}

void ChatRoom::setUpProvider()
{
    auto* dialog = new ProviderDialog(KeyStore::hasKeychain(), m_pane->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setSettings(m_provider);
    connect(dialog, &ProviderDialog::testRequested, &m_controller, &ChatController::testConnection);
    connect(&m_controller, &ChatController::connectionTested, dialog, &ProviderDialog::setTestReport);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const auto provider = dialog->settings();
        if (const auto key = dialog->typedKey(); !key.isEmpty()) {
            m_keys.write(QString::fromStdString(provider.keychainEntry), key, [this](const QString& problem) {
                if (!problem.isEmpty()) {
                    emit noticed(problem);
                }
            });
        }
        saveProvider(m_settings, provider);
        useProvider(provider);
    });
    dialog->open();
}

void ChatRoom::apply(const QString& code, int messageIndex)
{
    const auto buffer = m_sources.buffer();
    const auto& conversation = m_controller.conversation();
    const auto index = static_cast<std::size_t>(std::max(messageIndex, 0));
    const bool cut = index < conversation.messages.size()
        && conversation.messages[index].state == llm::FinishState::CutByLimit;
    const auto proposal = llm::propose(buffer.text.toStdString(), llm::codeBlockFrom(code.toStdString()),
        llm::contextBefore(conversation, index, "buffer"));
    auto* dialog = new ApplyDialog(proposal, cut, buffer.title, m_pane->window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ApplyDialog::textAccepted, this, [this](const QString& text, const QString& basedOn) {
        if (m_sources.buffer().text != basedOn) {
            emit noticed(
                tr("Nothing was applied: the buffer was changed while the dialog was open. Open it again."));
            return;
        }
        emit textAccepted(text);
    });
    dialog->open();
}

} // namespace ptxwb
