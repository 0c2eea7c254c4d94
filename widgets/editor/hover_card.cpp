// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/hover_card.h"

#include <QLabel>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb {

HoverCard::HoverCard(QWidget* parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
    , m_hideTimer(new QTimer(this))
{
    setObjectName(QStringLiteral("hoverCard"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    setForegroundRole(QPalette::ToolTipText);
    setFocusPolicy(Qt::NoFocus);
    m_label->setTextFormat(Qt::RichText);
    m_label->setWordWrap(true);
    m_label->setForegroundRole(QPalette::ToolTipText);
    m_label->setTextInteractionFlags(Qt::LinksAccessibleByMouse);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 2);
    layout->addWidget(m_label);
    m_hideTimer->setSingleShot(true);
    m_hideTimer->setInterval(300);
    connect(m_hideTimer, &QTimer::timeout, this, &QWidget::hide);
    connect(m_label, &QLabel::linkActivated, this, &HoverCard::linkActivated);
    hide();
}

void HoverCard::showFor(const QRect& anchor, const QString& html)
{
    m_hideTimer->stop();
    m_label->setText(html);
    const int width = std::clamp(parentWidget()->width() - 16, 120, 520);
    m_label->setFixedWidth(width - 18);
    resize(width, m_label->heightForWidth(width - 18) + 6);
    QPoint spot(anchor.left(), anchor.bottom() + 2);
    if (spot.y() + height() > parentWidget()->height()) {
        spot.setY(std::max(0, anchor.top() - height() - 2));
    }
    spot.setX(std::clamp(spot.x(), 0, std::max(0, parentWidget()->width() - width)));
    move(spot);
    show();
    raise();
}

void HoverCard::hideSoon()
{
    if (isVisible() && !underMouse()) {
        m_hideTimer->start();
    }
}

QString HoverCard::html() const
{
    return m_label->text();
}

void HoverCard::enterEvent(QEnterEvent* event)
{
    m_hideTimer->stop();
    QFrame::enterEvent(event);
}

void HoverCard::leaveEvent(QEvent* event)
{
    m_hideTimer->start();
    QFrame::leaveEvent(event);
}

} // namespace ptxwb
