// SPDX-License-Identifier: Apache-2.0
#include "core/support/temporary_directory.h"

#include "core/support/files.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace ptxwb;
namespace fs = std::filesystem;

class TestTemporaryDirectory : public QObject {
    Q_OBJECT
private slots:
    void isPrivateAndGoesWithItsContent();
    void movesWithoutRemoving();
    void honoursTmpdir();
    void saysWhyItCannotBeMade();
};

void TestTemporaryDirectory::isPrivateAndGoesWithItsContent()
{
    fs::path path;
    {
        const auto made = TemporaryDirectory::create("ptxwb-test");
        QVERIFY(made);
        path = made->path();
        QVERIFY(fs::is_directory(path));
        QVERIFY(path.filename().string().starts_with("ptxwb-test-"));
        QCOMPARE(fs::status(path).permissions() & fs::perms::mask, fs::perms::owner_all);
        fs::create_directories(path / "a" / "b");
        QVERIFY(writeFileAtomically(path / "a" / "b" / "c", "text"));
        fs::create_symlink("/", path / "root"); // must not be followed
    }
    QVERIFY(!fs::exists(path));
    QVERIFY(fs::exists("/usr"));
}

void TestTemporaryDirectory::movesWithoutRemoving()
{
    auto first = TemporaryDirectory::create();
    QVERIFY(first);
    const auto path = first->path();
    {
        TemporaryDirectory second = std::move(first).value();
        QVERIFY(fs::exists(path));
        auto other = TemporaryDirectory::create();
        QVERIFY(other);
        const auto otherPath = other->path();
        second = std::move(other).value();
        QCOMPARE(second.path(), otherPath);
    }
    QVERIFY(!fs::exists(path));
}

void TestTemporaryDirectory::honoursTmpdir()
{
    const QTemporaryDir base;
    const auto before = qgetenv("TMPDIR");
    qputenv("TMPDIR", base.path().toUtf8());
    const auto made = TemporaryDirectory::create();
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
    QVERIFY(made);
    QCOMPARE(made->path().parent_path().string(), base.path().toStdString());
}

void TestTemporaryDirectory::saysWhyItCannotBeMade()
{
    const auto before = qgetenv("TMPDIR");
    qputenv("TMPDIR", "/nowhere/to/be/found");
    const auto made = TemporaryDirectory::create();
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
    QVERIFY(!made);
    QVERIFY(made.error().hint.find("TMPDIR") != std::string::npos);
    QVERIFY(made.error().path.starts_with("/nowhere"));
}

QTEST_APPLESS_MAIN(TestTemporaryDirectory)
#include "tst_temporary_directory.moc"
