// SPDX-License-Identifier: Apache-2.0
#include "core/bench/expression.h"

#include <QtTest>

using namespace ptxwb;

namespace {
const std::map<std::string, std::int64_t> names{{"M", 8192}, {"N", 7168}, {"BM", 128}, {"zero", 0}};
}

class TestExpression : public QObject {
    Q_OBJECT

private slots:
    void values_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qlonglong>("expected");
        const auto row = [](const char* text, qlonglong expected) {
            QTest::newRow(text) << text << expected;
        };
        row("7", 7);
        row("0x1F", 31);
        row("  M ", 8192);
        row("1+2*3", 7);
        row("(1+2)*3", 9);
        row("10-4-3", 3);
        row("100/7/2", 7);
        row("-7/2", -3);
        row("-7%3", -1);
        row("--5", 5);
        row("+-+5", -5);
        row("ceildiv(M,BM)", 64);
        row("ceildiv(M+1, BM)", 65);
        row("ceildiv(-7,2)", -3);
        row("ceildiv(7,-2)", -3);
        row("ceildiv(-7,-2)", 4);
        row("min(3,1,2)", 1);
        row("max(3,1,2)*2", 6);
        row("4*49152+1024", 197632);
        row("min(M, ceildiv(N, BM) * (2 - 1))", 56);
        row("9223372036854775807", 9223372036854775807LL);
        row("-9223372036854775807-1", std::numeric_limits<qlonglong>::min());
    }
    void values()
    {
        QFETCH(QString, text);
        QFETCH(qlonglong, expected);
        const auto value = evaluateExpression(text.toStdString(), names);
        QVERIFY2(value, value ? "" : value.error().message.c_str());
        QCOMPARE(qlonglong{*value}, expected);
    }

    void faults_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::addColumn<int>("column");
        const auto row = [](const char* text, const char* says, int column) {
            QTest::newRow(text) << text << says << column;
        };
        row("", "missing", 1);
        row("1+", "missing", 3);
        row("1/0", "division by zero", 2);
        row("M % zero", "division by zero", 3);
        row("ceildiv(M,zero)", "division by zero", 1);
        row("Q*2", "unknown name `Q`", 1);
        row("2*(M+Q)", "unknown name `Q`", 6);
        row("floor(3)", "unknown function `floor`", 1);
        row("ceildiv(1)", "2 values", 1);
        row("ceildiv(1,2,3)", "2 values", 1);
        row("min(1)", "2 values or more", 1);
        row("(1+2", "expected `)`", 5);
        row("1 2", "unexpected `2`", 3);
        row("2M", "unexpected `M`", 2);
        row("0x", "hexadecimal", 1);
        row("1.5", "unexpected `.`", 2);
        row("9223372036854775808", "beyond 64 bits", 1);
        row("9223372036854775807+1", "beyond 64 bits", 22);
        row("(-9223372036854775807-1)/-1", "beyond 64 bits", 28);
        row("$", "unexpected `$`", 1);
    }
    void faults()
    {
        QFETCH(QString, text);
        QFETCH(QString, says);
        QFETCH(int, column);
        const auto value = evaluateExpression(text.toStdString(), names);
        QVERIFY(!value);
        QCOMPARE(value.error().code, ErrorCode::BadFormat);
        const QString message = QString::fromStdString(value.error().message);
        QVERIFY2(message.contains(says), qPrintable(message));
        QVERIFY2(message.contains(QStringLiteral("column %1 ").arg(column)), qPrintable(message));
    }

    void unknownNameListsTheKnown()
    {
        const auto value = evaluateExpression("BN", names);
        QVERIFY(!value);
        QCOMPARE(value.error().hint, std::string("known names: BM, M, N, zero"));
    }

    void hostileDepthAndLength()
    {
        QVERIFY(!evaluateExpression(std::string(100000, '('), names));
        QVERIFY(!evaluateExpression(std::string(100000, '-'), names));
        std::string chain = "1";
        for (int i = 0; i < 50000; ++i) {
            chain += "+1";
        }
        QCOMPARE(*evaluateExpression(chain, names), std::int64_t{50001});
    }
};

QTEST_APPLESS_MAIN(TestExpression)
#include "tst_expression.moc"
