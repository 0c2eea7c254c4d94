// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/code_block_view.h"

#include "widgets/chat/chat_colours.h"

#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>

namespace ptxwb {

namespace {
constexpr int foldedLines = 18;
constexpr int copiedShownMs = 1500;
} // namespace

CodeBlockView::CodeBlockView(QWidget* parent)
    : QFrame(parent)
    , m_title(new QLabel(this))
    , m_fold(new QToolButton(this))
    , m_copy(new QPushButton(tr("Copy"), this))
    , m_apply(new QPushButton(tr("Apply…"), this))
    , m_text(new QPlainTextEdit(this))
{
    setObjectName(QStringLiteral("codeBlock"));
    setFrameShape(QFrame::StyledPanel);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 3, 4, 3);
    bar->addWidget(m_title, 1);
    bar->addWidget(m_fold);
    bar->addWidget(m_copy);
    bar->addWidget(m_apply);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_text);

    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_fold->setAutoRaise(true);
    m_copy->setObjectName(QStringLiteral("copyCode"));
    m_copy->setToolTip(tr("Copy this block to the clipboard"));
    m_apply->setObjectName(QStringLiteral("applyCode"));
    m_text->setObjectName(QStringLiteral("code"));
    m_text->setReadOnly(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabChangesFocus(true);
    connect(m_fold, &QToolButton::clicked, this, [this] { setUnfolded(!m_unfolded); });
    connect(m_copy, &QPushButton::clicked, this, &CodeBlockView::copy);
    connect(m_apply, &QPushButton::clicked, this, [this] { emit applyRequested(code()); });
    applyColours();
}

void CodeBlockView::setBlock(const llm::CodeBlock& block, const QString& refusal)
{
    const bool sameText = m_block.text == block.text;
    m_block = block;
    QStringList title;
    title << (block.language.empty() ? tr("code") : QString::fromStdString(block.language));
    if (block.wholePtxModule) {
        title << tr("whole module");
    }
    if (!block.elisions.empty()) {
        title << tr("⚠ leaves code out at line %1").arg(block.elisions.front().line);
    }
    if (block.fenced && !block.closed) {
        title << tr("the block is not closed");
    }
    m_title->setText(title.join(QStringLiteral(" · ")));
    m_title->setToolTip(
        block.elisions.empty() ? QString() : QString::fromStdString(block.elisions.front().text));
    m_apply->setEnabled(refusal.isEmpty());
    m_apply->setToolTip(
        refusal.isEmpty() ? tr("Compare this block with the buffer and choose what to take over") : refusal);
    if (!sameText) {
        auto text = QString::fromStdString(block.text);
        while (text.endsWith(QLatin1Char('\n'))) {
            text.chop(1);
        }
        m_text->setPlainText(text);
    }
    setUnfolded(m_unfolded);
}

QString CodeBlockView::code() const
{
    return QString::fromStdString(m_block.text);
}

void CodeBlockView::copy()
{
    QGuiApplication::clipboard()->setText(code());
    m_copy->setText(tr("Copied"));
    QTimer::singleShot(copiedShownMs, this, [this] { m_copy->setText(tr("Copy")); });
}

void CodeBlockView::setUnfolded(bool unfolded)
{
    m_unfolded = unfolded;
    const int lines = m_text->document()->blockCount();
    m_fold->setVisible(lines > foldedLines);
    m_fold->setText(unfolded ? tr("Show less") : tr("Show all %n lines", nullptr, lines));
    fitHeight();
}

void CodeBlockView::fitHeight()
{
    const int all = m_text->document()->blockCount();
    const int lines = m_unfolded ? all : qMin(all, foldedLines);
    const int margins = static_cast<int>(2 * m_text->document()->documentMargin()) + 2 * m_text->frameWidth();
    const int bar = m_text->horizontalScrollBar()->sizeHint().height();
    m_text->setVerticalScrollBarPolicy(m_unfolded ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    m_text->setFixedHeight(lines * m_text->fontMetrics().lineSpacing() + margins + bar);
}

void CodeBlockView::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_colouring) {
        applyColours();
    }
}

void CodeBlockView::applyColours()
{
    m_colouring = true;
    const auto colours = chatColoursFor(palette());
    QPalette bar = palette();
    bar.setColor(QPalette::Window, colours.codeBar);
    setPalette(bar);
    setAutoFillBackground(true);
    QPalette text = m_text->palette();
    text.setColor(QPalette::Base, colours.codeFill);
    m_text->setPalette(text);
    m_colouring = false;
}

} // namespace ptxwb
