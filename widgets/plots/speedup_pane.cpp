// SPDX-License-Identifier: Apache-2.0
#include "widgets/plots/speedup_pane.h"

#include "widgets/editor/elided_label.h"
#include "widgets/plots/speedup_chart.h"

#include <QBuffer>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace ptxwb {

SpeedupPane::SpeedupPane(QWidget* parent)
    : QWidget(parent)
    , m_chart(new SpeedupChart)
    , m_pane(new PlaceholderPane(m_chart, this))
    , m_left(new ElidedLabel(this))
    , m_export(new QToolButton(this))
{
    setObjectName(QStringLiteral("speedupPane"));
    m_left->setMargin(4);
    m_export->setText(tr("Export"));
    m_export->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_export);
    const std::pair<QString, Export> formats[] = {{tr("Picture (PNG)…"), Export::Png},
        {tr("Drawing (SVG)…"), Export::Svg}, {tr("Numbers (CSV)…"), Export::Csv}};
    for (const auto& [title, format] : formats) {
        connect(menu->addAction(title), &QAction::triggered, this,
            [this, chosen = format] { emit exportRequested(chosen); });
    }
    m_export->setMenu(menu);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(4, 0, 4, 2);
    bottom->addWidget(m_left, 1);
    bottom->addWidget(m_export);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_pane, 1);
    layout->addLayout(bottom);
    setRuns({}, {});
}

void SpeedupPane::setColours(const ChartColours& colours)
{
    m_chart->setColours(colours);
}

void SpeedupPane::setRuns(const std::vector<RunEntry>& runs, const QString& reason)
{
    const SpeedupSeries series = speedupSeries(runs);
    m_chart->setSeries(series);
    const QString none = reason.isEmpty() ? tr("No measured speed-up yet.") : reason;
    m_pane->setPlaceholder(series.bars.empty() ? none : QString());
    m_left->setText(series.left.isEmpty()
            ? QString()
            : tr("Not plotted: %1").arg(series.left.join(QStringLiteral("; "))));
    m_left->setToolTip(series.left.join(QLatin1Char('\n')));
    m_export->setEnabled(!series.bars.empty());
}

QString SpeedupPane::leftOut() const
{
    return m_left->text();
}

QByteArray SpeedupPane::exported(Export format)
{
    switch (format) {
    case Export::Svg:
        return m_chart->asSvg();
    case Export::Csv:
        return speedupCsv(m_chart->series()).toUtf8();
    case Export::Png: {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        m_chart->grab().save(&buffer, "PNG");
        return bytes;
    }
    }
    return {};
}

} // namespace ptxwb
