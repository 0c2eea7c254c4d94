// SPDX-License-Identifier: Apache-2.0
#include "core/support/sha256.h"

#include <QCryptographicHash>
#include <QTest>

using namespace ptxwb;

class TestSha256 : public QObject {
    Q_OBJECT
private slots:
    void publishedVectors_data();
    void publishedVectors();
    void everyLengthAroundABlock();
};

void TestSha256::publishedVectors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("digest");
    QTest::newRow("empty") << QByteArray()
                           << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("abc") << QByteArray("abc")
                         << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                << QByteArray(
                                       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    QTest::newRow("a million") << QByteArray(
        1'000'000, 'a') << QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void TestSha256::publishedVectors()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, digest);
    QCOMPARE(sha256Hex(text.toStdString()), digest.toStdString());
}

void TestSha256::everyLengthAroundABlock()
{
    QByteArray text;
    for (int length = 0; length < 200; ++length) {
        const auto expected = QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex();
        QCOMPARE(sha256Hex(text.toStdString()), expected.toStdString());
        text += static_cast<char>(length * 7 + 128);
    }
}

QTEST_APPLESS_MAIN(TestSha256)
#include "tst_sha256.moc"
