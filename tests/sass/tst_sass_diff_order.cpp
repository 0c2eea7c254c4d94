// SPDX-License-Identifier: Apache-2.0
#include "diff_verdicts.h"

#include <QTest>

#include <chrono>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

void addColumns()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
}

void row(const char* name, const char* a, const char* b)
{
    QTest::newRow(name) << QByteArray(a) << QByteArray(b);
}

} // namespace

/// Memory accesses that changed places.
class TestSassDiffOrder : public QObject {
    Q_OBJECT

private slots:
    void otherBytesOfOneBaseMayChangePlaces_data()
    {
        addColumns();
        row("two mbarriers", "SYNCS.EXCH.64 URZ, [UR6+0x8], UR8\nSYNCS.EXCH.64 URZ, [UR6+0x10], UR10\nEXIT",
            "SYNCS.EXCH.64 URZ, [UR6+0x10], UR10\nSYNCS.EXCH.64 URZ, [UR6+0x8], UR8\nEXIT");
        row("guarded mbarriers, base made twice",
            "UMOV UR6, 0x400\n@!UP1 SYNCS.EXCH.64 URZ, [UR6+0x8], UR8\nUMOV UR7, 0x400\n@!UP1 SYNCS.EXCH.64 "
            "URZ, [UR7+0x10], UR8\nEXIT",
            "UMOV UR6, 0x400\nUMOV UR7, 0x400\n@!UP1 SYNCS.EXCH.64 URZ, [UR7+0x10], UR8\n@!UP1 SYNCS.EXCH.64 "
            "URZ, [UR6+0x8], UR8\nEXIT");
        row("shared stores side by side",
            "STS.64 [R2+0x8], R4\nSTS.U8 [R2+0x10], R6\nSTS.U8 [R2+0x11], R7\nEXIT",
            "STS.U8 [R2+0x11], R7\nSTS.U8 [R2+0x10], R6\nSTS.64 [R2+0x8], R4\nEXIT");
        row("a load beside a store", "STS [R2+0x8], R4\nLDS R6, [R2+-0x8]\nSTG.E desc[UR4][R8.64], R6\nEXIT",
            "LDS R6, [R2+-0x8]\nSTS [R2+0x8], R4\nSTG.E desc[UR4][R8.64], R6\nEXIT");
        row("global stores", "STG.E desc[UR4][R2.64], R4\nSTG.E.128 desc[UR4][R2.64+0x10], R8\nEXIT",
            "STG.E.128 desc[UR4][R2.64+0x10], R8\nSTG.E desc[UR4][R2.64], R4\nEXIT");
        row("local words",
            "STL.128 [R1+0x10], R4\nSTL [R1+0x20], R8\nLDL R9, [R1+0x30]\nSTG.E desc[UR4][R2.64], R9\nEXIT",
            "LDL R9, [R1+0x30]\nSTL [R1+0x20], R8\nSTL.128 [R1+0x10], R4\nSTG.E desc[UR4][R2.64], R9\nEXIT");
        row("shared without a base", "STS [RZ], R4\nSTS [RZ+0x4], R5\nEXIT",
            "STS [RZ+0x4], R5\nSTS [RZ], R4\nEXIT");
        row("other names of the base, too", "S2R R2, SR_TID.X\nSTS [R2+0x8], R4\nSTS [R2+0x10], R5\nEXIT",
            "S2R R12, SR_TID.X\nSTS [R12+0x10], R5\nSTS [R12+0x8], R4\nEXIT");
    }
    void otherBytesOfOneBaseMayChangePlaces()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        QCOMPARE(verdictOf(a.constData(), b.constData()), QStringLiteral("scheduling"));
    }

    void whatDependsMayNot_data()
    {
        addColumns();
        row("stores of one word", "STS [R2+0x8], R4\nSTS [R2+0x8], R5\nEXIT",
            "STS [R2+0x8], R5\nSTS [R2+0x8], R4\nEXIT");
        row("a wide store over a word", "STS.64 [R2+0x8], R4\nSTS [R2+0xc], R6\nEXIT",
            "STS [R2+0xc], R6\nSTS.64 [R2+0x8], R4\nEXIT");
        row("a byte within a word", "STS [R2+0x8], R4\nSTS.U8 [R2+0xb], R6\nEXIT",
            "STS.U8 [R2+0xb], R6\nSTS [R2+0x8], R4\nEXIT");
        row("bytes that meet at one", "STS.U16 [R2+0x7], R4\nSTS.U16 [R2+0x8], R6\nEXIT",
            "STS.U16 [R2+0x8], R6\nSTS.U16 [R2+0x7], R4\nEXIT");
        row("a negative offset", "STS.128 [R2+-0x8], R4\nSTS [R2], R8\nEXIT",
            "STS [R2], R8\nSTS.128 [R2+-0x8], R4\nEXIT");
        row("a load behind its store", "STS [R2+0x8], R4\nLDS R6, [R2+0x8]\nSTG.E desc[UR4][R8.64], R6\nEXIT",
            "LDS R6, [R2+0x8]\nSTS [R2+0x8], R4\nSTG.E desc[UR4][R8.64], R6\nEXIT");
        row("a wide load across a store",
            "STS [R2+0x14], R4\nLDS.128 R12, [R2+0x8]\nSTG.E.128 desc[UR4][R8.64], R12\nEXIT",
            "LDS.128 R12, [R2+0x8]\nSTS [R2+0x14], R4\nSTG.E.128 desc[UR4][R8.64], R12\nEXIT");
        row("two bases that may be one", "STS [R2+0x8], R4\nSTS [R3+0x10], R5\nEXIT",
            "STS [R3+0x10], R5\nSTS [R2+0x8], R4\nEXIT");
        row("a base that moved between",
            "STS [R2+0x8], R4\nIADD3 R2, R2, 0x8, RZ\nSTS [R2], R5\nSTS [R2+0x20], R2\nEXIT",
            "STS [R2+0x10], R5\nIADD3 R2, R2, 0x8, RZ\nSTS [R2], R4\nSTS [R2+0x20], R2\nEXIT");
        row("another index of the uniform part", "STS [R2+UR4+0x8], R4\nSTS [R2+UR5+0x10], R5\nEXIT",
            "STS [R2+UR5+0x10], R5\nSTS [R2+UR4+0x8], R4\nEXIT");
        row("another scale of the base", "STS [R2.X4+0x8], R4\nSTS [R2+0x10], R5\nEXIT",
            "STS [R2+0x10], R5\nSTS [R2.X4+0x8], R4\nEXIT");
        row("mbarriers at one address",
            "SYNCS.EXCH.64 URZ, [UR6+0x8], UR8\nSYNCS.EXCH.64 URZ, [UR6+0x8], UR10\nEXIT",
            "SYNCS.EXCH.64 URZ, [UR6+0x8], UR10\nSYNCS.EXCH.64 URZ, [UR6+0x8], UR8\nEXIT");
        row("mbarriers that overlap",
            "SYNCS.EXCH.64 URZ, [UR6+0x8], UR8\nSYNCS.EXCH.64 URZ, [UR6+0xc], UR10\nEXIT",
            "SYNCS.EXCH.64 URZ, [UR6+0xc], UR10\nSYNCS.EXCH.64 URZ, [UR6+0x8], UR8\nEXIT");
        row("an arrival before its mbarrier is there",
            "SYNCS.EXCH.64 URZ, [UR6+0x8], UR8\nSYNCS.ARRIVE.TRANS64 RZ, [UR6+0x10], R4\nEXIT",
            "SYNCS.ARRIVE.TRANS64 RZ, [UR6+0x10], R4\nSYNCS.EXCH.64 URZ, [UR6+0x8], UR8\nEXIT");
        row("arrivals at two mbarriers",
            "SYNCS.ARRIVE.TRANS64 RZ, [UR6+0x8], R4\nSYNCS.ARRIVE.TRANS64 RZ, [UR6+0x10], R5\nEXIT",
            "SYNCS.ARRIVE.TRANS64 RZ, [UR6+0x10], R5\nSYNCS.ARRIVE.TRANS64 RZ, [UR6+0x8], R4\nEXIT");
        row("a store and a fence", "STS [R2+0x8], R4\nMEMBAR.ALL.CTA\nSTS [R2+0x10], R5\nEXIT",
            "STS [R2+0x10], R5\nMEMBAR.ALL.CTA\nSTS [R2+0x8], R4\nEXIT");
        row("a store across a barrier",
            "STS [R2+0x8], R4\nBAR.SYNC.DEFER_BLOCKING 0x0\nLDS R6, [R2+0x10]\nSTG.E desc[UR4][R8.64], "
            "R6\nEXIT",
            "LDS R6, [R2+0x10]\nBAR.SYNC.DEFER_BLOCKING 0x0\nSTS [R2+0x8], R4\nSTG.E desc[UR4][R8.64], "
            "R6\nEXIT");
        row("volatile stores",
            "STG.E.STRONG.SYS desc[UR4][R2.64], R4\nSTG.E.STRONG.SYS desc[UR4][R2.64+0x8], R5\nEXIT",
            "STG.E.STRONG.SYS desc[UR4][R2.64+0x8], R5\nSTG.E.STRONG.SYS desc[UR4][R2.64], R4\nEXIT");
        row("a generic load of what may be shared",
            "STS [R2+0x8], R4\nLD.E R6, desc[UR4][R8.64+0x10]\nSTG.E desc[UR4][R10.64], R6\nEXIT",
            "LD.E R6, desc[UR4][R8.64+0x10]\nSTS [R2+0x8], R4\nSTG.E desc[UR4][R10.64], R6\nEXIT");
        row("local words under an index",
            "STL [R1+0x8], R4\nSTL [R2], R5\nLDL R6, [R1+0x8]\nSTG.E desc[UR4][R8.64], R6\nEXIT",
            "STL [R2], R5\nSTL [R1+0x8], R4\nLDL R6, [R1+0x8]\nSTG.E desc[UR4][R8.64], R6\nEXIT");
        row("atomics at two places", "ATOMS.ADD RZ, [R2+0x8], R4\nATOMS.ADD RZ, [R2+0x10], R5\nEXIT",
            "ATOMS.ADD RZ, [R2+0x10], R5\nATOMS.ADD RZ, [R2+0x8], R4\nEXIT");
        row("a guarded store of one word", "@P0 STS [R2+0x8], R4\n@P1 STS [R2+0x8], R5\nEXIT",
            "@P1 STS [R2+0x8], R5\n@P0 STS [R2+0x8], R4\nEXIT");
        row("products read what is stored",
            "STS.128 [R2+0x10], R4\nHGMMA.64x64x16.F32.BF16 R24, gdesc[UR8], R24, gsb0\nEXIT",
            "HGMMA.64x64x16.F32.BF16 R24, gdesc[UR8], R24, gsb0\nSTS.128 [R2+0x10], R4\nEXIT");
        row("bases made alike of unknown registers",
            "IADD3 R10, R2, 0x40, RZ\nIADD3 R11, R3, 0x40, RZ\nSTS [R10], R4\nSTS [R11+0x8], R5\nEXIT",
            "IADD3 R10, R2, 0x40, RZ\nIADD3 R11, R3, 0x40, RZ\nSTS [R11+0x8], R5\nSTS [R10], R4\nEXIT");
        row("a base that was loaded twice",
            "LDG.E R10, desc[UR4][R8.64]\nLDG.E R11, desc[UR4][R8.64]\nSTS [R10], R4\nATOMS.ADD RZ, [R2], "
            "R3\nSTS [R11+0x8], R5\nEXIT",
            "LDG.E R10, desc[UR4][R8.64]\nLDG.E R11, desc[UR4][R8.64]\nSTS [R11+0x8], R5\nATOMS.ADD RZ, "
            "[R2], R3\nSTS [R10], R4\nEXIT");
    }
    void whatDependsMayNot()
    {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        constexpr auto given =
            "S2R R2, SR_TID.X\nMOV R4, 0x1\nMOV R5, 0x2\nUMOV UR8, 0x1\nUMOV UR9, 0x0\nUMOV UR10, 0x3\n"
            "UMOV UR11, 0x0\nS2UR UR6, SR_CgaCtaId\nISETP.EQ.AND P0, PT, R2, 0x3, PT\nISETP.EQ.AND P1, PT, "
            "R2, 0x5, PT\n";
        QCOMPARE(verdictOf((given + a).constData(), (given + b).constData()), QStringLiteral("different"));
    }

    /// Another base each row, and one base with many places.
    void stayLinear()
    {
        std::vector<std::string> a;
        std::vector<std::string> b;
        constexpr int stores = 20'000;
        for (int i = 0; i < stores; ++i) {
            const auto address = QString::number(i * 4, 16).toStdString();
            a.push_back("STS [R2+0x" + address + "], R4");
            b.insert(b.end() - (i % 2), a.back());
        }
        for (int i = 0; i < stores; ++i) {
            a.push_back("STS [R" + std::to_string(2 + i % 8) + "], R4");
            b.push_back(a.back());
        }
        const auto time = [](const std::vector<std::string>& x, const std::vector<std::string>& y) {
            const auto first = kernelOf(x);
            const auto second = kernelOf(y);
            const auto begin = std::chrono::steady_clock::now();
            const auto diff = diffListings(first, second);
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
            return std::pair(diff.scheduleOnly, taken.count());
        };
        const auto half = [](std::vector<std::string> rows) {
            rows.erase(rows.begin(), rows.begin() + stores / 2);
            rows.resize(stores);
            return rows;
        };
        const auto small = time(half(a), half(b));
        const auto large = time(a, b);
        QVERIFY(small.first && large.first);
        QVERIFY2(large.second < small.second * 4 + 0.2,
            qPrintable(QStringLiteral("%1 s, half of it %2 s").arg(large.second).arg(small.second)));
    }
};

QTEST_APPLESS_MAIN(TestSassDiffOrder)
#include "tst_sass_diff_order.moc"
