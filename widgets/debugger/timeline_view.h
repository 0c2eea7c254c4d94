// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/debugger/timeline_lanes.h"

#include <QAbstractScrollArea>

#include <optional>

namespace ptxwb {

/// Lanes of bars over rounds. Drag pans, Ctrl+wheel and + / - zoom, 0 fits; arrows go from bar to bar.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    struct Place {
        std::size_t lane = 0;
        std::size_t bar = 0;
        bool operator==(const Place&) const = default;
    };

    explicit TimelineView(QWidget* parent = nullptr);

    void setLanes(std::vector<TimelineLane> lanes, quint64 rounds);
    /// Where the debugger stands.
    void setRound(quint64 round);
    const std::vector<TimelineLane>& lanes() const { return m_lanes; }
    const std::optional<Place>& chosen() const { return m_chosen; }
    double roundsShown() const; ///< rounds that the width holds
    void fit();
    void zoom(double factor); ///< around the middle
    /// The bar at a point of the viewport.
    std::optional<Place> placeAt(const QPoint& point) const;
    QString textOf(const Place& place) const;

signals:
    /// The sentence of the bar that is chosen now.
    void barChosen(const QString& text);
    void roundActivated(quint64 round);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    int laneHeight() const;
    int axisHeight() const;
    int plotWidth() const;
    double xOf(double round) const;
    double roundAt(double x) const;
    void zoomAround(double x, double factor);
    void setLeft(double round);
    void updateBars();
    void measureTitles();
    void choose(const Place& place);
    void chooseInLane(int step);
    void chooseOtherLane(int step);
    const TimelineBar& barAt(const Place& place) const;
    void paintAxis(QPainter& painter) const;
    void paintLane(QPainter& painter, std::size_t lane, const QRect& area) const;
    void paintBar(QPainter& painter, const TimelineBar& bar, const QRectF& area, bool isChosen) const;

    std::vector<TimelineLane> m_lanes;
    quint64 m_rounds = 0;
    quint64 m_round = 0;
    double m_left = 0; ///< round at the left edge
    double m_pixelsPerRound = 1;
    int m_titleWidth = 0;
    bool m_fits = true; ///< follows the width until somebody zooms
    std::optional<Place> m_chosen;
    std::optional<QPoint> m_dragFrom;
    double m_dragLeft = 0;
    bool m_dragged = false;
};

} // namespace ptxwb
