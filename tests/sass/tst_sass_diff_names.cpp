// SPDX-License-Identifier: Apache-2.0
#include "core/sass/diff_text.h"
#include "core/sass/kernel_diff.h"
#include "diff_verdicts.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::testing;

namespace {

SassListing kernelsOf(const std::vector<std::string>& names)
{
    std::string text = "\t.target\tsm_90a\n";
    for (const auto& name : names) {
        text += "\t.section\t.text." + name + ",\"ax\"\n.text." + name
            + ":\n        /*0000*/ MOV R1, c[0x0][0x28] ;\n        /*0010*/ EXIT ;\n";
    }
    return parsed(text);
}

/// A jump table of these labels before three cases.
SassListing jumpTable(const std::string& table, const std::string& prefix)
{
    const auto label = [&prefix](char c) { return ".L_" + prefix + c; };
    std::string names;
    for (const char c : table) {
        names += (names.empty() ? "" : ",") + label(c);
    }
    return kernelOf({"LDC R2, c[0x2][R0]", "BRX R2 -0x20   (*\"BRANCH_TARGETS " + names + "\"*)",
        label('1') + ":", "FADD R3, R3, 1", "BRA `(" + label('4') + ")", label('2') + ":", "FMUL R3, R3, 3",
        "BRA `(" + label('4') + ")", label('3') + ":", "MUFU.SIN R3, R3", label('4') + ":",
        "STG.E desc[UR4][R6.64], R3", "EXIT"});
}

using Pairs = std::vector<std::pair<int, int>>;

} // namespace

class TestSassDiffNames : public QObject {
    Q_OBJECT

private slots:
    void kernelsOfTwoBuildsArePaired()
    {
        const std::string first = "_ZN35_GLOBAL__N__c2445342_4_k_cu__Z2goPf";
        const std::string second = "_ZN35_GLOBAL__N__091880e7_4_k_cu__Z2goPf";
        const auto a = kernelsOf({first + "2sqIfEEvPT_", first + "2sqIdEEvPT_", first + "5scaleEPf"});
        const auto b = kernelsOf({second + "5scaleEPf", second + "2sqIdEEvPT_", second + "2sqIfEEvPT_"});
        QCOMPARE(pairKernels(a, b), (Pairs{{0, 2}, {1, 1}, {2, 0}}));
        for (const auto& kernel : diffListings(a, b).kernels) {
            QVERIFY(!isRenamed(kernel)); // the build is no part of the name
        }
    }

    void kernelsOfTwoFilesArePaired()
    {
        const auto a = kernelsOf({"_ZN36_GLOBAL__N__81f8369f_4_n_cu_2f1254c82sqIfEEvPT_",
            "_ZN36_GLOBAL__N__81f8369f_4_n_cu_2f1254c82sqIdEEvPT_"});
        const auto b = kernelsOf({"_ZN40_GLOBAL__N__11f8369a_8_other_cu_4f1254c92sqIdEEvPT_",
            "_ZN40_GLOBAL__N__11f8369a_8_other_cu_4f1254c92sqIfEEvPT_"});
        QCOMPARE(pairKernels(a, b), (Pairs{{0, 1}, {1, 0}}));
    }

    void whichFileAKernelIsOfStaysWhereTwoHaveIt()
    {
        const auto a = kernelsOf({"_ZN36_GLOBAL__N__81f8369f_4_n_cu_2f1254c83runEPf",
            "_ZN36_GLOBAL__N__71f8369f_4_m_cu_2f1254c73runEPf"});
        const auto b = kernelsOf({"_ZN36_GLOBAL__N__11f8369f_4_m_cu_1f1254c83runEPf",
            "_ZN36_GLOBAL__N__21f8369f_4_n_cu_1f1254c73runEPf"});
        QCOMPARE(pairKernels(a, b), (Pairs{{0, 1}, {1, 0}}));
    }

    void otherNamesAreNotPaired()
    {
        const auto a = kernelsOf({"_ZN35_GLOBAL__N__c2445342_4_k_cu__Z2goPf3runEPf", "k"});
        const auto b = kernelsOf({"_ZN35_GLOBAL__N__c2445342_4_k_cu__Z2goPf4run2EPf", "k"});
        QCOMPARE(pairKernels(a, b), (Pairs{{0, -1}, {1, 1}, {-1, 0}}));
    }

    void calledFunctionsOfTwoBuildsAreTheSame()
    {
        const auto a = "CALL.REL.NOINC `($k$_ZN33_INTERNAL_c2445342_4_k_cu__Z2goPf1hEf)\nEXIT";
        QCOMPARE(verdictOf(a, "CALL.REL.NOINC `($k$_ZN33_INTERNAL_091880e7_4_k_cu__Z2goPf1hEf)\nEXIT"),
            QStringLiteral("identical"));
        QCOMPARE(verdictOf(a, "CALL.REL.NOINC `($k$_ZN33_INTERNAL_091880e7_4_k_cu__Z2goPf1gEf)\nEXIT"),
            QStringLiteral("different"));
    }

    void labelsInExpressionsMayBeRenamed()
    {
        QCOMPARE(verdictOf("MOV R20, 32@lo((k + .L_x_3@srel))\n.L_x_3:\nEXIT",
                     "MOV R20, 32@lo((k + .L_x_8@srel))\n.L_x_8:\nEXIT"),
            QStringLiteral("identical"));
    }

    void jumpTables_data()
    {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<bool>("alike");
        QTest::newRow("renamed") << "123"
                                 << "123" << true;
        QTest::newRow("exchanged") << "123"
                                   << "213" << false;
        QTest::newRow("one entry leads elsewhere") << "1123"
                                                   << "1223" << false;
        QTest::newRow("an entry more") << "123"
                                       << "1233" << false;
    }
    void jumpTables()
    {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(bool, alike);
        const auto one = jumpTable(a.toStdString(), "x_");
        const auto other = jumpTable(b.toStdString(), "y_9");
        for (const auto& diff : {diffListings(one, other), diffListings(other, one)}) {
            QCOMPARE(diff.identical, alike);
            QCOMPARE(QString::fromStdString(diff.summary),
                alike ? QStringLiteral("Identical instructions apart from names of registers and labels.")
                      : QStringLiteral("BRX (jump table) to other places."));
        }
    }
};

QTEST_APPLESS_MAIN(TestSassDiffNames)
#include "tst_sass_diff_names.moc"
