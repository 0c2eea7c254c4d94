// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/plots/speedup_series.h"

#include <QChartView>
#include <QColor>

class QBarCategoryAxis;
class QBarSet;
class QStackedBarSeries;
class QValueAxis;

namespace ptxwb {

struct ChartColours {
    bool dark = false;
    QColor paper{Qt::white};
    QColor text{Qt::black};
    QColor grid{QColor(0xd5, 0xda, 0xe1)};
    QColor live{QColor(0x1f, 0x77, 0xb4)};
    QColor recorded{QColor(0x8a, 0x5f, 0xb0)};
    QColor interval{QColor(0x20, 0x20, 0x20)};
    QColor reference{QColor(0xc0, 0x4a, 0x00)};
};

/// Bars of speed-up with interval whiskers and the line at 1.0, where the library stands. Recorded runs are
/// hatched.
class SpeedupChart : public QChartView {
    Q_OBJECT
public:
    explicit SpeedupChart(QWidget* parent = nullptr);

    void setColours(const ChartColours& colours);
    void setSeries(const SpeedupSeries& series);
    const SpeedupSeries& series() const { return m_series; }

    /// What stands below the bars: names of runs, shortened in their middle where there is no room.
    QStringList labels() const;
    QByteArray asSvg();

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;

private:
    void rebuild();
    void styleAxes();
    int labelRoom() const;
    void drawWhisker(QPainter& painter, int index, const SpeedupBar& bar) const;

    SpeedupSeries m_series;
    ChartColours m_colours;
    bool m_oneWorkload = false; ///< labels need not name it
    QStringList m_labels; ///< whole, one a bar
    QStackedBarSeries* m_bars = nullptr;
    QBarCategoryAxis* m_categories = nullptr;
    QValueAxis* m_values = nullptr;
};

} // namespace ptxwb
