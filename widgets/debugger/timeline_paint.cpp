// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/timeline_colours.h"
#include "widgets/debugger/timeline_view.h"

#include <QLocale>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace ptxwb {

namespace {

/// 1, 2 or 5 times a power of ten, at least `rounds`.
quint64 niceStep(double rounds)
{
    quint64 power = 1;
    while (static_cast<double>(power) * 10 <= rounds) {
        power *= 10;
    }
    for (const quint64 times : {1U, 2U, 5U}) {
        if (static_cast<double>(times * power) >= rounds) {
            return times * power;
        }
    }
    return 10 * power;
}

} // namespace

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    const int top = axisHeight();
    const int scrolled = verticalScrollBar()->value();
    const int height = laneHeight();
    painter.setClipRect(0, top, viewport()->width(), viewport()->height() - top);
    const auto first = static_cast<std::size_t>(scrolled / height);
    for (std::size_t lane = first; lane < m_lanes.size(); ++lane) {
        const int y = top + static_cast<int>(lane) * height - scrolled;
        if (y > viewport()->height()) {
            break;
        }
        paintLane(painter, lane, QRect(m_titleWidth, y, plotWidth(), height));
    }
    painter.setClipping(false);
    paintAxis(painter);
}

void TimelineView::paintAxis(QPainter& painter) const
{
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const auto step =
        niceStep(fontMetrics().horizontalAdvance(QStringLiteral("0,000,000")) * 1.6 / m_pixelsPerRound);
    const double last = std::min(m_left + roundsShown(), static_cast<double>(m_rounds));
    for (auto round = static_cast<quint64>(m_left) / step * step; static_cast<double>(round) <= last;
         round += step) {
        const auto x = static_cast<int>(xOf(static_cast<double>(round)));
        if (x < m_titleWidth) {
            continue;
        }
        painter.drawLine(x, axisHeight() - 4, x, axisHeight());
        painter.drawText(x + 3, 2 + fontMetrics().ascent(), QLocale().toString(round));
    }
    painter.drawText(4, 2 + fontMetrics().ascent(), tr("round"));
    painter.drawLine(0, axisHeight(), viewport()->width(), axisHeight());
    const double x = xOf(static_cast<double>(m_round));
    if (x >= m_titleWidth && x <= viewport()->width()) {
        QPen pen(palette().color(QPalette::Highlight));
        pen.setWidth(2);
        painter.setPen(pen);
        painter.drawLine(QPointF(x, 0), QPointF(x, viewport()->height()));
    }
}

void TimelineView::paintLane(QPainter& painter, std::size_t index, const QRect& area) const
{
    const TimelineLane& lane = m_lanes[index];
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRect(4, area.top(), m_titleWidth - 8, area.height()), Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(lane.title, Qt::ElideMiddle, m_titleWidth - 8));
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    for (auto bar = TimelineLanes::firstEndingBehind(lane, m_left); bar < lane.bars.size();) {
        const double left = std::max(xOf(static_cast<double>(lane.bars[bar].begin)), area.left() - 2.0);
        if (left > area.right()) {
            break;
        }
        const double right =
            std::max(left + 1, std::min(xOf(static_cast<double>(lane.bars[bar].end)), area.right() + 2.0));
        const bool isChosen = m_chosen == Place{index, bar};
        paintBar(
            painter, lane.bars[bar], QRectF(left, area.top() + 2, right - left, area.height() - 4), isChosen);
        // What ends within the same pixel would be drawn over it: at most one bar a pixel.
        bar = std::max(bar + 1, TimelineLanes::firstEndingBehind(lane, roundAt(std::floor(right))));
    }
    painter.restore();
}

void TimelineView::paintBar(
    QPainter& painter, const TimelineBar& bar, const QRectF& area, bool isChosen) const
{
    const TimelineInk ink = timelineInk(bar.kind, palette());
    painter.fillRect(area, ink.fill);
    if (bar.kind == TimelineBarKind::Wait && area.width() > 3) {
        painter.fillRect(area, QBrush(ink.edge, Qt::BDiagPattern)); // not by colour alone
    }
    if (area.width() > 3) {
        painter.setPen(ink.edge);
        painter.drawLine(area.topLeft(), area.bottomLeft());
    }
    if (area.width() > fontMetrics().averageCharWidth() * 6) {
        const QRectF inside = area.adjusted(4, 0, -2, 0);
        const QString text =
            fontMetrics().elidedText(bar.label, Qt::ElideRight, static_cast<int>(inside.width()));
        if (bar.kind == TimelineBarKind::Wait) { // the hatching would run through the letters
            QRectF behind = inside;
            behind.setWidth(std::min<double>(fontMetrics().horizontalAdvance(text) + 2, inside.width()));
            painter.fillRect(behind, ink.fill);
        }
        painter.setPen(ink.text);
        painter.drawText(inside, Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    if (isChosen) {
        QPen pen(palette().color(QPalette::Highlight));
        pen.setWidth(2);
        painter.setPen(pen);
        painter.drawRect(area.adjusted(0, 0, -1, -1));
    }
}

} // namespace ptxwb
