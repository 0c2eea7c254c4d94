// SPDX-License-Identifier: Apache-2.0
#include "core/support/temporary_directory.h"

#include "core/support/files.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

using namespace ptxwb;
namespace fs = std::filesystem;

class TestTemporaryDirectory : public QObject {
    Q_OBJECT
private slots:
    void isPrivateAndGoesWithItsContent();
    void movesWithoutRemoving();
    void honoursTmpdir();
    void saysWhyItCannotBeMade();
    void sweepsWhatADeadProcessLeft();
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

void TestTemporaryDirectory::sweepsWhatADeadProcessLeft()
{
    const QTemporaryDir base;
    const auto before = qgetenv("TMPDIR");
    qputenv("TMPDIR", base.path().toUtf8());
    const fs::path root = base.path().toStdString();
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
    const auto make = [&](const std::string& name, fs::perms mode = fs::perms::owner_all) {
        fs::create_directory(root / name);
        QVERIFY(writeFileAtomically(root / name / "content", "x"));
        fs::permissions(root / name, mode);
        fs::last_write_time(root / name, old);
    };
    // No process has this number: it is above the kernel's largest.
    make("ptxwb-ptx-pid4999999-Ab12Cd");
    make("ptxwb-ptx-pid1-Ab12Cd"); // alive
    const pid_t zombie = ::fork();
    if (zombie == 0) {
        ::_exit(0);
    }
    siginfo_t ended{};
    ::waitid(P_PID, static_cast<id_t>(zombie), &ended, WEXITED | WNOWAIT);
    make("ptxwb-pid" + std::to_string(zombie) + "-Zombie");
    make("ptxwb-ptx-pid4999999-notes"); // five characters: somebody's own name
    make("ptxwb-backup");
    make("other-pid4999999-Ab12Cd");
    make("ptxwb-pid4999999-Ab12Ce", fs::perms::owner_all | fs::perms::group_read);
    make("ptxwb-pid4999999-Fresh1");
    fs::last_write_time(root / "ptxwb-pid4999999-Fresh1", fs::file_time_type::clock::now());
    fs::create_directory_symlink(root / "ptxwb-backup", root / "ptxwb-pid4999999-Link12");
    const auto ours = TemporaryDirectory::create();
    QVERIFY(ours);
    fs::last_write_time(ours->path(), old);
    const int removed = sweepStaleTemporaryDirectories();
    // In use by a process that this one cannot see: the lock says so.
    const auto locked = root / "ptxwb-pid4999999-Locked";
    fs::rename(ours->path(), locked);
    const int removedLocked = sweepStaleTemporaryDirectories();
    const bool lockedStays = fs::exists(locked);
    fs::rename(locked, ours->path());
    before.isNull() ? qunsetenv("TMPDIR") : qputenv("TMPDIR", before);
    ::waitpid(zombie, nullptr, 0);
    QCOMPARE(removed, 2);
    QVERIFY(!fs::exists(root / "ptxwb-ptx-pid4999999-Ab12Cd"));
    QVERIFY(fs::exists(root / "ptxwb-backup" / "content"));
    QCOMPARE(removedLocked, 0);
    QVERIFY(lockedStays);
}

QTEST_APPLESS_MAIN(TestTemporaryDirectory)
#include "tst_temporary_directory.moc"
