// SPDX-License-Identifier: Apache-2.0
#include "core/support/files.h"
#include "core/support/input.h"
#include "core/support/output.h"

#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace ptxwb;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

fs::path in(const QTemporaryDir& directory, const char* name)
{
    return fs::path(directory.path().toStdString()) / name;
}

// A stop that is asked for while the call waits.
template <class F> auto stoppedSoon(F&& call)
{
    std::stop_source source;
    std::jthread later([&] {
        std::this_thread::sleep_for(100ms);
        source.request_stop();
    });
    return call(source.get_token());
}

} // namespace

class TestInput : public QObject {
    Q_OBJECT
private slots:
    void readsFilesAndPipes();
    void stopsAtTheLimit();
    void readsLongerBinaries();
    void refusesWhatIsNoFile();
    void waitsForAWriterUntilStopped();
    void waitsForAReaderUntilStopped();
    void saysThatTheOutputIsLost();
};

void TestInput::readsFilesAndPipes()
{
    const QTemporaryDir directory;
    QVERIFY(writeFileAtomically(in(directory, "file"), std::string(100'000, 'x')));
    const auto file = readInput(in(directory, "file"), {});
    QVERIFY(file);
    QCOMPARE(file->size(), std::size_t{100'000});
    QVERIFY(readInput("/dev/null", {}).value().empty());
    const auto pipe = in(directory, "pipe");
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    std::jthread writer([&] {
        std::this_thread::sleep_for(50ms);
        const int fd = ::open(pipe.c_str(), O_WRONLY);
        const std::string text(200'000, 'y');
        static_cast<void>(writeTo(fd, text, "pipe"));
        ::close(fd);
    });
    const auto piped = readInput(pipe, {});
    QVERIFY(piped);
    QCOMPARE(piped->size(), std::size_t{200'000});
}

void TestInput::stopsAtTheLimit()
{
    const QTemporaryDir directory;
    const InputLimits limits{.bytes = 1 * mebibyte, .binaryBytes = 1 * mebibyte};
    const auto endless = readInput("/dev/zero", limits);
    QVERIFY(!endless);
    QCOMPARE(endless.error().code, ErrorCode::Unreadable);
    QCOMPARE(QString::fromStdString(endless.error().message), "cannot read: it is longer than 1 MiB");
    QCOMPARE(QString::fromStdString(endless.error().path), "/dev/zero");
    QVERIFY(writeFileAtomically(in(directory, "exact"), std::string(mebibyte, 'x')));
    QVERIFY(readInput(in(directory, "exact"), limits));
    QVERIFY(writeFileAtomically(in(directory, "longer"), std::string(mebibyte + 1, 'x')));
    QVERIFY(!readInput(in(directory, "longer"), limits));
}

void TestInput::readsLongerBinaries()
{
    const QTemporaryDir directory;
    const InputLimits limits{.bytes = 1000, .binaryBytes = 2000};
    for (const std::string& magic : {std::string("\x7f") + "ELF", std::string("\x50\xed\x55\xba")}) {
        QVERIFY(writeFileAtomically(in(directory, "binary"), magic + std::string(1500, '\0')));
        QVERIFY(readInput(in(directory, "binary"), limits));
    }
    QVERIFY(writeFileAtomically(in(directory, "text"), std::string(1500, 'x')));
    QVERIFY(!readInput(in(directory, "text"), limits));
}

void TestInput::refusesWhatIsNoFile()
{
    const QTemporaryDir directory;
    QCOMPARE(readInput(in(directory, "missing"), {}).error().code, ErrorCode::NotFound);
    QCOMPARE(readInput(in(directory, "."), {}).error().code, ErrorCode::Unreadable);
}

void TestInput::waitsForAWriterUntilStopped()
{
    const QTemporaryDir directory;
    const auto pipe = in(directory, "pipe");
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    const auto read = stoppedSoon([&](const std::stop_token& stop) { return readInput(pipe, {}, stop); });
    QVERIFY(!read);
    QCOMPARE(read.error().code, ErrorCode::Cancelled);
}

void TestInput::waitsForAReaderUntilStopped()
{
    const QTemporaryDir directory;
    const auto pipe = in(directory, "pipe");
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    const auto unread =
        stoppedSoon([&](const std::stop_token& stop) { return writeFileAtomically(pipe, "text", stop); });
    QVERIFY(!unread);
    QCOMPARE(unread.error().code, ErrorCode::Cancelled);
    // Open, but never read from: it fills up.
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    const int writer = ::open(pipe.c_str(), O_WRONLY);
    const auto full = stoppedSoon([&](const std::stop_token& stop) {
        return writeTo(writer, std::string(4 * mebibyte, 'x'), "<stdout>", stop);
    });
    ::close(reader);
    ::close(writer);
    QVERIFY(!full);
    QCOMPARE(full.error().code, ErrorCode::Cancelled);
}

void TestInput::saysThatTheOutputIsLost()
{
    const int full = ::open("/dev/full", O_WRONLY);
    QVERIFY(full >= 0);
    QCOMPARE(writeTo(full, "text", "<stdout>").error().code, ErrorCode::DiskFull);
    ::close(full);
    const auto closed = writeTo(full, "text", "<stdout>");
    QVERIFY(!closed);
    QCOMPARE(closed.error().code, ErrorCode::Unreadable);
    QCOMPARE(QString::fromStdString(closed.error().path), "<stdout>");
}

QTEST_APPLESS_MAIN(TestInput)
#include "tst_input.moc"
