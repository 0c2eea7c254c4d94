// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/message_view.h"

#include "widgets/chat/chat_colours.h"
#include "widgets/chat/code_block_view.h"
#include "widgets/chat/prose_view.h"

#include "core/llm/markdown.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

namespace ptxwb {

namespace {

using llm::FinishState;

// Why blocks of an answer in this state are not applied; empty when they are.
QString refusalFor(FinishState state)
{
    switch (state) {
    case FinishState::Complete:
    case FinishState::CutByLimit:
        return {};
    case FinishState::Streaming:
        return MessageView::tr("The answer is still being written");
    case FinishState::EndedEarly:
        return MessageView::tr(
            "The connection ended early: the code may be incomplete, so it is not applied");
    case FinishState::Stopped:
        return MessageView::tr("The answer was stopped: the code may be incomplete, so it is not applied");
    case FinishState::Failed:
        return MessageView::tr("The answer failed: its code is not applied");
    }
    return {};
}

QString headlineFor(FinishState state)
{
    switch (state) {
    case FinishState::Complete:
    case FinishState::Streaming:
        return {};
    case FinishState::CutByLimit:
        return MessageView::tr("⚠ Check the end of the code before you apply it.");
    case FinishState::EndedEarly:
        return MessageView::tr("✗ Broken off: nothing of this answer is applied.");
    case FinishState::Stopped:
        return MessageView::tr("■ Stopped: nothing of this answer is applied.");
    case FinishState::Failed:
        return MessageView::tr("✗ No usable answer.");
    }
    return {};
}

QString contextLine(const llm::Message& message)
{
    QStringList titles;
    for (const auto& content : message.content) {
        if (const auto* block = std::get_if<llm::ContextBlock>(&content)) {
            titles << MessageView::tr("%1 (%2)").arg(QString::fromStdString(block->title),
                QLocale().formattedDataSize(static_cast<qint64>(block->text.size()), 1));
        }
    }
    return titles.isEmpty() ? QString()
                            : MessageView::tr("Sent with it: %1").arg(titles.join(QStringLiteral(", ")));
}

} // namespace

MessageView::MessageView(QWidget* parent)
    : QFrame(parent)
    , m_author(new QLabel(this))
    , m_facts(new QLabel(this))
    , m_edit(new QPushButton(tr("Edit"), this))
    , m_fold(new QToolButton(this))
    , m_reasoning(makeProse())
    , m_body(new QVBoxLayout)
    , m_context(new QLabel(this))
    , m_more(new QPushButton(this))
    , m_leftOut(new QLabel(tr("Not sent with later questions: it had no whole answer."), this))
    , m_endRow(new QWidget(this))
    , m_end(new QLabel(m_endRow))
    , m_retry(new QPushButton(tr("Retry"), m_endRow))
{
    setBackgroundRole(QPalette::Window); // not the transcript's, which children would inherit
    auto bold = m_author->font();
    bold.setBold(true);
    m_author->setFont(bold);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_facts->setObjectName(QStringLiteral("facts"));
    m_edit->setObjectName(QStringLiteral("edit"));
    m_edit->setFlat(true);
    m_edit->setToolTip(tr("Change this question and send it again; what follows it is dropped"));
    auto* header = new QHBoxLayout;
    header->addWidget(m_author);
    header->addWidget(m_facts, 1);
    header->addWidget(m_edit);

    m_fold->setObjectName(QStringLiteral("reasoningFold"));
    m_fold->setCheckable(true);
    m_fold->setAutoRaise(true);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_reasoning->setObjectName(QStringLiteral("reasoning"));
    m_reasoning->setVisible(false);
    m_body->setSpacing(6);
    m_context->setWordWrap(true);
    m_context->setObjectName(QStringLiteral("context"));
    m_more->setObjectName(QStringLiteral("more"));
    m_more->hide();
    connect(m_more, &QPushButton::clicked, this, [this] {
        m_drawnBytes += drawnAtOnce;
        showBody();
    });
    m_leftOut->setWordWrap(true);
    m_leftOut->setObjectName(QStringLiteral("leftOutMark"));
    m_leftOut->hide();
    m_end->setWordWrap(true);
    m_end->setObjectName(QStringLiteral("end"));
    m_end->setTextFormat(Qt::PlainText); // it quotes the server
    m_end->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_retry->setObjectName(QStringLiteral("retry"));
    auto* end = new QHBoxLayout(m_endRow);
    end->setContentsMargins(0, 2, 0, 0);
    end->addWidget(m_end, 1);
    end->addWidget(m_retry, 0, Qt::AlignTop);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 8);
    layout->setSpacing(4);
    layout->addLayout(header);
    layout->addWidget(m_fold, 0, Qt::AlignLeft);
    layout->addWidget(m_reasoning);
    layout->addLayout(m_body);
    layout->addWidget(m_more, 0, Qt::AlignLeft);
    layout->addWidget(m_context);
    layout->addWidget(m_leftOut);
    layout->addWidget(m_endRow);
    connect(m_fold, &QToolButton::toggled, this, [this](bool open) {
        m_reasoning->setVisible(open);
        showReasoning();
    });
    connect(m_retry, &QPushButton::clicked, this, &MessageView::retryRequested);
    connect(m_edit, &QPushButton::clicked, this,
        [this] { emit editRequested(QString::fromStdString(llm::messageText(m_message))); });
}

ProseView* MessageView::makeProse()
{
    auto* prose = new ProseView(this);
    connect(prose, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        // A model wrote it: only addresses that a browser opens, no files and no programs.
        if (url.scheme() == QLatin1String("https") || url.scheme() == QLatin1String("http")) {
            emit linkActivated(url);
        }
    });
    return prose;
}

void MessageView::setMessage(const llm::Message& message, bool isLast, bool mayEdit)
{
    const std::pair shown{isLast, mayEdit};
    if (m_shown == shown && m_message == message) {
        return;
    }
    m_shown = shown;
    m_message = message;
    m_edit->setVisible(mayEdit && message.role == llm::Role::User);
    showHeader();
    showReasoning();
    showBody();
    showEnd(isLast);
    applyColours();
}

void MessageView::setLeftOut(bool leftOut)
{
    m_leftOut->setVisible(leftOut);
}

void MessageView::showHeader()
{
    m_author->setText(m_message.role == llm::Role::User ? tr("You") : tr("Model"));
    QStringList facts;
    if (!m_message.model.empty()) {
        facts << QString::fromStdString(m_message.model);
    }
    if (m_message.usage) {
        const auto number = [](const std::optional<std::int64_t>& count) {
            return count ? QLocale().toString(static_cast<qlonglong>(*count)) : QStringLiteral("?");
        };
        facts << tr("%1 tokens in, %2 out")
                     .arg(number(m_message.usage->promptTokens), number(m_message.usage->completionTokens));
    }
    if (m_message.state == FinishState::Streaming) {
        facts << tr("writing…");
    }
    m_facts->setText(facts.join(QStringLiteral(" · ")));
    m_facts->setToolTip(m_facts->text());
}

void MessageView::showReasoning()
{
    const bool has = !m_message.reasoning.empty();
    m_fold->setVisible(has);
    m_reasoning->setVisible(has && m_fold->isChecked());
    if (!has) {
        return;
    }
    m_fold->setArrowType(m_fold->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    const auto length = QString::fromStdString(m_message.reasoning).size();
    m_fold->setText(tr("Reasoning (%n characters)", nullptr, static_cast<int>(length)));
    if (m_fold->isChecked()) {
        m_reasoning->setLiteralText(QString::fromStdString(m_message.reasoning).trimmed());
    }
}

void MessageView::showBody()
{
    const auto [parts, leftBytes] = shownParts(m_message, m_drawnBytes);
    m_more->setText(tr("Show more (%1 of the text not drawn)")
                        .arg(QLocale().formattedDataSize(static_cast<qint64>(leftBytes), 1)));
    m_more->setVisible(leftBytes > 0);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        auto* existing = i < m_parts.size() ? m_parts[i] : nullptr;
        const bool fits =
            existing != nullptr && (qobject_cast<CodeBlockView*>(existing) != nullptr) == parts[i].isCode;
        if (!fits) {
            while (m_parts.size() > i) {
                delete m_parts.back();
                m_parts.pop_back();
            }
            if (parts[i].isCode) {
                auto* code = new CodeBlockView(this);
                connect(code, &CodeBlockView::applyRequested, this, &MessageView::applyRequested);
                existing = code;
            } else {
                existing = makeProse();
                existing->setObjectName(QStringLiteral("prose"));
            }
            m_parts.push_back(existing);
            m_body->addWidget(existing);
        }
        if (auto* code = qobject_cast<CodeBlockView*>(existing)) {
            code->setBlock(parts[i].code, refusalFor(m_message.state));
        } else if (auto* prose = qobject_cast<ProseView*>(existing)) {
            const auto text = QString::fromStdString(parts[i].markdown);
            if (m_message.role == llm::Role::User) {
                prose->setLiteralText(text);
            } else {
                prose->setMarkdownText(text);
            }
        }
    }
    while (m_parts.size() > parts.size()) {
        delete m_parts.back();
        m_parts.pop_back();
    }
    const auto context = contextLine(m_message);
    m_context->setText(context);
    m_context->setVisible(!context.isEmpty());
}

void MessageView::showEnd(bool isLast)
{
    const auto headline = headlineFor(m_message.state);
    m_endRow->setVisible(!headline.isEmpty());
    m_retry->setVisible(isLast);
    m_end->setText(m_message.failure.empty() || m_message.state == FinishState::Stopped
            ? headline
            : headline + QLatin1Char('\n') + QString::fromStdString(m_message.failure));
}

void MessageView::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_colouring) {
        applyColours();
    }
}

void MessageView::applyColours()
{
    m_colouring = true;
    const auto colours = chatColoursFor(palette());
    setAutoFillBackground(m_message.role == llm::Role::User);
    if (m_message.role == llm::Role::User) {
        auto fill = palette();
        fill.setColor(QPalette::Window, colours.userFill);
        setPalette(fill);
    }
    const auto ink = [](QWidget* widget, const QColor& colour) {
        auto changed = widget->palette();
        changed.setColor(QPalette::WindowText, colour);
        changed.setColor(QPalette::Text, colour);
        widget->setPalette(changed);
    };
    ink(m_facts, colours.quietText);
    ink(m_context, colours.quietText);
    ink(m_leftOut, colours.warningText);
    ink(m_reasoning, colours.quietText);
    ink(m_end,
        m_message.state == FinishState::CutByLimit || m_message.state == FinishState::Stopped
            ? colours.warningText
            : colours.failureText);
    m_colouring = false;
}

} // namespace ptxwb
