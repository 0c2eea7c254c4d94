// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/cache_record.h"

#include "tests/toolchain/toolchain_test.h"

#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::detail;

class TestCacheRecord : public QObject {
    Q_OBJECT
private slots:
    void comesBack();
    void damageIsAMiss();
    void unusableDirectoriesLoseTheEntryOnly();
};

namespace {
const std::string key(64, 'a');
}

void TestCacheRecord::comesBack()
{
    const QTemporaryDir directory;
    const std::filesystem::path path = directory.path().toStdString();
    QVERIFY(!loadRecord(path, key));
    storeRecord(path, key, {.meta = "{\"x\":1}\n", .blobs = {"", std::string("\0\n1 2\n", 6), "z"}});
    const auto record = loadRecord(path, key);
    QVERIFY(record);
    QCOMPARE(record->meta, std::string("{\"x\":1}\n"));
    QCOMPARE(record->blobs.size(), std::size_t{3});
    QCOMPARE(record->blobs[1], std::string("\0\n1 2\n", 6));
    storeRecord(path, key, {.meta = "", .blobs = {}});
    QCOMPARE(loadRecord(path, key)->blobs.size(), std::size_t{0});
    QVERIFY(!loadRecord(path, std::string(64, 'b')));
    QVERIFY(!loadRecord({}, key));
}

void TestCacheRecord::damageIsAMiss()
{
    const QTemporaryDir directory;
    const std::filesystem::path path = directory.path().toStdString();
    storeRecord(path, key, {.meta = "meta", .blobs = {"blob"}});
    QDirIterator files(directory.path(), QDir::Files, QDirIterator::Subdirectories);
    const auto name = files.next();
    const auto whole = QByteArray::fromStdString(test::readAll(name));
    QVERIFY(whole.size() > 70);
    for (int length = 0; length < whole.size(); ++length) {
        auto flipped = whole;
        flipped[length] = static_cast<char>(flipped[length] ^ 1);
        for (const auto& bytes : {whole.left(length), flipped, whole + "x"}) {
            QFile file(name);
            QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
            file.write(bytes);
            file.close();
            QVERIFY(!loadRecord(path, key));
        }
    }
}

void TestCacheRecord::unusableDirectoriesLoseTheEntryOnly()
{
    for (const char* path : {"/proc/nowhere", "/dev/full", ""}) {
        storeRecord(path, key, {.meta = "m", .blobs = {}});
        QVERIFY(!loadRecord(path, key));
    }
}

QTEST_APPLESS_MAIN(TestCacheRecord)
#include "tst_cache_record.moc"
