// SPDX-License-Identifier: Apache-2.0
#include "core/support/result.h"

#include <QTest>

#include <memory>
#include <set>
#include <string>

using namespace ptxwb;

class TestResult : public QObject {
    Q_OBJECT
private slots:
    void holdsAValueOrAnError();
    void movesValuesThatCannotBeCopied();
    void chains();
    void voidResult();
    void everyCodeHasItsOwnName();
    void describesWithTheKnownPartsOnly_data();
    void describesWithTheKnownPartsOnly();
};

namespace {
Result<int> half(int number)
{
    if (number % 2 != 0) {
        return Error{.code = ErrorCode::InvalidArgument, .message = "odd"};
    }
    return number / 2;
}
} // namespace

void TestResult::holdsAValueOrAnError()
{
    const auto good = half(8);
    QVERIFY(good);
    QCOMPARE(*good, 4);
    QCOMPARE(good.value_or(0), 4);
    const auto bad = half(3);
    QVERIFY(!bad);
    QVERIFY(bad.error().code == ErrorCode::InvalidArgument);
    QCOMPARE(bad.value_or(-1), -1);
    const Result<int> unexpected = Unexpected(Error{.code = ErrorCode::TimedOut});
    QVERIFY(unexpected.error().code == ErrorCode::TimedOut);
}

void TestResult::movesValuesThatCannotBeCopied()
{
    Result<std::unique_ptr<int>> made = std::make_unique<int>(7);
    const std::unique_ptr<int> taken = std::move(made).value();
    QCOMPARE(*taken, 7);
}

void TestResult::chains()
{
    QCOMPARE(*half(8).and_then(half), 2);
    QVERIFY(!half(6).and_then(half)); // 3 is odd
    QCOMPARE(*half(8).transform([](int number) { return std::to_string(number); }), std::string("4"));
    QVERIFY(!half(7).transform([](int number) { return number; }));
}

void TestResult::voidResult()
{
    const Result<void> good;
    QVERIFY(good);
    const Result<void> bad = Error{.code = ErrorCode::DiskFull, .message = "full"};
    QVERIFY(!bad);
    QCOMPARE(bad.error().message, std::string("full"));
}

void TestResult::everyCodeHasItsOwnName()
{
    std::set<std::string_view> names;
    for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code) {
        names.insert(errorCodeName(static_cast<ErrorCode>(code)));
    }
    QCOMPARE(names.size(), static_cast<std::size_t>(ErrorCode::Internal) + 1);
}

void TestResult::describesWithTheKnownPartsOnly_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("jsonPath");
    QTest::addColumn<QString>("hint");
    QTest::addColumn<QString>("text");
    QTest::newRow("message") << "" << 0 << ""
                             << ""
                             << "bad";
    QTest::newRow("hint") << "" << 0 << ""
                          << "do it"
                          << "bad (do it)";
    QTest::newRow("path") << "a.ptx" << 0 << ""
                          << ""
                          << "a.ptx: bad";
    QTest::newRow("line") << "a.ptx" << 3 << ""
                          << ""
                          << "a.ptx:3: bad";
    QTest::newRow("line alone") << "" << 3 << ""
                                << ""
                                << "line 3: bad";
    QTest::newRow("all") << "a.ptx" << 3 << "$.x"
                         << "do it"
                         << "a.ptx:3: $.x: bad (do it)";
}

void TestResult::describesWithTheKnownPartsOnly()
{
    QFETCH(QString, path);
    QFETCH(int, line);
    QFETCH(QString, jsonPath);
    QFETCH(QString, hint);
    QFETCH(QString, text);
    Error error{.code = ErrorCode::Internal,
        .message = "bad",
        .hint = hint.toStdString(),
        .path = path.toStdString(),
        .jsonPath = jsonPath.toStdString()};
    if (line > 0) {
        error.line = line;
    }
    QCOMPARE(QString::fromStdString(describe(error)), text);
}

QTEST_APPLESS_MAIN(TestResult)
#include "tst_result.moc"
