// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/chat_pane.h"

#include "widgets/chat/composer.h"
#include "widgets/chat/transcript_view.h"

#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>

namespace ptxwb {

namespace {
constexpr int refreshMs = 40;
/// Of the time, at most a fourth goes into drawing an answer that is still being written.
constexpr int restPerWork = 3;
} // namespace

ChatPane::ChatPane(QWidget* parent)
    : QWidget(parent)
    , m_refresh(new QTimer(this))
    , m_pages(new QStackedWidget(this))
{
    auto* chat = new QWidget(m_pages);
    auto* column = new QVBoxLayout(chat);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHeader());
    m_middle = new QStackedWidget(chat);
    m_empty =
        new QLabel(tr("No question yet.\n\nThe buffer and what the tools say about it go along with a "
                      "question; remove a chip below "
                      "to leave it out. Code in an answer is applied to the buffer only through a diff."),
            m_middle);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(16);
    m_transcript = new TranscriptView(m_middle);
    m_middle->addWidget(m_empty);
    m_middle->addWidget(m_transcript);
    column->addWidget(m_middle, 1);
    column->addWidget(makeInput());
    m_pages->addWidget(makeSetup());
    m_pages->addWidget(chat);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);

    m_refresh->setSingleShot(true);
    m_refresh->setInterval(refreshMs);
    connect(m_refresh, &QTimer::timeout, this, &ChatPane::showConversation);
    connect(m_transcript, &TranscriptView::applyRequested, this, &ChatPane::applyRequested);
    connect(m_transcript, &TranscriptView::retryRequested, this, &ChatPane::retryRequested);
    connect(m_transcript, &TranscriptView::linkActivated, this, &ChatPane::linkActivated);
    connect(m_transcript, &TranscriptView::editRequested, this, [this](int index, const QString& text) {
        setEditing(index);
        setQuestion(text);
        focusComposer();
    });
    showState();
}

QWidget* ChatPane::makeHeader()
{
    auto* header = new QWidget(this);
    m_provider = new QLabel(header);
    m_provider->setObjectName(QStringLiteral("provider"));
    m_provider->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_newChat = new QPushButton(tr("New chat"), header);
    m_newChat->setObjectName(QStringLiteral("newChat"));
    m_newChat->setFlat(true);
    auto* settings = new QPushButton(tr("Provider…"), header);
    settings->setObjectName(QStringLiteral("changeProvider"));
    settings->setFlat(true);
    auto* layout = new QHBoxLayout(header);
    layout->setContentsMargins(8, 2, 4, 2);
    layout->addWidget(m_provider, 1);
    layout->addWidget(m_newChat);
    layout->addWidget(settings);
    connect(m_newChat, &QPushButton::clicked, this, [this] {
        setEditing(std::nullopt);
        emit newChatRequested();
    });
    connect(settings, &QPushButton::clicked, this, &ChatPane::providerSetupRequested);
    return header;
}

QWidget* ChatPane::makeInput()
{
    auto* input = new QWidget(this);
    m_editStrip = new QWidget(input);
    auto* stripLabel =
        new QLabel(tr("Changing an earlier question: what follows it is dropped."), m_editStrip);
    stripLabel->setWordWrap(true);
    auto* cancel = new QPushButton(tr("Cancel"), m_editStrip);
    cancel->setObjectName(QStringLiteral("cancelEdit"));
    auto* strip = new QHBoxLayout(m_editStrip);
    strip->setContentsMargins(0, 0, 0, 0);
    strip->addWidget(stripLabel, 1);
    strip->addWidget(cancel);
    m_editStrip->hide();
    m_leftOut = new QLabel(input);
    m_leftOut->setObjectName(QStringLiteral("leftOut"));
    m_leftOut->setWordWrap(true);
    m_leftOut->hide();
    m_context = new ContextBar(input);
    m_composer = new Composer(input);
    m_composer->setObjectName(QStringLiteral("composer"));
    m_send = new QPushButton(input);
    m_send->setObjectName(QStringLiteral("send"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_composer, 1);
    row->addWidget(m_send, 0, Qt::AlignBottom);
    auto* layout = new QVBoxLayout(input);
    layout->setContentsMargins(8, 6, 8, 8);
    layout->addWidget(m_leftOut);
    layout->addWidget(m_editStrip);
    layout->addWidget(m_context);
    layout->addLayout(row);
    connect(cancel, &QPushButton::clicked, this, [this] {
        setEditing(std::nullopt);
        m_composer->clear();
    });
    connect(m_composer, &Composer::submitted, this, &ChatPane::submit);
    connect(m_composer, &Composer::cancelled, this, [this] {
        if (isStreaming()) {
            emit stopRequested();
        } else if (m_editing) {
            setEditing(std::nullopt);
            m_composer->clear();
        }
    });
    connect(m_composer, &QPlainTextEdit::textChanged, this, &ChatPane::showState);
    connect(m_send, &QPushButton::clicked, this, [this] {
        if (isStreaming()) {
            emit stopRequested();
        } else {
            submit();
        }
    });
    return input;
}

QWidget* ChatPane::makeSetup()
{
    auto* page = new QWidget(this);
    auto* label = new QLabel(
        tr("No provider is set up, and nothing is sent anywhere.\n\nAny OpenAI-compatible server will do: "
           "one on this machine (llama.cpp, Ollama, vLLM) or a hosted one. Its key stays in an "
           "environment variable or in the system keychain."),
        page);
    label->setObjectName(QStringLiteral("noProvider"));
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignCenter);
    auto* setup = new QPushButton(tr("Set up a provider…"), page);
    setup->setObjectName(QStringLiteral("setUpProvider"));
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->setSpacing(16);
    layout->addStretch(1);
    layout->addWidget(label);
    layout->addWidget(setup, 0, Qt::AlignCenter);
    layout->addStretch(1);
    connect(setup, &QPushButton::clicked, this, &ChatPane::providerSetupRequested);
    return page;
}

void ChatPane::setProvider(const QString& name, const QString& model)
{
    m_providerName = name;
    m_provider->setText(model.isEmpty() ? name : tr("%1 · %2").arg(name, model));
    m_provider->setToolTip(m_provider->text());
    showState();
}

void ChatPane::setConversation(const llm::Conversation& conversation)
{
    m_conversation = conversation;
    if (isStreaming()) {
        if (!m_refresh->isActive()) {
            m_refresh->start();
        }
    } else {
        m_refresh->stop();
        showConversation();
    }
    showState();
}

void ChatPane::showConversation()
{
    QElapsedTimer work;
    work.start();
    m_transcript->setConversation(m_conversation);
    m_refresh->setInterval(std::max(refreshMs, restPerWork * static_cast<int>(work.elapsed())));
}

void ChatPane::setContextChips(const std::vector<ContextChip>& chips)
{
    m_context->setChips(chips);
}

void ChatPane::setLeftOut(const std::vector<llm::LeftOut>& leftOut)
{
    QStringList parts;
    for (const auto& left : leftOut) {
        const auto title = QString::fromStdString(left.title);
        const auto size = QLocale().formattedDataSize(static_cast<qint64>(left.leftOutBytes), 1);
        parts << (left.leftOutBytes == left.ofBytes ? tr("%1 (all of %2)").arg(title, size)
                                                    : tr("%1 (%2 of it)").arg(title, size));
    }
    m_leftOut->setText(tr("⚠ Left out of the question, too long: %1").arg(parts.join(QStringLiteral(", "))));
    m_leftOut->setVisible(!parts.isEmpty());
}

QStringList ChatPane::includedContextIds() const
{
    return m_context->includedIds();
}

void ChatPane::setQuestion(const QString& text)
{
    m_composer->setPlainText(text);
    m_composer->moveCursor(QTextCursor::End);
}

void ChatPane::focusComposer()
{
    m_composer->setFocus();
}

bool ChatPane::isStreaming() const
{
    return !m_conversation.messages.empty()
        && m_conversation.messages.back().state == llm::FinishState::Streaming;
}

void ChatPane::submit()
{
    const auto text = m_composer->toPlainText().trimmed();
    if (text.isEmpty() || isStreaming()) {
        return;
    }
    const auto editing = m_editing;
    setEditing(std::nullopt);
    m_composer->clear();
    if (editing) {
        emit resendRequested(*editing, text, includedContextIds());
    } else {
        emit sendRequested(text, includedContextIds());
    }
}

void ChatPane::setEditing(std::optional<int> messageIndex)
{
    m_editing = messageIndex;
    m_editStrip->setVisible(messageIndex.has_value());
}

void ChatPane::showState()
{
    m_pages->setCurrentIndex(m_providerName.isEmpty() ? 0 : 1);
    const bool anyTurn = std::any_of(m_conversation.messages.begin(), m_conversation.messages.end(),
        [](const llm::Message& message) { return message.role != llm::Role::System; });
    m_middle->setCurrentWidget(anyTurn ? static_cast<QWidget*>(m_transcript) : m_empty);
    m_newChat->setEnabled(anyTurn);
    const bool streaming = isStreaming();
    m_send->setText(streaming ? tr("Stop") : tr("Send"));
    m_send->setToolTip(streaming ? tr("Stop the answer (Esc)") : tr("Send the question (Enter)"));
    m_send->setEnabled(streaming || !m_composer->toPlainText().trimmed().isEmpty());
}

} // namespace ptxwb
