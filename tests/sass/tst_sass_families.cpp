// SPDX-License-Identifier: Apache-2.0
#include "core/sass/families.h"
#include "sass_test_data.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::testing;

Q_DECLARE_METATYPE(std::string)

class TestSassFamilies : public QObject {
    Q_OBJECT

private slots:
    void namesRoundTrip()
    {
        QCOMPARE(allSassFamilies().size(), 16U);
        for (const auto family : allSassFamilies()) {
            QVERIFY(sassFamilyName(family) != "unknown");
            QVERIFY(sassFamilyByName(sassFamilyName(family)) == family);
        }
        QVERIFY(!sassFamilyByName("nonsense"));
    }

    void classifiesOpcodes_data()
    {
        QTest::addColumn<QString>("opcode");
        QTest::addColumn<QStringList>("families");
        const auto row = [](const char* opcode, const QStringList& families) {
            QTest::newRow(opcode) << QString::fromLatin1(opcode) << families;
        };
        const auto name = [](const char* text) { return QString::fromLatin1(text); };
        row("HGMMA.64x256x16.F32.BF16", {name("wgmma")});
        row("QGMMA.64x64x32.F32.E4M3.E4M3", {name("wgmma")});
        row("UTMALDG.2D.MULTICAST", {name("tma")});
        row("UTMACMDFLUSH", {name("tma")});
        row("UBLKCP.S.G", {name("bulk_copy")});
        row("SYNCS.PHASECHK.TRANS64.TRYWAIT", {name("mbarrier")});
        row("UTCHMMA", {name("tcgen05")});
        row("LDTM.x8", {name("tcgen05")});
        row("LDGSTS.E.BYPASS.128", {name("cp_async"), name("global"), name("shared")});
        row("LDSM.16.M88.4", {name("ldmatrix"), name("shared")});
        row("HMMA.16816.F32.BF16", {name("mma")});
        row("USETMAXREG.TRY_ALLOC.CTAPOOL", {name("setmaxnreg")});
        row("UCGABAR_ARV", {name("cluster")});
        row("WARPGROUP.DEPBAR.LE", {name("warpgroup")});
        row("BAR.SYNC.DEFER_BLOCKING", {name("barrier")});
        row("LDL.64", {name("local")});
        row("BRA.U", {name("branch")});
        row("FFMA", {});
        row("LDGX", {});
        row("", {});
    }
    void classifiesOpcodes()
    {
        QFETCH(QString, opcode);
        QFETCH(QStringList, families);
        QStringList found;
        const auto set = familiesOf(opcode.toStdString());
        for (const auto family : allSassFamilies()) {
            if (contains(set, family)) {
                found << QString::fromStdString(std::string(sassFamilyName(family)));
            }
        }
        QCOMPARE(found, families);
    }

    void countsSites()
    {
        const auto counts = countFamilies(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        QCOMPARE(counts.at(SassFamily::Gmma), 2);
        QCOMPARE(counts.at(SassFamily::Tma), 1);
        QCOMPARE(counts.at(SassFamily::Mbarrier), 4);
        QCOMPARE(counts.at(SassFamily::WarpgroupSync), 2);
        QCOMPARE(counts.count(SassFamily::Tcgen05), 0U);
    }

    void paperAccountCountsTransfersOnly()
    {
        const auto wgmma = paperAccount(sassListing("pipeline.sm_90a.nvdisasm.txt"));
        QCOMPARE(wgmma.gmma, 2);
        QCOMPARE(wgmma.tma, 1);
        QCOMPARE(wgmma.tcgen, 0);

        const auto listing = parsed("code for sm_90a\n\t\tFunction : k\n"
                                    "        /*0000*/  UTMALDG.2D [UR8], [UR4] ;\n"
                                    "        /*0010*/  @P0 UTMASTG.2D [UR8], [UR4] ;\n"
                                    "        /*0020*/  UTMAREDG.2D.ADD [UR8], [UR4] ;\n"
                                    "        /*0030*/  UTMAPF.L2.2D [UR8], [UR4] ;\n"
                                    "        /*0040*/  UTMACCTL.PF [UR4] ;\n"
                                    "        /*0050*/  UTMACMDFLUSH ;\n"
                                    "        /*0060*/  UBLKCP.S.G [UR4], [UR6], UR8 ;\n"
                                    "        HGMMA.64x8x16.F32.BF16 R24, gdesc[UR4], R24 ;\n"
                                    "        /*0070*/  UTCBAR [UR4], URZ ;\n"
                                    "        /*0080*/  STTM.x2 tmem[UR4], R2 ;\n");
        const auto account = paperAccount(listing);
        QCOMPARE(account.gmma, 0); // the row has no address
        QCOMPARE(account.tma, 3);
        QCOMPARE(account.tcgen, 2);
    }

    void paperAccountOfTensorMemory()
    {
        const auto listing = sassListing("tensor_memory.sm_100a.nvdisasm.txt");
        int expected = 0;
        for (const auto& row : listing.kernels.at(0).instructions) {
            const auto opcode = row.opcode;
            expected += opcode.starts_with("UTC") || opcode.starts_with("LDTM") || opcode.starts_with("STTM");
        }
        const auto account = paperAccount(listing);
        QCOMPARE(account.tcgen, expected);
        QVERIFY(account.tcgen >= 4); // allocate, multiply, commit, load
        QCOMPARE(account.gmma, 0);
    }
};

QTEST_APPLESS_MAIN(TestSassFamilies)
#include "tst_sass_families.moc"
