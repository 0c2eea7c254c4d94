// SPDX-License-Identifier: Apache-2.0
#include "core/support/base64.h"

#include <QTest>

using namespace ptxwb;

class TestBase64 : public QObject {
    Q_OBJECT
private slots:
    void publishedVectors();
    void everyByteAndLengthComesBack();
    void refusesWhatIsNotBase64_data();
    void refusesWhatIsNotBase64();
};

void TestBase64::publishedVectors()
{
    // RFC 4648, section 10.
    const std::pair<const char*, const char*> vectors[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="},
        {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (const auto& [plain, coded] : vectors) {
        QCOMPARE(base64Encode(plain), std::string(coded));
        QCOMPARE(*base64Decode(coded), std::string(plain));
    }
}

void TestBase64::everyByteAndLengthComesBack()
{
    std::string bytes;
    for (int i = 0; i < 300; ++i) {
        const auto decoded = base64Decode(base64Encode(bytes));
        QVERIFY(decoded);
        QVERIFY(*decoded == bytes);
        QCOMPARE(base64Encode(bytes), QByteArray::fromStdString(bytes).toBase64().toStdString());
        bytes += static_cast<char>(i * 37);
    }
}

void TestBase64::refusesWhatIsNotBase64_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("length") << "Zg=";
    QTest::newRow("alphabet") << "Zm9*";
    QTest::newRow("blank") << "Zm 9";
    QTest::newRow("padding inside") << "Zg==Zg==";
    QTest::newRow("only padding") << "====";
    QTest::newRow("padding then text") << "Zg=v";
}

void TestBase64::refusesWhatIsNotBase64()
{
    QFETCH(QString, text);
    const auto decoded = base64Decode(text.toStdString());
    QVERIFY(!decoded);
    QVERIFY(decoded.error().code == ErrorCode::BadFormat);
}

QTEST_APPLESS_MAIN(TestBase64)
#include "tst_base64.moc"
