// SPDX-License-Identifier: Apache-2.0
#include "core/bench/seeded_input.h"
#include "core/bench/statistics.h"

#include <QtTest>

#include <cmath>

using namespace ptxwb;

namespace {

/// Candidate around 100 us and baseline around 120 us, both with relative noise.
std::vector<PairedRound> noisyRounds(int count, double noise, std::uint64_t seed = 3)
{
    std::vector<PairedRound> rounds;
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<std::uint64_t>(i);
        rounds.push_back({100 * (1 + noise * static_cast<double>(randomNormal(seed, 0, at))),
            120 * (1 + noise * static_cast<double>(randomNormal(seed, 1, at))), false});
    }
    return rounds;
}

} // namespace

class TestStatistics : public QObject {
    Q_OBJECT

private slots:
    void medians()
    {
        QVERIFY(!median({}));
        QVERIFY(!median({std::nan("")}));
        QCOMPARE(median({5}), std::optional(5.0));
        QCOMPARE(median({9, 1, 5}), std::optional(5.0));
        QCOMPARE(median({4, 1, 3, 2}), std::optional(2.5));
        QCOMPARE(median({4, std::nan(""), 2}), std::optional(3.0));
    }

    void summaries()
    {
        QVERIFY(!summarise({}));
        QVERIFY(!summarise({std::nan("")}));
        std::vector<double> samples;
        for (int i = 100; i >= 0; --i) {
            samples.push_back(i);
        }
        const auto summary = summarise(samples);
        QVERIFY(summary);
        QCOMPARE(summary->median, 50.0);
        QCOMPARE(summary->p10, 10.0);
        QCOMPARE(summary->p90, 90.0);
        QCOMPARE(summary->samples, 101);
        QVERIFY(summary->ci95[0] > 30 && summary->ci95[0] <= 50 && summary->ci95[1] >= 50
            && summary->ci95[1] < 70);
        const auto one = summarise({3});
        QVERIFY(one && one->p10 == 3 && one->ci95[0] == 3 && one->ci95[1] == 3);
    }

    void ratioOfTheMedians()
    {
        const auto e =
            estimateSpeedup({{10, 20, false}, {12, 24, false}, {11, 33, false}, {1000, 26, false}});
        QVERIFY(e);
        QCOMPARE(e->candidateMedianUs, 11.5);
        QCOMPARE(e->baselineMedianUs, 25.0);
        QCOMPARE(e->ratio, 25.0 / 11.5);
        QCOMPARE(e->pairedRounds, 4);
        QVERIFY(e->ci95[0] <= e->ratio && e->ratio <= e->ci95[1]);
    }

    void equalRoundsHaveNoWidth()
    {
        const auto e = estimateSpeedup(std::vector<PairedRound>(5, {10, 12, false}));
        QVERIFY(e);
        QCOMPARE(e->ratio, 1.2);
        QCOMPARE(e->ci95[0], 1.2);
        QCOMPARE(e->ci95[1], 1.2);
    }

    void throttledAndBrokenRoundsAreLeftOut()
    {
        std::vector<PairedRound> rounds(3, {10, 12, false});
        rounds.push_back({1, 500, true});
        rounds.push_back({0, 12, false});
        rounds.push_back({std::nan(""), 12, false});
        const auto e = estimateSpeedup(rounds);
        QVERIFY(e);
        QCOMPARE(e->pairedRounds, 3);
        QCOMPARE(e->ratio, 1.2);
        rounds.erase(rounds.begin());
        QVERIFY(!estimateSpeedup(rounds));
        QVERIFY(!estimateSpeedup({}));
    }

    void deterministicForASeed()
    {
        const auto rounds = noisyRounds(40, 0.02);
        const auto a = estimateSpeedup(rounds, 7);
        const auto b = estimateSpeedup(rounds, 7);
        const auto c = estimateSpeedup(rounds, 8);
        QVERIFY(a && b && c);
        QCOMPARE(a->ci95[0], b->ci95[0]);
        QCOMPARE(a->ci95[1], b->ci95[1]);
        QVERIFY(a->ci95 != c->ci95);
        QCOMPARE(a->ratio, c->ratio);
    }

    /// The interval of many repetitions holds the true ratio about as often as it says.
    void coverage()
    {
        int held = 0;
        constexpr int repetitions = 200;
        for (int i = 0; i < repetitions; ++i) {
            const auto e =
                estimateSpeedup(noisyRounds(40, 0.02, 100 + static_cast<std::uint64_t>(i)), 1, 400);
            held += e->ci95[0] <= 1.2 && 1.2 <= e->ci95[1] ? 1 : 0;
        }
        QVERIFY2(held >= repetitions * 90 / 100, qPrintable(QString::number(held)));
        QVERIFY2(held < repetitions, qPrintable(QString::number(held)));
    }

    void stopping()
    {
        StoppingRule rule;
        rule.minRounds = 10;
        rule.maxRounds = 50;
        rule.targetRelativeWidth = 0.005;
        QVERIFY(!rule.enough({}));
        QVERIFY(!rule.enough(noisyRounds(9, 0)));
        QVERIFY(rule.enough(noisyRounds(10, 0)));
        QVERIFY(!rule.enough(noisyRounds(20, 0.2)));
        QVERIFY(rule.enough(noisyRounds(50, 0.2)));
        // Throttled rounds do not count as measured, but they do count towards the end.
        auto rounds = noisyRounds(12, 0);
        for (std::size_t i = 0; i < 5; ++i) {
            rounds[i].throttled = true;
        }
        QVERIFY(!rule.enough(rounds));
        rounds.assign(50, {10, 12, true});
        QVERIFY(rule.enough(rounds));
    }
};

QTEST_APPLESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
