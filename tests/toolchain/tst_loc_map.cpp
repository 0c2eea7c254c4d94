// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/loc_map.h"

#include <QTest>

using namespace ptxwb::detail;

class TestLocMap : public QObject {
    Q_OBJECT
private slots:
    void mapsLinesWithinTheirFunction();
    void followsInlinedCalls();
    void strangeText();
};

namespace {
QString shown(const std::optional<LocMap::Place>& place)
{
    return place ? QString::fromStdString(place->file) + ':' + QString::number(place->line) : QString("-");
}
} // namespace

void TestLocMap::mapsLinesWithinTheirFunction()
{
    const LocMap map(".version 9.0\n" // 1
                     ".visible .entry a()\n"
                     "{\n"
                     "\t.loc\t1 7 0\n"
                     "\tret;\n" // 5
                     "\t.loc 2 3 1, function_name $L, inlined_at 1 9 2\n"
                     "\tadd;\n"
                     "}\n"
                     ".entry b()\n"
                     "{\n" // 10
                     "\t.loc 1 20 0\n"
                     "\tret;\n"
                     "}\n"
                     "\t.file\t1 \"/home/u/my file.cu\"\n"
                     "\t.file 2 \"inc.h\"\n");
    QCOMPARE(shown(map.placeOf(1)), QString("-"));
    QCOMPARE(shown(map.placeOf(3)), QString("-"));
    QCOMPARE(shown(map.placeOf(5)), QString("/home/u/my file.cu:7"));
    QCOMPARE(shown(map.placeOf(7)), QString("inc.h:3"));
    QCOMPARE(shown(map.placeOf(10)), QString("-")); // the mark of a does not reach into b
    QCOMPARE(shown(map.placeOf(12)), QString("/home/u/my file.cu:20"));
    QCOMPARE(shown(map.firstPlaceFrom(2)), QString("/home/u/my file.cu:7"));
    QCOMPARE(shown(map.firstPlaceFrom(9)), QString("/home/u/my file.cu:20"));
    QCOMPARE(shown(map.firstPlaceFrom(12)), QString("-"));
}

void TestLocMap::followsInlinedCalls()
{
    const LocMap map(".visible .entry a()\n"
                     "{\n"
                     "\t.loc 1 16 5\n"
                     "\t.loc 2 261 5, function_name $L0, inlined_at 1 16 5\n"
                     "\t.loc 3 92 9, function_name $L1, inlined_at 2 261 5\n" // 5
                     "\tadd;\n"
                     "\t.loc 2 270 1, function_name $L0, inlined_at 1 18 5\n"
                     "\tmul;\n"
                     "\t.loc 4 1 1, function_name $L2, inlined_at 4 1 1\n"
                     "\tret;\n" // 10
                     "}\n"
                     "\t.file 1 \"k.cu\"\n\t.file 2 \"a.h\"\n\t.file 3 \"b.h\"\n\t.file 4 \"c.h\"\n");
    const auto shownFrames = [&](int line) {
        QStringList all;
        for (const auto& frame : map.framesOf(line)) {
            all << shown(frame);
        }
        return all.join(QLatin1Char(' '));
    };
    QCOMPARE(shownFrames(2), QString());
    QCOMPARE(shownFrames(3), QString("k.cu:16"));
    QCOMPARE(shownFrames(6), QString("b.h:92 a.h:261 k.cu:16"));
    QCOMPARE(shownFrames(8), QString("a.h:270 k.cu:18")); // the call has no mark of its own
    QVERIFY(map.framesOf(10).size() <= 64); // a place that is inlined at itself
}

void TestLocMap::strangeText()
{
    QCOMPARE(shown(LocMap("").placeOf(1)), QString("-"));
    QCOMPARE(shown(LocMap(".loc\n.loc x y\n.file\n.file 1 \"\n").placeOf(4)), QString("-"));
    QCOMPARE(shown(LocMap(".loc 9 1 1\n").placeOf(1)), QString("-")); // no such file
}

QTEST_APPLESS_MAIN(TestLocMap)
#include "tst_loc_map.moc"
