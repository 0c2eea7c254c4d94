// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/code_block_view.h"

#include "widgets/chat/chat_colours.h"
#include "widgets/chat/code_text.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
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
    , m_warning(new QLabel(this))
    , m_fold(new QToolButton(this))
    , m_copy(new QPushButton(tr("Copy"), this))
    , m_apply(new QPushButton(tr("Apply…"), this))
    , m_text(new CodeText(this))
{
    setObjectName(QStringLiteral("codeBlock"));
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Window); // not the transcript's, which children would inherit
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
    layout->addWidget(m_warning);
    layout->addWidget(m_text);

    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_warning->setObjectName(QStringLiteral("warning"));
    m_warning->setWordWrap(true);
    m_warning->setTextFormat(Qt::PlainText);
    m_warning->setContentsMargins(8, 0, 8, 3);
    m_fold->setAutoRaise(true);
    m_copy->setObjectName(QStringLiteral("copyCode"));
    m_copy->setToolTip(tr("Copy this block to the clipboard"));
    m_apply->setObjectName(QStringLiteral("applyCode"));
    m_text->setObjectName(QStringLiteral("code"));
    connect(m_fold, &QToolButton::clicked, this, [this] { setUnfolded(!m_unfolded); });
    connect(m_copy, &QPushButton::clicked, this, &CodeBlockView::copy);
    connect(m_apply, &QPushButton::clicked, this, [this] { emit applyRequested(code()); });
    applyColours();
}

void CodeBlockView::setBlock(const llm::CodeBlock& block, const QString& refusal)
{
    m_block = block;
    const auto language = block.language.empty() ? tr("code") : QString::fromStdString(block.language);
    m_title->setText(block.wholePtxModule ? tr("%1 · whole module").arg(language) : language);
    QStringList warnings;
    if (!block.elisions.empty()) {
        const auto& first = block.elisions.front();
        warnings
            << tr("⚠ Leaves code out at line %1: %2").arg(first.line).arg(QString::fromStdString(first.text));
    }
    if (block.fenced && !block.closed) {
        warnings << tr("⚠ The block is not closed: its end may be missing");
    }
    m_warning->setText(warnings.join(QLatin1Char('\n')));
    m_warning->setVisible(!warnings.isEmpty());
    m_apply->setEnabled(refusal.isEmpty());
    m_apply->setToolTip(
        refusal.isEmpty() ? tr("Compare this block with the buffer and choose what to take over") : refusal);
    auto text = code();
    while (text.endsWith(QLatin1Char('\n'))) {
        text.chop(1);
    }
    m_text->setCode(text);
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
    m_fold->setText(unfolded ? tr("Show less") : tr("Show all %1 lines").arg(lines));
    m_text->setMostLines(unfolded ? 0 : foldedLines);
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
    QPalette warning = m_warning->palette();
    warning.setColor(QPalette::WindowText, colours.warningText);
    m_warning->setPalette(warning);
    m_colouring = false;
}

} // namespace ptxwb
