// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/composer.h"

#include <QKeyEvent>

namespace ptxwb {

namespace {
constexpr int fewestLines = 2;
constexpr int mostLines = 10;
} // namespace

Composer::Composer(QWidget* parent)
    : QPlainTextEdit(parent)
{
    setPlaceholderText(tr("Ask about the kernel. Enter sends, Shift+Enter makes a new line."));
    setAccessibleName(tr("Question"));
    setTabChangesFocus(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(document(), &QTextDocument::contentsChanged, this,
        [this] { setFixedHeight(heightOf(qBound(fewestLines, document()->blockCount(), mostLines))); });
    setFixedHeight(heightOf(fewestLines));
}

QSize Composer::sizeHint() const
{
    return {240, height()};
}

QSize Composer::minimumSizeHint() const
{
    return {80, heightOf(fewestLines)};
}

int Composer::heightOf(int lines) const
{
    return lines * fontMetrics().lineSpacing() + static_cast<int>(2 * document()->documentMargin())
        + 2 * frameWidth() + 2;
}

void Composer::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && event->modifiers().testFlag(Qt::ShiftModifier)) {
        insertPlainText(QStringLiteral("\n"));
    } else if (enter && (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier) {
        emit submitted();
    } else if (event->key() == Qt::Key_Escape) {
        emit cancelled();
    } else {
        QPlainTextEdit::keyPressEvent(event);
    }
}

} // namespace ptxwb
