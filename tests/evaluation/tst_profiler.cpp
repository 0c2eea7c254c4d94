// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/profiler.h"
#include "core/support/files.h"

#include <QTest>

using namespace ptxwb;

namespace {

std::string captured(const char* name)
{
    const auto text = readFile(std::filesystem::path(PTXWB_TEST_DATA) / "ncu" / name);
    return text ? *text : std::string();
}

} // namespace

class TestProfiler : public QObject {
    Q_OBJECT

private slots:
    void executedByFamily()
    {
        const auto counts =
            countsOf(rowsOf(parseProfiledRows(captured("two_launches.csv")), {"gemm_wgmma_tma"}));
        QCOMPARE(counts.at(SassFamily::Gmma), std::int64_t{2 * 143360});
        QCOMPARE(counts.at(SassFamily::Tma), std::int64_t{17920});
    }

    void stallsOfTheRows()
    {
        const auto rows = parseProfiledRows(captured("two_launches.csv"));
        QCOMPARE(rows.size(), std::size_t{6});
        QCOMPARE(rows[0].kernel, std::string("gemm_wgmma_tma"));
        QCOMPARE(rows[5].kernel, std::string("reference_kernel"));
        QCOMPARE(rows[2].executed, std::int64_t{143360});
        QCOMPARE(rows[2].samples, std::int64_t{701});
        QCOMPARE(rows[2].stalls.at("stall_mio"), std::int64_t{276});
        QCOMPARE(rows[2].stalls.size(), std::size_t{5}); // without zeros, without the not-issued ones
        QVERIFY(rows[1].stalls.empty());
    }

    /// Values by the profiler's own names and base units, thousands with commas.
    void numbersOfTheKernel()
    {
        const auto metrics = parseMetrics(captured("raw.csv"), {"gemm_wgmma_tma"});
        QVERIFY(metrics.size() >= 24);
        const auto of = [&](const char* name) {
            const auto found = std::find_if(
                metrics.begin(), metrics.end(), [&](const ProfiledMetric& m) { return m.name == name; });
            return found == metrics.end() ? ProfiledMetric{} : *found;
        };
        QCOMPARE(of("gpu__time_duration.sum").value, std::optional(110272.0));
        QCOMPARE(of("gpu__time_duration.sum").unit, std::string("ns"));
        QCOMPARE(
            of("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active").value, std::optional(94.81));
        QCOMPARE(of("dram__bytes.sum.per_second").value, std::optional(984218224027.86));
        QCOMPARE(
            of("smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio").group, std::string("stalls"));
        QVERIFY(std::all_of(metrics.begin(), metrics.end(), [](const ProfiledMetric& m) {
            return m.value && m.reason.empty() && m.kernel == "gemm_wgmma_tma";
        }));
        QVERIFY(parseMetrics(captured("raw.csv"), {"other"}).empty());
        QVERIFY(parseMetrics("", {"gemm_wgmma_tma"}).empty());
    }

    void numbersThatAreNone()
    {
        auto csv = captured("raw.csv");
        const auto put = [&](const std::string& old, const std::string& now) {
            const auto at = csv.rfind(old);
            QVERIFY(at != std::string::npos);
            csv.replace(at, old.size(), now);
        };
        put("\"110,272\"", "\"nan\"");
        put("\"94.81\"", "\"no data\"");
        put("lts__t_sector_hit_rate.pct", "renamed");
        const auto metrics = parseMetrics(csv, {"gemm_wgmma_tma"});
        int without = 0;
        for (const auto& metric : metrics) {
            QCOMPARE(metric.value.has_value(), metric.reason.empty());
            without += metric.value ? 0 : 1;
        }
        QCOMPARE(without, 3);
        for (const auto& metric : unmeasuredMetrics({"a", "b"}, "refused")) {
            QVERIFY(!metric.value && metric.reason == "refused");
        }
        QCOMPARE(unmeasuredMetrics({"a", "b"}, "refused").size(), 2 * metrics.size());
    }

    void kernelsByName()
    {
        const std::vector<ProfiledRow> rows{{.kernel = "void scale<float>(float*)", .sass = "NOP"},
            {.kernel = "scaled", .sass = "NOP"}, {.kernel = "", .sass = "NOP"}};
        QCOMPARE(rowsOf(rows, {"_Z5scaleIfEvPT_"}).size(), std::size_t{2}); // and the one without a name
        QCOMPARE(rowsOf(rows, {"scaled"}).size(), std::size_t{2});
        QCOMPARE(rowsOf(rows, {"other"}).size(), std::size_t{1});
    }

    void whatIsNoTable_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("an error") << QByteArray(
            "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n");
        QTest::newRow("a heading alone") << QByteArray("\"#\",\"Source\",\"Instructions Executed\"\n");
        QTest::newRow("no numbers") << QByteArray(
            "\"Source\",\"Instructions Executed\"\n\"HGMMA\",\"n/a\"\n");
        QTest::newRow("cut within a cell") << QByteArray("\"Source\",\"Instructions Exec");
        QTest::newRow("other columns") << QByteArray("\"Source\",\"Samples\"\n\"HGMMA\",\"3\"\n");
    }

    void whatIsNoTable()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!parseExecutedCounts(text.toStdString()));
        QVERIFY(parseProfiledRows(text.toStdString()).empty());
    }
};

QTEST_MAIN(TestProfiler)
#include "tst_profiler.moc"
