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
