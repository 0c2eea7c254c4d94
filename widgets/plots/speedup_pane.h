// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/placeholder_pane.h"
#include "widgets/plots/speedup_series.h"

#include <QWidget>

class QToolButton;

namespace ptxwb {

class ElidedLabel;
class SpeedupChart;
struct ChartColours;

/// The speed-up chart with its exports, or the sentence that says why there is nothing to plot.
class SpeedupPane : public QWidget {
    Q_OBJECT
public:
    enum class Export { Png, Svg, Csv };
    Q_ENUM(Export)

    explicit SpeedupPane(QWidget* parent = nullptr);

    void setColours(const ChartColours& colours);
    /// `reason` is shown while there is no bar.
    void setRuns(const std::vector<RunEntry>& runs, const QString& reason);
    SpeedupChart* chart() const { return m_chart; }
    QString placeholder() const { return m_pane->placeholder(); }
    QString leftOut() const;

    /// The bytes of an exported file.
    QByteArray exported(Export format);

signals:
    void exportRequested(ptxwb::SpeedupPane::Export format);

private:
    SpeedupChart* m_chart;
    PlaceholderPane* m_pane;
    ElidedLabel* m_left;
    QToolButton* m_export;
};

} // namespace ptxwb
