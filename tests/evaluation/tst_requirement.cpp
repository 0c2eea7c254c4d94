// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/requirement.h"

#include <QTest>

using namespace ptxwb;

namespace {

Evaluation evaluated()
{
    Evaluation e;
    e.task = "gemm";
    e.target = "sm_90a";
    e.verdict = Verdict::Correct;
    e.strict = Judgement{.verdict = Verdict::Correct, .explanation = {}, .check = {}};
    e.goals = {{.goal = {.name = "wgmma", .target = "sm_90a", .sassFamily = "wgmma"},
                   .inCode = 4,
                   .executed = 12,
                   .executedBy = "emulator"},
        {.goal = {.name = "tma", .target = "sm_90a", .sassFamily = "tma"},
            .inCode = 2,
            .reason = "no counters"}};
    e.timing.emplace();
    e.timing->candidate.coldUs = {10, 11, 12};
    e.timing->baselines.push_back({.name = "cublaslt"});
    e.timing->baselines[0].speedup = SpeedupEstimate{.ratio = 0.97,
        .ci95 = {0.96, 0.98},
        .pairedRounds = 10,
        .candidateMedianUs = 11,
        .baselineMedianUs = 10.67};
    return e;
}

bool isMet(const char* text)
{
    const auto parsed = parseRequirements(text);
    return parsed && parsed->size() == 1 && checkRequirement(parsed->front(), evaluated()).met;
}

} // namespace

class TestRequirement : public QObject {
    Q_OBJECT

private slots:
    void whatIsMet()
    {
        QVERIFY(isMet("wgmma"));
        QVERIFY(isMet("tma:code"));
        QVERIFY(isMet("strict"));
        QVERIFY(isMet(" speedup >= 0.95 "));
        QVERIFY(isMet("time_us<11.5"));
        QVERIFY(!isMet("speedup>0.97"));
        QVERIFY(!isMet("speedup>=0.98"));
        QVERIFY(isMet("speedup<=0.97"));
    }

    void whatIsNotMeasuredIsNotMet()
    {
        for (const char* text : {"tma", "tcgen05", "paper", "warm_us<1e9", "registers<=255"}) {
            const auto parsed = parseRequirements(text);
            QVERIFY(parsed);
            const auto outcome = checkRequirement(parsed->front(), evaluated());
            QVERIFY2(!outcome.met && !outcome.reason.empty(), text);
        }
        Evaluation impossible = evaluated();
        impossible.timing->impossible = true;
        QVERIFY(!checkRequirement(parseRequirements("time_us<100")->front(), impossible).met);
    }

    void anErrorNamesItsColumn_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("column");
        QTest::newRow("empty") << "" << 1;
        QTest::newRow("empty item") << "wgmma,,tma" << 7;
        QTest::newRow("last comma") << "wgmma," << 7;
        QTest::newRow("no bound") << "speedup" << 8;
        QTest::newRow("no number") << "speedup>=fast" << 10;
        QTest::newRow("half a number") << "wgmma,speedup>=0.9x" << 16;
        QTest::newRow("infinite") << "speedup>=inf" << 10;
        QTest::newRow("equals") << "speedup=1" << 8;
        QTest::newRow("unknown") << "wgmma,beauty>=1" << 7;
        QTest::newRow("odd letter") << "wg-mma" << 3;
    }

    void anErrorNamesItsColumn()
    {
        QFETCH(QString, text);
        QFETCH(int, column);
        const auto parsed = parseRequirements(text.toStdString());
        QVERIFY(!parsed);
        const auto wanted = "column " + std::to_string(column) + ":";
        QVERIFY2(parsed.error().message.find(wanted) != std::string::npos, parsed.error().message.c_str());
    }
};

QTEST_MAIN(TestRequirement)
#include "tst_requirement.moc"
