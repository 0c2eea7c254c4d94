// SPDX-License-Identifier: Apache-2.0
// What compute-sanitizer 2025.3.1 printed on an H200 about two candidates of resources/selfcheck.
#include "core/evaluation/sanitizer.h"
#include "core/support/files.h"

#include <QTest>

using namespace ptxwb;

class TestSanitizerReport : public QObject {
    Q_OBJECT

private:
    static std::string captured(const char* name)
    {
        const auto path = std::filesystem::path(PTXWB_TEST_DATA) / "sanitizer" / name;
        auto text = readFile(path);
        return text ? *std::move(text) : std::string();
    }

private slots:
    void aRaceHasBothLines()
    {
        const auto text = captured("racecheck_missing_barrier.txt");
        QVERIFY(hasSanitizerSummary(text));
        const CodeLines lines{{"product", {{0xe90, 61}, {0xec0, 64}}}};
        const auto reports = parseSanitizerReport(text, SanitizerTool::Racecheck, "races.ptx", lines);
        QCOMPARE(reports.size(), std::size_t{1});
        const auto& race = reports[0];
        QCOMPARE(race.rule, emulator::RuleId::Race);
        QCOMPARE(race.severity, emulator::ReportSeverity::Error);
        QVERIFY(race.bySanitizer);
        QCOMPARE(race.kernel, std::string("product"));
        QCOMPARE(race.lines.size(), std::size_t{2});
        QCOMPARE(race.lines[0].line, 61);
        QCOMPARE(race.lines[1].line, 64);
        QCOMPARE(race.lines[0].file, std::string("races.ptx"));
    }

    void anOverrunIsFoundAmongErrorsOfTheApi()
    {
        const auto text = captured("memcheck_read_past_the_end.txt");
        QVERIFY(hasSanitizerSummary(text));
        const auto reports =
            parseSanitizerReport(text, SanitizerTool::Memcheck, "reads.ptx", {{"product", {{0xe60, 56}}}});
        QCOMPARE(
            reports.size(), std::size_t{1}); // calls of the API that failed are no findings in the kernel
        QCOMPARE(reports[0].rule, emulator::RuleId::OutOfBounds);
        QCOMPARE(reports[0].lines.size(), std::size_t{1});
        QCOMPARE(reports[0].lines[0].line, 56);
        QVERIFY(reports[0].message.find("after the nearest allocation") != std::string::npos);
        QCOMPARE(reports[0].warp, std::string("thread (0,0,0) in block (0,0,0)"));
    }

    void aLineOfTheToolGoesFirst()
    {
        const auto reports = parseSanitizerReport("========= Invalid __shared__ write of size 4 bytes\n"
                                                  "=========     at scale(float *, int)+0x90 in scale.cu:12\n"
                                                  "=========     by thread (3,0,0) in block (1,0,0)\n"
                                                  "=========\n"
                                                  "========= Invalid __shared__ write of size 4 bytes\n"
                                                  "=========     at scale(float *, int)+0x90 in scale.cu:12\n"
                                                  "=========     by thread (4,0,0) in block (1,0,0)\n",
            SanitizerTool::Memcheck, "scale.cu", {{"scale", {{0x90, 99}}}});
        QCOMPARE(reports.size(), std::size_t{1});
        QCOMPARE(reports[0].kernel, std::string("scale"));
        QCOMPARE(reports[0].lines[0].line, 12);
        QCOMPARE(reports[0].occurrences, std::uint64_t{2});
    }

    void anUnknownOffsetHasNoLine()
    {
        const auto text = captured("racecheck_missing_barrier.txt");
        const auto reports = parseSanitizerReport(text, SanitizerTool::Racecheck, "races.ptx", {});
        QCOMPARE(reports.size(), std::size_t{1});
        QVERIFY(reports[0].lines.empty());
    }

    void silenceWithoutASummaryIsNoResult()
    {
        QVERIFY(
            !hasSanitizerSummary("========= COMPUTE-SANITIZER\n========= Error: Device not supported.\n"));
        QVERIFY(parseSanitizerReport("", SanitizerTool::Racecheck, "x", {}).empty());
    }
};

QTEST_GUILESS_MAIN(TestSanitizerReport)
#include "tst_sanitizer_report.moc"
