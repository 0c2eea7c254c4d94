// SPDX-License-Identifier: Apache-2.0
#include "widgets/plots/speedup_series.h"

#include "widgets/plots/speedup_pane.h"
#include "widgets/results/verdict_words.h"

#include <QLocale>

namespace ptxwb {

namespace {

QString quoted(QString text)
{
    return QStringLiteral("\"%1\"").arg(text.replace(QLatin1Char('"'), QStringLiteral("\"\"")));
}

QString originWord(RunOrigin origin)
{
    return origin == RunOrigin::Recorded ? QStringLiteral("recorded") : QStringLiteral("measured_here");
}

QString whyNoBar(const Evaluation& evaluation)
{
    if (evaluation.verdict != Verdict::Correct) {
        return VerdictWords::word(evaluation.verdict);
    }
    if (!evaluation.timing) {
        return SpeedupPane::tr("not timed");
    }
    if (evaluation.timing->impossible) {
        return SpeedupPane::tr("its time is below the hardware's floor");
    }
    for (const BaselineTiming& baseline : evaluation.timing->baselines) {
        if (baseline.unavailable) {
            return QStringLiteral("%1: %2").arg(
                QString::fromStdString(baseline.name), QString::fromStdString(*baseline.unavailable));
        }
    }
    return SpeedupPane::tr("no library was timed beside it");
}

} // namespace

QString SpeedupBar::label() const
{
    return QStringLiteral("%1 · %2").arg(candidate, workload);
}

QString SpeedupBar::details() const
{
    const QLocale locale;
    QStringList lines{label(),
        SpeedupPane::tr("%1× against %2, 95 % interval %3 to %4")
            .arg(locale.toString(ratio, 'f', 3), baseline, locale.toString(low, 'f', 3),
                locale.toString(high, 'f', 3)),
        SpeedupPane::tr("medians: %1 µs, library %2 µs; %n paired round(s)", nullptr, rounds)
            .arg(locale.toString(candidateMedianUs, 'f', 1), locale.toString(baselineMedianUs, 'f', 1))};
    if (!provenance.isEmpty()) {
        lines << provenance;
    }
    return lines.join(QLatin1Char('\n'));
}

SpeedupSeries speedupSeries(const std::vector<RunEntry>& runs)
{
    SpeedupSeries series;
    for (const RunEntry& run : runs) {
        if (!run.evaluation) {
            continue;
        }
        const Evaluation& evaluation = *run.evaluation;
        const BaselineTiming* baseline = leadingBaseline(evaluation);
        const QString workload = QString::fromStdString(evaluation.workload.name());
        if (baseline == nullptr || !baseline->speedup) {
            series.left << QStringLiteral("%1 (%2): %3")
                               .arg(candidateName(evaluation), workload, whyNoBar(evaluation));
            continue;
        }
        SpeedupBar bar;
        bar.candidate = candidateName(evaluation);
        bar.workload = workload;
        bar.baseline = QString::fromStdString(baseline->name);
        bar.ratio = baseline->speedup->ratio;
        bar.low = baseline->speedup->ci95[0];
        bar.high = baseline->speedup->ci95[1];
        bar.rounds = baseline->speedup->pairedRounds;
        bar.candidateMedianUs = baseline->speedup->candidateMedianUs;
        bar.baselineMedianUs = baseline->speedup->baselineMedianUs;
        bar.origin = run.origin;
        bar.provenance = provenanceText(run);
        bar.isCurrent = run.sameText;
        series.bars.push_back(bar);
    }
    return series;
}

QString speedupCsv(const SpeedupSeries& series)
{
    QString text = QStringLiteral(
        "candidate,workload,baseline,speedup,ci95_low,ci95_high,paired_rounds,candidate_median_us,"
        "baseline_median_us,origin,provenance\n");
    for (const SpeedupBar& bar : series.bars) {
        QStringList cells{quoted(bar.candidate), quoted(bar.workload), quoted(bar.baseline)};
        for (const double number : {bar.ratio, bar.low, bar.high}) {
            cells << QString::number(number, 'g', 9);
        }
        cells << QString::number(bar.rounds) << QString::number(bar.candidateMedianUs, 'g', 9)
              << QString::number(bar.baselineMedianUs, 'g', 9) << originWord(bar.origin)
              << quoted(bar.provenance);
        text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return text;
}

} // namespace ptxwb
