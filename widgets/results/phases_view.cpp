// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/phases_view.h"

#include "widgets/results/ledger_words.h"
#include "widgets/results/verdict_words.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QTimer>

#include <algorithm>

namespace ptxwb {

namespace {

QString durationText(double ms)
{
    const QLocale locale;
    return ms < 1000 ? PhasesView::tr("%1 ms").arg(locale.toString(ms, 'f', ms < 10 ? 1 : 0))
                     : PhasesView::tr("%1 s").arg(locale.toString(ms / 1000, 'f', 1));
}

} // namespace

PhasesView::PhasesView(QWidget* parent)
    : QWidget(parent)
    , m_bar(new QProgressBar(this))
    , m_status(new QLabel(this))
    , m_tick(new QTimer(this))
{
    setObjectName(QStringLiteral("phasesView"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 3, 8, 3);
    layout->setSpacing(6);
    for (const Phase phase : allPhases()) {
        auto* label = new QLabel(this);
        label->setMargin(3);
        label->setAutoFillBackground(true);
        layout->addWidget(label);
        m_chips.push_back({phase, label});
    }
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(140);
    m_bar->setAccessibleName(tr("Progress of the evaluation"));
    m_status->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layout->addWidget(m_bar);
    layout->addWidget(m_status, 1);
    m_tick->setInterval(200);
    connect(m_tick, &QTimer::timeout, this, &PhasesView::showElapsed);
    showPhases({});
}

PhasesView::Chip& PhasesView::chip(Phase phase)
{
    return *std::find_if(
        m_chips.begin(), m_chips.end(), [phase](const Chip& one) { return one.phase == phase; });
}

void PhasesView::setColours(const StatusColours& colours)
{
    m_colours = colours;
    for (const Chip& one : m_chips) {
        paint(one.phase);
    }
}

void PhasesView::paint(Phase phase)
{
    Chip& one = chip(phase);
    const bool current = m_running && m_current == phase;
    const Tone tone = one.record ? VerdictWords::tone(one.record->state) : Tone::Neutral;
    QString text = VerdictWords::word(phase);
    if (one.record) {
        text = QStringLiteral("%1 %2").arg(glyphOf(tone), text);
        if (one.record->state == PhaseState::Passed || one.record->state == PhaseState::Failed) {
            text += QStringLiteral("  %1").arg(durationText(one.record->ms));
        }
    } else if (current) {
        text = QStringLiteral("▶ %1").arg(text);
    }
    one.label->setText(text);
    QString toolTip = one.record ? VerdictWords::word(one.record->state) : QString();
    if (one.record && !one.record->reason.empty()) {
        toolTip += QStringLiteral(": %1").arg(LedgerWords::translated(one.record->reason));
    }
    one.label->setToolTip(toolTip);
    QFont chipFont = font();
    chipFont.setBold(current);
    one.label->setFont(chipFont);
    QPalette colours = palette();
    colours.setColor(QPalette::Window, m_colours.fill(tone));
    colours.setColor(QPalette::WindowText, m_colours.ink(tone));
    one.label->setPalette(colours);
}

void PhasesView::setRunningVisible(bool visible)
{
    m_bar->setVisible(visible);
    if (!visible) {
        m_status->clear();
    }
}

void PhasesView::showPhases(const std::vector<PhaseRecord>& phases)
{
    stopRun();
    for (Chip& one : m_chips) {
        one.record.reset();
    }
    for (const PhaseRecord& record : phases) {
        chip(record.phase).record = record;
    }
    for (const Chip& one : m_chips) {
        paint(one.phase);
    }
}

void PhasesView::startRun()
{
    showPhases({});
    m_running = true;
    m_current.reset();
    m_message.clear();
    m_bar->setValue(0);
    m_clock.start();
    m_tick->start();
    setRunningVisible(true);
    showElapsed();
}

void PhasesView::setProgress(Phase phase, double fraction, const QString& message)
{
    if (!m_running) {
        return;
    }
    m_message = message;
    m_bar->setValue(static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 1000));
    if (m_current != phase) {
        const std::optional<Phase> before = m_current;
        m_current = phase;
        if (before) {
            paint(*before);
        }
    }
    paint(phase);
    showElapsed();
}

void PhasesView::endPhase(const PhaseRecord& record)
{
    chip(record.phase).record = record;
    paint(record.phase);
}

void PhasesView::stopRun()
{
    m_running = false;
    m_tick->stop();
    setRunningVisible(false);
    if (m_current) {
        const Phase last = *m_current;
        m_current.reset();
        paint(last);
    }
}

void PhasesView::showElapsed()
{
    const QString elapsed = durationText(static_cast<double>(m_clock.elapsed()));
    m_status->setText(m_message.isEmpty() ? elapsed : QStringLiteral("%1 · %2").arg(elapsed, m_message));
}

QString PhasesView::phaseText(Phase phase) const
{
    const auto one = std::find_if(
        m_chips.begin(), m_chips.end(), [phase](const Chip& chip) { return chip.phase == phase; });
    return one->label->text();
}

QString PhasesView::statusText() const
{
    return m_status->text();
}

} // namespace ptxwb
