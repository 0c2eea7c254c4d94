// SPDX-License-Identifier: Apache-2.0
#include "core/sass/diff_text.h"
#include "diff_verdicts.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

/// `count` rows that are none's like, a loop of two rows, and an end.
SassListing longKernel(const std::string& inLoop, const std::string& atTheEnd)
{
    std::vector<std::string> rows;
    for (int i = 0; i < 40; ++i) {
        rows.push_back("FADD R2, R2, " + std::to_string(i + 2));
    }
    rows.insert(rows.end(), {".L_x_0:", inLoop, "@P0 BRA `(.L_x_0)"});
    for (int i = 0; i < 40; ++i) {
        rows.push_back("FMUL R2, R2, " + std::to_string(i + 2));
    }
    rows.insert(rows.end(), {atTheEnd, "EXIT"});
    return kernelOf(rows);
}

QString summaryOf(const char* a, const char* b)
{
    return QString::fromStdString(diffOf(a, b).summary);
}

} // namespace

class TestSassDiffSentences : public QObject {
    Q_OBJECT

private slots:
    void anMmaOfAnotherShapeComesBeforeWhatSurroundsIt()
    {
        const auto text = summaryOf("UMOV UR4, URZ\nHGMMA.64x8x16.F32.BF16 R24, gdesc[UR8], R24, gsb0\nEXIT",
            "HGMMA.64x16x16.F32.BF16 R24, gdesc[UR8], R24, gsb0\nEXIT");
        QCOMPARE(text,
            QStringLiteral(
                "HGMMA.64x8x16.F32.BF16 -> HGMMA.64x16x16.F32.BF16, 1 UMOV fewer, 1 row removed."));
    }

    void thatAnMmaReadsAnotherValueComesBehindTheNumbers()
    {
        QCOMPARE(summaryOf("MOV R4, R9\nHMMA.16816.F32 R8, R4, R6, R8\nSTG.E desc[UR4][R2.64], R9\nEXIT",
                     "HMMA.16816.F32 R8, R7, R6, R8\nSTG.E desc[UR4][R2.64], R9\nEXIT"),
            QStringLiteral("1 MOV fewer, HMMA.16816.F32 reads another value, 1 row removed."));
    }

    void factsThatDifferAlikeAreToldOnce()
    {
        SassDiff diff;
        diff.kernels.resize(2);
        diff.factsCompared = true;
        diff.instructionsIdentical = true;
        for (const auto* kernel : {"first", "second"}) {
            diff.facts.push_back({.what = "barriers", .kernel = kernel, .a = "1", .b = "0"});
        }
        QCOMPARE(QString::fromStdString(diffSummary(diff)),
            QStringLiteral("Identical instructions: %1 in 2 kernels.")
                .arg(QString::fromStdString(factText(diff.facts[0], false))));
    }

    void aBarrierIsCalledOne()
    {
        QCOMPARE(summaryOf("BAR.SYNC.DEFER_BLOCKING 0x0\nEXIT",
                     "BAR.SYNC.DEFER_BLOCKING 0x0\nBAR.SYNC.DEFER_BLOCKING 0x0\nEXIT"),
            QStringLiteral("1 BAR (barrier) more, 1 row added."));
    }

    void aWaitForCopiesThatIsDroppedIsCalledOne()
    {
        QCOMPARE(summaryOf("LDGDEPBAR\nDEPBAR.LE SB0, 0x0\nEXIT", "LDGDEPBAR\nEXIT"),
            QStringLiteral("1 DEPBAR (wait, as for cp.async) fewer, 1 row removed."));
        QCOMPARE(summaryOf("LDGDEPBAR\nDEPBAR.LE SB0, 0x0\nEXIT", "LDGDEPBAR\nDEPBAR.LE SB0, 0x1\nEXIT"),
            QStringLiteral("DEPBAR.LE (wait, as for cp.async): 0x0 -> 0x1 (a looser wait)."));
    }

    void rowsThatOnlyMovedAreNotSaidToBeTheSame()
    {
        // A store that passes a barrier.
        QCOMPARE(summaryOf("STS [R3], R2\nBAR.SYNC.DEFER_BLOCKING 0x0\nFADD R7, R7, 1\nFADD R8, R8, 2\nEXIT",
                     "BAR.SYNC.DEFER_BLOCKING 0x0\nFADD R7, R7, 1\nFADD R8, R8, 2\nSTS [R3], R2\nEXIT"),
            QStringLiteral("1 row moved, which is not known to compute the same."));
    }

    void longEqualRunsAreFoldedUnderHeads()
    {
        const auto a = longKernel("FADD R3, R3, 1", "STG.E desc[UR4][R4.64], R2");
        const auto b = longKernel("FADD R3, R3, 7", "STG.E desc[UR4][R4.64+0x8], R2");
        const auto diff = diffListings(a, b);
        const auto& kernel = diff.kernels.at(0);
        QCOMPARE(kernel.rows.size(), 84U); // all are there
        const auto text = QString::fromStdString(diffText(kernel, a, b, 3, true));
        const auto all = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(all.filter(QStringLiteral("@@ ")),
            QStringList({QStringLiteral("@@ -38,7 +38,7 @@ k, block 1, in a loop"),
                QStringLiteral("@@ -80,5 +80,5 @@ k, block 2")}));
        QCOMPARE(all.size(), 2 + 7 + 1 + 5 + 1);
        QVERIFY(QString::fromStdString(diffMarkdown(diff, a, b, {}))
                    .contains(QStringLiteral("```diff\n@@ -39,5 +39,5 @@ k, block 1, in a loop\n")));
        QVERIFY(diffText(diffListings(a, a).kernels.at(0), a, a, 3, true).empty());
    }

    void rowsOfOneSideCountOnTheirs()
    {
        const auto a = kernelOf({"FADD R2, R2, 1", "EXIT"});
        const auto b = kernelOf({"FADD R2, R2, 1", "MEMBAR.SC.GPU", "EXIT"});
        const auto diff = diffListings(a, b);
        const auto text = QString::fromStdString(diffText(diff.kernels.at(0), a, b, 0, true));
        QCOMPARE(text.section(QLatin1Char('\n'), 0, 0), QStringLiteral("@@ -1,0 +2,1 @@ k, block 0 of B"));
    }
};

QTEST_APPLESS_MAIN(TestSassDiffSentences)
#include "tst_sass_diff_sentences.moc"
