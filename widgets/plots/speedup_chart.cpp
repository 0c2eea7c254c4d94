// SPDX-License-Identifier: Apache-2.0
#include "widgets/plots/speedup_chart.h"

#include <QBarCategoryAxis>
#include <QBarLegendMarker>
#include <QBarSet>
#include <QBuffer>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLocale>
#include <QStackedBarSeries>
#include <QSvgGenerator>
#include <QToolTip>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace ptxwb {

SpeedupChart::SpeedupChart(QWidget* parent)
    : QChartView(parent)
{
    setObjectName(QStringLiteral("speedupChart"));
    setAccessibleName(tr("Speed-up against the library"));
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    // Whiskers and the reference line lie in the foreground, which must be drawn whole.
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    chart()->setMargins(QMargins(4, 4, 4, 4));
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setBackgroundRoundness(0);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setLocalizeNumbers(true);
}

void SpeedupChart::setColours(const ChartColours& colours)
{
    m_colours = colours;
    rebuild();
}

void SpeedupChart::setSeries(const SpeedupSeries& series)
{
    m_series = series;
    rebuild();
}

void SpeedupChart::rebuild()
{
    chart()->removeAllSeries();
    for (QAbstractAxis* axis : chart()->axes()) {
        chart()->removeAxis(axis);
        delete axis;
    }
    chart()->setBackgroundBrush(m_colours.paper);
    setBackgroundBrush(m_colours.paper);
    chart()->legend()->setLabelColor(m_colours.text);
    chart()->legend()->setAlignment(Qt::AlignTop);
    m_bars = nullptr;
    m_labels.clear();
    if (m_series.bars.empty()) {
        viewport()->update();
        return;
    }
    m_oneWorkload = std::all_of(m_series.bars.begin(), m_series.bars.end(),
        [this](const SpeedupBar& bar) { return bar.workload == m_series.bars.front().workload; });
    m_bars = new QStackedBarSeries;
    m_bars->setBarWidth(std::min(0.6, 0.12 * static_cast<double>(m_series.bars.size()) + 0.1));
    auto* live = new QBarSet(tr("measured here"));
    auto* recorded = new QBarSet(tr("recorded on another machine"));
    QStringList labels;
    double top = 1.0;
    for (const SpeedupBar& bar : m_series.bars) {
        const bool isRecorded = bar.origin == RunOrigin::Recorded;
        live->append(isRecorded ? 0 : bar.ratio);
        recorded->append(isRecorded ? bar.ratio : 0);
        // A category must be unique, so a second run of the same candidate gets its number.
        const QString name = m_oneWorkload ? bar.candidate : bar.label();
        QString label = name;
        for (int again = 2; labels.contains(label); ++again) {
            label = QStringLiteral("%1 (%2)").arg(name).arg(again);
        }
        labels << label;
        top = std::max({top, bar.ratio, bar.high});
    }
    live->setBrush(m_colours.live);
    live->setPen(QPen(m_colours.live));
    recorded->setBrush(QBrush(m_colours.recorded, Qt::BDiagPattern));
    recorded->setPen(QPen(m_colours.recorded, 1.5));
    m_bars->append(live);
    m_bars->append(recorded);
    chart()->addSeries(m_bars);
    for (QLegendMarker* marker : chart()->legend()->markers(m_bars)) {
        auto* barMarker = qobject_cast<QBarLegendMarker*>(marker);
        const QBarSet* set = barMarker != nullptr ? barMarker->barset() : nullptr;
        marker->setVisible(set != nullptr && set->sum() > 0);
    }
    m_categories = new QBarCategoryAxis;
    m_labels = labels;
    // Blanks keep the room: the axis would cut the ends of the names off, which is where those of one family
    // differ. They are drawn with the foreground.
    for (int i = 0; i < labels.size(); ++i) {
        m_categories->append(QStringLiteral(" ") + QString(i, QChar(0x200B))); // categories must differ
    }
    m_values = new QValueAxis;
    m_values->setRange(0, std::ceil(top * 1.15 * 5) / 5);
    m_values->setLabelFormat(QStringLiteral("%.1f"));
    m_values->setTitleText(tr("speed-up (%1 = 1)").arg(m_series.bars.front().baseline));
    chart()->addAxis(m_categories, Qt::AlignBottom);
    chart()->addAxis(m_values, Qt::AlignLeft);
    m_bars->attachAxis(m_categories);
    m_bars->attachAxis(m_values);
    styleAxes();
    connect(m_bars, &QAbstractBarSeries::hovered, this, [this](bool inside, int index, QBarSet*) {
        if (inside && index >= 0 && static_cast<std::size_t>(index) < m_series.bars.size()) {
            QToolTip::showText(
                QCursor::pos(), m_series.bars[static_cast<std::size_t>(index)].details(), this);
        } else {
            QToolTip::hideText();
        }
    });
    viewport()->update();
}

QStringList SpeedupChart::labels() const
{
    QStringList fitted;
    const QFontMetrics metrics(font());
    for (const QString& label : m_labels) {
        fitted << metrics.elidedText(
            label, Qt::ElideMiddle, std::max(labelRoom(), metrics.averageCharWidth() * 4));
    }
    return fitted;
}

int SpeedupChart::labelRoom() const
{
    return static_cast<int>(chart()->plotArea().width()) / std::max(1, static_cast<int>(m_labels.size())) - 6;
}

void SpeedupChart::styleAxes()
{
    for (QAbstractAxis* axis : chart()->axes()) {
        axis->setLabelsColor(m_colours.text);
        axis->setTitleBrush(m_colours.text);
        axis->setLinePenColor(m_colours.grid);
        axis->setGridLineColor(m_colours.grid);
        QFont plain = font();
        axis->setTitleFont(plain);
        axis->setLabelsFont(plain);
    }
    m_categories->setGridLineVisible(false);
    chart()->legend()->setFont(font());
}

void SpeedupChart::drawWhisker(QPainter& painter, int index, const SpeedupBar& bar) const
{
    const QPointF low = chart()->mapToPosition(QPointF(index, bar.low), m_bars);
    const QPointF high = chart()->mapToPosition(QPointF(index, bar.high), m_bars);
    constexpr double half = 7;
    painter.setPen(QPen(m_colours.interval, 1.6));
    painter.drawLine(low, high);
    painter.drawLine(low - QPointF(half, 0), low + QPointF(half, 0));
    painter.drawLine(high - QPointF(half, 0), high + QPointF(half, 0));
    const QLocale locale;
    QString text = QStringLiteral("%1× [%2, %3]")
                       .arg(locale.toString(bar.ratio, 'f', 2), locale.toString(bar.low, 'f', 3),
                           locale.toString(bar.high, 'f', 3));
    const double room = chart()->plotArea().width() / static_cast<double>(m_series.bars.size()) - 4;
    if (painter.fontMetrics().horizontalAdvance(text) > room) {
        text = QStringLiteral("%1×").arg(locale.toString(bar.ratio, 'f', 2)); // the tooltip has the numbers
    }
    const QPointF top = chart()->mapToPosition(QPointF(index, std::max(bar.high, bar.ratio)), m_bars);
    QRectF box(QPointF(), painter.fontMetrics().size(Qt::TextSingleLine, text));
    box.moveCenter(QPointF(top.x(), top.y() - 15));
    // The line of the baseline would otherwise strike the number through.
    painter.fillRect(box, chart()->backgroundBrush());
    painter.setPen(m_colours.text);
    painter.drawText(box.adjusted(-4, 0, 4, 0), Qt::AlignCenter, text);
}

void SpeedupChart::drawForeground(QPainter* painter, const QRectF& rect)
{
    QChartView::drawForeground(painter, rect);
    if (m_bars == nullptr) {
        return;
    }
    painter->save();
    painter->setFont(font());
    const QRectF area = chart()->plotArea();
    const double y = chart()->mapToPosition(QPointF(0, 1.0), m_bars).y();
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(m_colours.reference, 1, Qt::DashLine));
    painter->drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(m_colours.reference);
    // In the row above the plot, where no bar can cover it.
    painter->drawText(QRectF(area.left(), area.top() - 19, area.width(), 16),
        Qt::AlignLeft | Qt::AlignVCenter,
        QStringLiteral("- - ") + tr("1.0 = %1").arg(m_series.bars.front().baseline));
    painter->setPen(m_colours.text);
    const QStringList names = labels();
    for (int i = 0; i < names.size(); ++i) {
        const double x = chart()->mapToPosition(QPointF(i, 0), m_bars).x();
        const double width = labelRoom() + 4;
        painter->drawText(QRectF(x - width / 2, area.bottom() + 3, width, painter->fontMetrics().height()),
            Qt::AlignCenter, names[i]);
    }
    for (std::size_t i = 0; i < m_series.bars.size(); ++i) {
        drawWhisker(*painter, static_cast<int>(i), m_series.bars[i]);
    }
    painter->restore();
}

QByteArray SpeedupChart::asSvg()
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size());
    generator.setViewBox(rect());
    generator.setTitle(tr("Speed-up against the library"));
    QPainter painter(&generator);
    render(&painter);
    painter.end();
    return bytes;
}

} // namespace ptxwb
