// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/timeline_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ptxwb {

namespace {

constexpr double mostPixelsPerRound = 60;
constexpr double zoomStep = 1.5;
constexpr int scrollSteps = 10'000; ///< of the horizontal bar, whatever the number of rounds

} // namespace

TimelineView::TimelineView(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setMinimumHeight(40);
    setAccessibleName(tr("Timeline"));
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setAutoFillBackground(true);
    verticalScrollBar()->setSingleStep(laneHeight());
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
    connect(horizontalScrollBar(), &QScrollBar::valueChanged, this, [this](int value) {
        const double hidden = static_cast<double>(m_rounds) - roundsShown();
        m_left = std::max(0.0, hidden) * value / scrollSteps;
        viewport()->update();
    });
}

int TimelineView::laneHeight() const
{
    return fontMetrics().height() + 4;
}

int TimelineView::axisHeight() const
{
    return fontMetrics().height() + 6;
}

int TimelineView::plotWidth() const
{
    return std::max(20, viewport()->width() - m_titleWidth);
}

double TimelineView::roundsShown() const
{
    return plotWidth() / m_pixelsPerRound;
}

double TimelineView::xOf(double round) const
{
    return m_titleWidth + (round - m_left) * m_pixelsPerRound;
}

double TimelineView::roundAt(double x) const
{
    return m_left + (x - m_titleWidth) / m_pixelsPerRound;
}

const TimelineBar& TimelineView::barAt(const Place& place) const
{
    return m_lanes[place.lane].bars[place.bar];
}

void TimelineView::setLanes(std::vector<TimelineLane> lanes, quint64 rounds)
{
    m_lanes = std::move(lanes);
    m_rounds = rounds;
    m_chosen.reset();
    measureTitles();
    fit();
}

void TimelineView::measureTitles()
{
    int widest = 0;
    for (const TimelineLane& lane : m_lanes) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(lane.title));
    }
    m_titleWidth = std::min(widest, 220) + 12;
}

void TimelineView::setRound(quint64 round)
{
    m_round = round;
    viewport()->update();
}

void TimelineView::fit()
{
    m_fits = true;
    m_pixelsPerRound =
        std::min(mostPixelsPerRound, plotWidth() / std::max(1.0, static_cast<double>(m_rounds)));
    m_left = 0;
    updateBars();
}

void TimelineView::zoom(double factor)
{
    zoomAround(m_titleWidth + plotWidth() / 2.0, factor);
}

void TimelineView::zoomAround(double x, double factor)
{
    const double round = roundAt(x);
    const double least =
        std::min(mostPixelsPerRound, plotWidth() / std::max(1.0, static_cast<double>(m_rounds)));
    m_pixelsPerRound = std::clamp(m_pixelsPerRound * factor, least, mostPixelsPerRound);
    m_fits = m_pixelsPerRound <= least;
    setLeft(round - (x - m_titleWidth) / m_pixelsPerRound);
}

void TimelineView::setLeft(double round)
{
    m_left = std::clamp(round, 0.0, std::max(0.0, static_cast<double>(m_rounds) - roundsShown()));
    updateBars();
}

void TimelineView::updateBars()
{
    const double hidden = static_cast<double>(m_rounds) - roundsShown();
    auto* across = horizontalScrollBar();
    {
        const QSignalBlocker blocker(across);
        across->setRange(0, hidden > 0.5 ? scrollSteps : 0);
        const double page = hidden > 0.5 ? scrollSteps * roundsShown() / hidden : 1;
        across->setPageStep(std::max(1, static_cast<int>(std::min(page, 1e8))));
        across->setSingleStep(std::max(1, across->pageStep() / 10));
        across->setValue(hidden > 0.5 ? static_cast<int>(std::lround(m_left / hidden * scrollSteps)) : 0);
    }
    const int height = viewport()->height() - axisHeight();
    const int whole = static_cast<int>(m_lanes.size()) * laneHeight();
    verticalScrollBar()->setRange(0, std::max(0, whole - height));
    verticalScrollBar()->setPageStep(height);
    viewport()->update();
}

void TimelineView::resizeEvent(QResizeEvent*)
{
    if (m_fits) {
        fit();
    } else {
        setLeft(m_left);
    }
}

void TimelineView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        measureTitles();
        updateBars();
    }
    QAbstractScrollArea::changeEvent(event);
}

std::optional<TimelineView::Place> TimelineView::placeAt(const QPoint& point) const
{
    if (point.x() < m_titleWidth || point.y() < axisHeight()) {
        return std::nullopt;
    }
    const int row = (point.y() - axisHeight() + verticalScrollBar()->value()) / laneHeight();
    if (row < 0 || static_cast<std::size_t>(row) >= m_lanes.size()) {
        return std::nullopt;
    }
    // A bar narrower than a pixel is found by the pixel that it is drawn in.
    const auto lane = static_cast<std::size_t>(row);
    const auto bar = TimelineLanes::firstEndingBehind(m_lanes[lane], roundAt(point.x() - 1));
    if (bar == m_lanes[lane].bars.size()
        || xOf(static_cast<double>(m_lanes[lane].bars[bar].begin)) > point.x() + 1) {
        return std::nullopt;
    }
    return Place{lane, bar};
}

QString TimelineView::textOf(const Place& place) const
{
    const TimelineBar& bar = barAt(place);
    std::size_t named = place.lane;
    while (named > 0 && m_lanes[named].title.isEmpty()) {
        --named;
    }
    return tr("%1, rounds %L2 to %L3: %4")
        .arg(m_lanes[named].title)
        .arg(bar.begin)
        .arg(bar.end)
        .arg(bar.detail);
}

void TimelineView::choose(const Place& place)
{
    m_chosen = place;
    const TimelineBar& bar = barAt(place);
    const auto begin = static_cast<double>(bar.begin);
    const auto end = static_cast<double>(bar.end);
    if (begin < m_left || std::min(end, begin + 1) > m_left + roundsShown()) {
        setLeft(begin - roundsShown() / 4);
    }
    const int top = static_cast<int>(place.lane) * laneHeight();
    const int height = viewport()->height() - axisHeight();
    if (top < verticalScrollBar()->value()) {
        verticalScrollBar()->setValue(top);
    } else if (top + laneHeight() > verticalScrollBar()->value() + height) {
        verticalScrollBar()->setValue(top + laneHeight() - height);
    }
    viewport()->update();
    emit barChosen(textOf(place));
}

void TimelineView::chooseInLane(int step)
{
    if (!m_chosen) {
        chooseOtherLane(1);
        return;
    }
    const auto& bars = m_lanes[m_chosen->lane].bars;
    if (step > 0 ? m_chosen->bar + 1 < bars.size() : m_chosen->bar > 0) {
        choose({m_chosen->lane, m_chosen->bar + static_cast<std::size_t>(step)});
    }
}

void TimelineView::chooseOtherLane(int step)
{
    const double round =
        m_chosen ? static_cast<double>(barAt(*m_chosen).begin) : static_cast<double>(m_round);
    const auto count = static_cast<std::ptrdiff_t>(m_lanes.size());
    for (auto lane = m_chosen ? static_cast<std::ptrdiff_t>(m_chosen->lane) + step : 0;
         lane >= 0 && lane < count; lane += step) {
        const auto index = static_cast<std::size_t>(lane);
        if (!m_lanes[index].bars.empty()) {
            choose({index,
                std::min(TimelineLanes::firstEndingBehind(m_lanes[index], round),
                    m_lanes[index].bars.size() - 1)});
            return;
        }
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const bool pans = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(zoomStep);
        return;
    case Qt::Key_Minus:
        zoom(1 / zoomStep);
        return;
    case Qt::Key_0:
        fit();
        return;
    case Qt::Key_Home:
        setLeft(0);
        return;
    case Qt::Key_End:
        setLeft(static_cast<double>(m_rounds));
        return;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int step = event->key() == Qt::Key_Left ? -1 : 1;
        if (pans) {
            setLeft(m_left + step * roundsShown() / 10);
        } else {
            chooseInLane(step);
        }
        return;
    }
    case Qt::Key_Up:
    case Qt::Key_Down:
        chooseOtherLane(event->key() == Qt::Key_Up ? -1 : 1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_chosen) {
            emit roundActivated(barAt(*m_chosen).begin);
        }
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomAround(event->position().x(), std::pow(zoomStep, event->angleDelta().y() / 120.0));
        event->accept();
    } else {
        QAbstractScrollArea::wheelEvent(event);
    }
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) {
        m_dragFrom = event->pos();
        m_dragLeft = m_left;
        m_dragged = false;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragFrom && (m_dragged || std::abs(event->pos().x() - m_dragFrom->x()) > 4)) {
        m_dragged = true;
        setLeft(m_dragLeft - (event->pos().x() - m_dragFrom->x()) / m_pixelsPerRound);
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto place = m_dragFrom && !m_dragged ? placeAt(event->pos()) : std::nullopt;
    m_dragFrom.reset();
    if (place) {
        choose(*place);
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto place = placeAt(event->pos())) {
        choose(*place);
        emit roundActivated(barAt(*place).begin);
    }
}

bool TimelineView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto place = placeAt(help->pos());
        QToolTip::showText(help->globalPos(), place ? textOf(*place) : QString(), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace ptxwb
