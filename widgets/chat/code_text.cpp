// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/code_text.h"

#include "widgets/chat/chat_colours.h"

#include <QEvent>
#include <QFontDatabase>
#include <QScrollBar>
#include <QWheelEvent>

namespace ptxwb {

CodeText::CodeText(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabChangesFocus(true);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(horizontalScrollBar(), &QScrollBar::rangeChanged, this, &CodeText::fitHeight);
    applyColours();
}

void CodeText::setCode(const QString& code)
{
    if (code != toPlainText()) {
        setPlainText(code);
        fitHeight();
    }
}

void CodeText::setMostLines(int lines)
{
    m_mostLines = lines;
    fitHeight();
}

void CodeText::fitHeight()
{
    const int all = document()->blockCount();
    const int lines = m_mostLines > 0 ? qMin(all, m_mostLines) : all;
    const bool wide = horizontalScrollBar()->maximum() > 0;
    setVerticalScrollBarPolicy(lines < all ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    setFixedHeight(lines * fontMetrics().lineSpacing() + static_cast<int>(2 * document()->documentMargin())
        + 2 * frameWidth() + (wide ? horizontalScrollBar()->sizeHint().height() : 0));
}

void CodeText::wheelEvent(QWheelEvent* event)
{
    // Without focus the wheel belongs to the view around it, so that scrolling past does not get caught here.
    if (hasFocus()) {
        QPlainTextEdit::wheelEvent(event);
    } else {
        event->ignore();
    }
}

void CodeText::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fitHeight();
    } else if (event->type() == QEvent::PaletteChange && !m_colouring) {
        applyColours();
    }
}

void CodeText::applyColours()
{
    m_colouring = true;
    auto colours = palette();
    colours.setColor(QPalette::Base, chatColoursFor(palette()).codeFill);
    setPalette(colours);
    m_colouring = false;
}

} // namespace ptxwb
