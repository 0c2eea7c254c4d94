// SPDX-License-Identifier: Apache-2.0
#include "widgets/plots/speedup_chart.h"
#include "widgets/plots/speedup_pane.h"

#include <QSignalSpy>
#include <QTest>

using namespace ptxwb;

namespace {

RunEntry measured(const char* path, double ratio, RunOrigin origin)
{
    Evaluation evaluation;
    evaluation.candidatePath = path;
    evaluation.workload.tags = {"paper"};
    evaluation.verdict = Verdict::Correct;
    evaluation.madeUtc = "2026-03-04T05:06:07Z";
    evaluation.device.emplace();
    evaluation.device->name = "NVIDIA H200";
    BaselineTiming baseline;
    baseline.name = "cublaslt";
    baseline.speedup = SpeedupEstimate{ratio, {ratio - 0.01, ratio + 0.02}, 40, 500.0, 500.0 * ratio};
    evaluation.timing.emplace();
    evaluation.timing->baselines = {baseline};
    return {std::make_shared<const Evaluation>(evaluation), origin, true};
}

RunEntry wrong()
{
    Evaluation evaluation;
    evaluation.candidatePath = "failed/wrong_result.ptx";
    evaluation.workload.tags = {"paper"};
    evaluation.verdict = Verdict::IncorrectNumerical;
    return {std::make_shared<const Evaluation>(evaluation), RunOrigin::Recorded, false};
}

} // namespace

class TestPlots : public QObject {
    Q_OBJECT

private slots:
    void onlyCorrectTimedRunsAreBars()
    {
        RunEntry untimed = measured("examples/plain.ptx", 1, RunOrigin::Live);
        Evaluation copy = *untimed.evaluation;
        copy.timing.reset();
        untimed.evaluation = std::make_shared<const Evaluation>(copy);
        const SpeedupSeries series =
            speedupSeries({measured("examples/wgmma_tma.ptx", 0.97, RunOrigin::Recorded), wrong(), untimed});
        QCOMPARE(series.bars.size(), std::size_t{1});
        QCOMPARE(series.bars[0].candidate, QStringLiteral("wgmma_tma"));
        QCOMPARE(series.bars[0].low, 0.96);
        QVERIFY(series.bars[0].provenance.contains(QLatin1String("recorded on NVIDIA H200, 2026-03-04")));
        QCOMPARE(series.left.size(), 2);
        QVERIFY2(series.left[0].contains(QLatin1String("Wrong numbers")), qPrintable(series.left[0]));
    }

    void longNamesAreCutInTheirMiddle()
    {
        SpeedupChart chart;
        chart.setSeries(speedupSeries({measured("a_kernel_of_one_family_first.ptx", 0.97, RunOrigin::Live),
            measured("a_kernel_of_one_family_second.ptx", 0.9, RunOrigin::Live),
            measured("a_kernel_of_one_family_third.ptx", 0.9, RunOrigin::Live)}));
        chart.resize(420, 300);
        chart.show();
        QTRY_VERIFY2(
            chart.labels().at(1).endsWith(QLatin1String("nd")), qPrintable(chart.labels().join(u' ')));
        const QStringList shown = chart.labels();
        QVERIFY(shown.at(1).contains(QChar(0x2026)));
        QCOMPARE(QSet<QString>(shown.begin(), shown.end()).size(), 3);
        chart.resize(2400, 300);
        QTRY_COMPARE(chart.labels().at(0), QStringLiteral("a_kernel_of_one_family_first"));
    }

    void csvIsReadableByPrograms()
    {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::Portuguese, QLocale::Brazil));
        const QString csv = speedupCsv(speedupSeries({measured("a.ptx", 0.97, RunOrigin::Recorded)}));
        QLocale::setDefault(before);
        const QStringList lines = csv.split(QLatin1Char('\n'));
        QVERIFY2(lines[1].startsWith(
                     QLatin1String("\"a\",\"paper\",\"cublaslt\",0.97,0.96,0.99,40,500,485,recorded,")),
            qPrintable(lines[1]));
    }

    void theEmptyChartSaysWhy()
    {
        SpeedupPane pane;
        pane.setRuns({wrong()}, QStringLiteral("No GPU here."));
        QCOMPARE(pane.placeholder(), QStringLiteral("No GPU here."));
        QVERIFY(pane.leftOut().contains(QLatin1String("wrong_result")));
        pane.setRuns({measured("a.ptx", 0.97, RunOrigin::Live)}, QStringLiteral("No GPU here."));
        QCOMPARE(pane.placeholder(), QString());
    }

    void picturesHoldTheBarsAndTheirWhiskers()
    {
        SpeedupPane pane;
        pane.resize(700, 400);
        ChartColours colours;
        colours.interval = QColor(1, 200, 3);
        colours.reference = QColor(200, 2, 3);
        pane.setColours(colours);
        pane.setRuns(
            {measured("a.ptx", 0.5, RunOrigin::Live), measured("b.ptx", 1.4, RunOrigin::Recorded)}, {});
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        const QImage image = QImage::fromData(pane.exported(SpeedupPane::Export::Png));
        QVERIFY(!image.isNull());
        int whiskerPixels = 0;
        int referencePixels = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                whiskerPixels += image.pixelColor(x, y) == colours.interval ? 1 : 0;
                referencePixels += image.pixelColor(x, y) == colours.reference ? 1 : 0;
            }
        }
        QVERIFY2(whiskerPixels > 20, "the intervals are drawn");
        QVERIFY2(referencePixels > 50, "the line at 1.0 is drawn");
        const QByteArray svg = pane.exported(SpeedupPane::Export::Svg);
        QVERIFY(svg.contains("<svg") && svg.contains("1.0 = cublaslt"));
    }
};

QTEST_MAIN(TestPlots)
#include "tst_plots.moc"
