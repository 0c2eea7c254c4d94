// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/constant_expression.h"

#include <QTest>

using namespace ptxwb;

class TestConstantExpression : public QObject {
    Q_OBJECT
private slots:
    void values_data();
    void values();
    void deepNestingEnds();
};

void TestConstantExpression::values_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qlonglong>("value"); // -1: no value
    QTest::newRow("number") << "128" << 128LL;
    QTest::newRow("unsigned suffix") << "128U" << 128LL;
    QTest::newRow("hexadecimal") << "0x100" << 256LL;
    QTest::newRow("binary") << "0b101" << 5LL;
    QTest::newRow("octal") << "017" << 15LL;
    QTest::newRow("precedence") << "4*49152+1024" << 197632LL;
    QTest::newRow("parentheses") << "2 * (3 + 4)" << 14LL;
    QTest::newRow("left to right") << "100/10/2-3-1" << 1LL;
    QTest::newRow("blanks") << " 1 +\t2 " << 3LL;
    QTest::newRow("division by zero") << "1/0" << -1LL;
    QTest::newRow("below zero") << "1-2" << -1LL;
    QTest::newRow("overflow") << "0xFFFFFFFFFFFFFFFF*2" << -1LL;
    QTest::newRow("too long") << "99999999999999999999999" << -1LL;
    QTest::newRow("symbol") << "N*4" << -1LL;
    QTest::newRow("empty") << "" << -1LL;
    QTest::newRow("trailing operator") << "1+" << -1LL;
    QTest::newRow("unclosed") << "(1" << -1LL;
    QTest::newRow("trailing text") << "1 2" << -1LL;
}

void TestConstantExpression::values()
{
    QFETCH(QString, text);
    QFETCH(qlonglong, value);
    const auto made = evaluateConstant(text.toStdString());
    QCOMPARE(made.has_value(), value >= 0);
    if (made) {
        QCOMPARE(*made, static_cast<std::uint64_t>(value));
    }
}

void TestConstantExpression::deepNestingEnds()
{
    QVERIFY(!evaluateConstant(std::string(1'000'000, '(')));
}

QTEST_APPLESS_MAIN(TestConstantExpression)
#include "tst_constant_expression.moc"
