// SPDX-License-Identifier: Apache-2.0
#include "core/support/files.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace ptxwb;
namespace fs = std::filesystem;

namespace {

// Sets a variable for one scope.
class Variable {
public:
    Variable(const char* name, const QByteArray& value)
        : m_name(name)
        , m_before(qgetenv(name))
        , m_wasSet(qEnvironmentVariableIsSet(name))
    {
        value.isNull() ? qunsetenv(name) : qputenv(name, value);
    }
    ~Variable() { m_wasSet ? qputenv(m_name, m_before) : qunsetenv(m_name); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* m_name;
    QByteArray m_before;
    bool m_wasSet;
};

} // namespace

class TestFiles : public QObject {
    Q_OBJECT
private slots:
    void readsBackWhatWasWritten();
    void overwritesAndKeepsTheMode();
    void leavesNothingBesideTheFile();
    void namesWhatCannotBeRead();
    void aFailedWriteKeepsTheOldText();
    void userDirectories();
    void shareDirectoryOfTheSourceTree();
};

void TestFiles::readsBackWhatWasWritten()
{
    const QTemporaryDir directory;
    const fs::path path = directory.filePath("it's $a \"name\".ptx").toStdString();
    std::string bytes;
    for (int i = 0; i < 200'000; ++i) {
        bytes += static_cast<char>(i % 256);
    }
    QVERIFY(writeFileAtomically(path, bytes));
    const auto read = readFile(path);
    QVERIFY(read);
    QVERIFY(*read == bytes);
    QVERIFY(writeFileAtomically(path, ""));
    QCOMPARE(readFile(path)->size(), std::size_t{0});
}

void TestFiles::overwritesAndKeepsTheMode()
{
    const QTemporaryDir directory;
    const fs::path path = directory.filePath("program").toStdString();
    QVERIFY(writeFileAtomically(path, "one"));
    fs::permissions(path, fs::perms::owner_all | fs::perms::group_read);
    QVERIFY(writeFileAtomically(path, "two"));
    QCOMPARE(*readFile(path), std::string("two"));
    QCOMPARE(fs::status(path).permissions(), fs::perms::owner_all | fs::perms::group_read);
}

void TestFiles::leavesNothingBesideTheFile()
{
    const QTemporaryDir directory;
    QVERIFY(writeFileAtomically(directory.filePath("a").toStdString(), "one"));
    QVERIFY(!writeFileAtomically(directory.path().toStdString(), "over a directory"));
    QCOMPARE(QDir(directory.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"a"});
}

void TestFiles::namesWhatCannotBeRead()
{
    const auto missing = readFile("/nowhere/to/be/found.ptx");
    QVERIFY(!missing);
    QVERIFY(missing.error().code == ErrorCode::NotFound);
    QCOMPARE(missing.error().path, std::string("/nowhere/to/be/found.ptx"));
    const auto folder = readFile("/usr");
    QVERIFY(!folder);
    QVERIFY(folder.error().code == ErrorCode::Unreadable);
    QVERIFY(folder.error().message.find("directory") != std::string::npos);
}

void TestFiles::aFailedWriteKeepsTheOldText()
{
    const auto written = writeFileAtomically("/nowhere/to/be/found", "text");
    QVERIFY(!written);
    QVERIFY(written.error().code == ErrorCode::NotFound);
    const auto full = writeFileAtomically("/dev/full", "text");
    QVERIFY(!full);
    QVERIFY(full.error().code == ErrorCode::DiskFull);
    QVERIFY(std::filesystem::is_character_file("/dev/full")); // written into, not replaced
}

void TestFiles::userDirectories()
{
    const Variable home("HOME", "/home/someone");
    const Variable xdgCache("XDG_CACHE_HOME", QByteArray());
    const Variable xdgData("XDG_DATA_HOME", QByteArray());
    const Variable cache("PTXWB_CACHE_DIR", QByteArray());
    const Variable data("PTXWB_DATA_DIR", QByteArray());
    QCOMPARE(userCacheDirectory().string(), std::string("/home/someone/.cache/ptx-workbench"));
    QCOMPARE(userDataDirectory().string(), std::string("/home/someone/.local/share/ptx-workbench"));
    const Variable relative("XDG_CACHE_HOME", "relative"); // not absolute: ignored, by the XDG rules
    QCOMPARE(userCacheDirectory().string(), std::string("/home/someone/.cache/ptx-workbench"));
    const Variable absolute("XDG_CACHE_HOME", "/c");
    QCOMPARE(userCacheDirectory().string(), std::string("/c/ptx-workbench"));
    const Variable own("PTXWB_CACHE_DIR", "/mine");
    QCOMPARE(userCacheDirectory().string(), std::string("/mine"));
}

void TestFiles::shareDirectoryOfTheSourceTree()
{
    const Variable unset("PTXWB_SHARE_DIR", QByteArray());
    const auto share = shareDirectory();
    QVERIFY(share);
    QVERIFY(fs::exists(*share / "resources" / "isa" / "ptx-instructions.json"));
}

QTEST_APPLESS_MAIN(TestFiles)
#include "tst_files.moc"
