// SPDX-License-Identifier: Apache-2.0
#include "core/records/asked_families.h"

#include <QFile>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::records;

class TestAskedFamilies : public QObject {
    Q_OBJECT

private slots:
    void ofPtx()
    {
        const std::string text = ".version 8.0\n.target sm_90a\n.visible .entry k() {\n"
                                 "// wgmma.mma_async in a comment\n"
                                 "wgmma.fence.sync.aligned; @p wgmma.commit_group.sync.aligned;\n"
                                 "cp.async.bulk.commit_group;\nadd.u32 %r1, %r1, 1;\n}";
        QCOMPARE(familiesAsked(text, Language::Ptx), (FamilyTable{{"bulk_copy", 1}, {"wgmma", 2}}));
        // Fences and commits need no instruction of the family in SASS.
        QVERIFY(sassFamiliesNeeded(text, Language::Ptx).empty());
    }

    void ofAsmStrings()
    {
        // In a file, because moc 6.4 loses its way in such strings.
        QFile file(QStringLiteral(PTXWB_TEST_DATA "/records/asm_strings.cu"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto text = file.readAll().toStdString();
        QCOMPARE(familiesAsked(text, Language::Cuda), (FamilyTable{{"tma", 1}, {"wgmma", 2}}));
        QCOMPARE(sassFamiliesNeeded(text, Language::Cuda), (std::vector<std::string>{"wgmma", "tma"}));
    }

    void brokenTextEnds_data()
    {
        QTest::addColumn<QByteArray>("text");
        const QByteArray quote(1, 0x22);
        const QByteArray backslash(1, 0x5c);
        QTest::newRow("open string") << "asm(" + quote + "wgmma.fence";
        QTest::newRow("open raw string") << "asm(R" + quote + "x(wgmma";
        QTest::newRow("raw string without parenthesis") << "R" + quote;
        QTest::newRow("open comment") << QByteArray("/") + "* asm(";
        QTest::newRow("backslash") << "asm(" + quote + backslash;
        QTest::newRow("character") << QByteArray(1, 0x27) + backslash;
        QTest::newRow("name only") << QByteArray("asm");
        QTest::newRow("closing only") << QByteArray("asm)))");
    }
    void brokenTextEnds()
    {
        QFETCH(QByteArray, text);
        familiesAsked(text.toStdString(), Language::Cuda);
        asmText(text.toStdString());
    }
};

QTEST_APPLESS_MAIN(TestAskedFamilies)
#include "tst_asked_families.moc"
