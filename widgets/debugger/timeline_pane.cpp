// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/timeline_pane.h"

#include "widgets/debugger/timeline_colours.h"
#include "widgets/debugger/timeline_view.h"
#include "widgets/editor/placeholder_pane.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ptxwb {

TimelinePane::TimelinePane(QWidget* parent)
    : QWidget(parent)
    , m_view(new TimelineView)
    , m_pane(new PlaceholderPane(m_view))
    , m_export(new QPushButton(tr("Save as trace…")))
    , m_legend(new QLabel)
    , m_note(new QLabel)
{
    auto* here = new QPushButton(tr("Up to here"));
    here->setToolTip(tr("Records from the start to where the debugger stands"));
    auto* whole = new QPushButton(tr("Whole run"));
    whole->setToolTip(tr("Records the whole run; the debugger stays where it stands"));
    m_export->setToolTip(tr("A trace for ui.perfetto.dev or chrome://tracing"));
    auto* fit = new QPushButton(tr("Fit"));
    auto* choices = new QHBoxLayout;
    choices->setContentsMargins(4, 2, 4, 0);
    for (QPushButton* button : {here, whole, fit, m_export}) {
        choices->addWidget(button);
    }
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_legend->setSizePolicy(
        QSizePolicy::Ignored, QSizePolicy::Preferred); // cut in a narrow pane, not in its way
    choices->addWidget(m_legend, 1);
    m_note->setMargin(2);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(1);
    layout->addLayout(choices);
    layout->addWidget(m_pane, 1);
    layout->addWidget(m_note);
    connect(here, &QPushButton::clicked, this, [this] { emit recordingRequested(false); });
    connect(whole, &QPushButton::clicked, this, [this] { emit recordingRequested(true); });
    connect(fit, &QPushButton::clicked, m_view, &TimelineView::fit);
    connect(m_export, &QPushButton::clicked, this, &TimelinePane::exportRequested);
    connect(m_view, &TimelineView::roundActivated, this, &TimelinePane::roundActivated);
    connect(m_view, &TimelineView::barChosen, this, [this](const QString& text) {
        m_chosen = text;
        showNote();
    });
    showLegend();
    clear();
}

void TimelinePane::clear()
{
    m_timeline = {};
    m_view->setLanes({}, 0);
    m_export->setEnabled(false);
    m_chosen.clear();
    m_note->clear();
    m_pane->setPlaceholder(
        tr("Nothing is recorded. \"Up to here\" records what warps, copies, products and barriers "
           "did from the start to where the debugger stands, \"Whole run\" to the end."));
}

void TimelinePane::show(emulator::Timeline timeline)
{
    m_timeline = std::move(timeline);
    m_view->setLanes(TimelineLanes::of(m_timeline), m_timeline.rounds);
    m_export->setEnabled(true);
    m_chosen.clear();
    m_pane->setPlaceholder(
        m_timeline.rounds == 0 ? tr("The debugger stands at the start: nothing has run yet.") : QString());
    showNote();
}

void TimelinePane::setRound(quint64 round)
{
    m_view->setRound(round);
}

QString TimelinePane::note() const
{
    return m_note->text();
}

void TimelinePane::showNote()
{
    if (!m_chosen.isEmpty()) {
        m_note->setText(tr("%1. Enter goes there.").arg(m_chosen));
        return;
    }
    QString text = tr("%L1 rounds: an order, not time.").arg(m_timeline.rounds);
    if (m_timeline.isCut) {
        text += QLatin1Char(' ') + tr("Cut there: there was more than can be shown.");
    } else if (m_timeline.isWhole) {
        text += QLatin1Char(' ') + tr("The run ends there.");
    }
    m_note->setText(
        text + QLatin1Char(' ') + tr("Drag or Shift+arrows pan, Ctrl+wheel or + and - zoom, 0 fits."));
}

void TimelinePane::showLegend()
{
    QString text;
    const auto add = [&](TimelineBarKind kind, const QString& word) {
        const TimelineInk ink = timelineInk(kind, palette());
        text += QStringLiteral("<span style='background:%1; color:%2'>&nbsp;%3&nbsp;</span> ")
                    .arg(ink.fill.name(), ink.text.name(), word.toHtmlEscaped());
    };
    add(TimelineBarKind::Run, tr("runs"));
    add(TimelineBarKind::Wait, tr("waits"));
    add(TimelineBarKind::Copy, tr("copy"));
    add(TimelineBarKind::Product, tr("product"));
    add(TimelineBarKind::Phase, tr("phase"));
    m_legend->setText(text);
}

void TimelinePane::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        showLegend();
    }
    QWidget::changeEvent(event);
}

} // namespace ptxwb
