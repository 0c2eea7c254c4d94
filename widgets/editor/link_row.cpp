// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/link_row.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr int sideMargin = 8;
constexpr int topMargin = 4;

} // namespace

LinkRow::LinkRow(const QString& title, const QString& detail, QWidget* parent)
    : QAbstractButton(parent)
    , m_detail(detail)
{
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(detail);
    setToolTip(detail.isEmpty() ? title : title + QLatin1Char('\n') + detail);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void LinkRow::setAside(const QString& text)
{
    m_aside = text;
    update();
}

QFont LinkRow::detailFont() const
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    return small;
}

int LinkRow::lineHeight() const
{
    return fontMetrics().height() + (m_detail.isEmpty() ? 0 : QFontMetrics(detailFont()).height());
}

QSize LinkRow::sizeHint() const
{
    const int width = std::max(fontMetrics().horizontalAdvance(text() + m_aside),
        QFontMetrics(detailFont()).horizontalAdvance(m_detail));
    return {width + 4 * sideMargin, lineHeight() + 2 * topMargin};
}

QSize LinkRow::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

void LinkRow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    if (underMouse() || isDown()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette().color(QPalette::Button));
        painter.drawRoundedRect(frame, 4, 4);
    }
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(frame, 4, 4);
    }
    QRect room = rect().adjusted(sideMargin, topMargin, -sideMargin, -topMargin);
    QRect first = room;
    first.setHeight(fontMetrics().height());
    if (!m_aside.isEmpty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, m_aside);
        first.setRight(first.right() - fontMetrics().horizontalAdvance(m_aside) - sideMargin);
    }
    painter.setPen(palette().color(QPalette::Link));
    painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(text(), Qt::ElideMiddle, first.width()));
    if (!m_detail.isEmpty()) {
        room.setTop(first.bottom() + 1);
        painter.setFont(detailFont());
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetrics(detailFont()).elidedText(m_detail, Qt::ElideRight, room.width()));
    }
}

void LinkRow::enterEvent(QEnterEvent*)
{
    update();
}

void LinkRow::leaveEvent(QEvent*)
{
    update();
}

void LinkRow::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        click();
        return;
    case Qt::Key_Down:
        focusNextChild();
        return;
    case Qt::Key_Up:
        focusPreviousChild();
        return;
    default:
        QAbstractButton::keyPressEvent(event);
    }
}

} // namespace ptxwb
