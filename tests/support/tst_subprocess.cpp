// SPDX-License-Identifier: Apache-2.0
#include "core/support/subprocess.h"

#include "core/support/files.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sys/wait.h>
#include <thread>

using namespace ptxwb;
using namespace std::chrono_literals;

namespace {

ProcessRequest shell(const std::string& script)
{
    return {.argv = {"/bin/sh", "-c", script}, .timeout = 20s};
}

long openFiles()
{
    return std::distance(
        std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

// A process that ended and waits to be reaped is not alive.
bool isAlive(int pid)
{
    const auto stat = readFile("/proc/" + std::to_string(pid) + "/stat");
    if (!stat) {
        return false;
    }
    const auto close = stat->rfind(')');
    return close != std::string::npos && close + 2 < stat->size() && (*stat)[close + 2] != 'Z';
}

bool waitUntilGone(int pid)
{
    for (int i = 0; i < 200 && isAlive(pid); ++i) {
        std::this_thread::sleep_for(10ms);
    }
    return !isAlive(pid);
}

} // namespace

class TestSubprocess : public QObject {
    Q_OBJECT
private slots:
    void keepsStreamsAndStatusApart();
    void feedsInputThatIsLargerThanAPipe();
    void aChildThatReadsNothingIsNoProblem();
    void runsInADirectoryWithAnEnvironment();
    void clearsTheEnvironment();
    void passesStrangeArgumentsUnchanged();
    void reportsASignal();
    void missingProgram_data();
    void missingProgram();
    void missingDirectory();
    void killsTheWholeGroupOnTimeout();
    void cancels();
    void killsWhatTheLeaderLeavesRunning();
    void cutsEndlessOutput();
    void endsAtTheOutputLimit();
    void leaksNoFilesAndNoZombies();
    void findsInPath();
};

void TestSubprocess::keepsStreamsAndStatusApart()
{
    const auto outcome = runProcess(shell("printf out; printf err >&2; exit 7"));
    QVERIFY(outcome);
    QCOMPARE(outcome->standardOutput, std::string("out"));
    QCOMPARE(outcome->standardError, std::string("err"));
    QCOMPARE(outcome->exitCode, 7);
    QVERIFY(!outcome->succeeded());
    QVERIFY(!outcome->signal && !outcome->timedOut && !outcome->cancelled);
}

void TestSubprocess::feedsInputThatIsLargerThanAPipe()
{
    auto request = shell("cat");
    request.standardInput.assign(3'000'000, 'x');
    request.standardInput += "end";
    const auto outcome = runProcess(request);
    QVERIFY(outcome && outcome->succeeded());
    QVERIFY(outcome->standardOutput == request.standardInput);
}

void TestSubprocess::aChildThatReadsNothingIsNoProblem()
{
    auto request = shell("exec <&-; printf done");
    request.standardInput.assign(1'000'000, 'x');
    const auto outcome = runProcess(request);
    QVERIFY(outcome && outcome->succeeded());
    QCOMPARE(outcome->standardOutput, std::string("done"));
}

void TestSubprocess::runsInADirectoryWithAnEnvironment()
{
    const QTemporaryDir directory;
    auto request = shell("pwd -P; printf %s \"$PTXWB_TEST_VALUE\"");
    request.workingDirectory = directory.path().toStdString();
    request.environment["PTXWB_TEST_VALUE"] = "a b$c";
    const auto outcome = runProcess(request);
    QVERIFY(outcome && outcome->succeeded());
    const auto real = std::filesystem::canonical(request.workingDirectory).string();
    QCOMPARE(outcome->standardOutput, real + "\na b$c");
}

void TestSubprocess::clearsTheEnvironment()
{
    ::setenv("PTXWB_TEST_SECRET", "seen", 1);
    auto request = shell("printf \"%s,%s\" \"$PTXWB_TEST_SECRET\" \"$ONLY\"");
    request.clearEnvironment = true;
    request.environment["ONLY"] = "this";
    const auto outcome = runProcess(request);
    ::unsetenv("PTXWB_TEST_SECRET");
    QVERIFY(outcome);
    QCOMPARE(outcome->standardOutput, std::string(",this"));
}

void TestSubprocess::passesStrangeArgumentsUnchanged()
{
    const auto outcome =
        runProcess({.argv = {"/usr/bin/printf", "[%s]", "a b", "$HOME", "\"'", "", "*"}, .timeout = 20s});
    QVERIFY(outcome);
    QCOMPARE(outcome->standardOutput, std::string("[a b][$HOME][\"'][][*]"));
}

void TestSubprocess::reportsASignal()
{
    const auto outcome = runProcess(shell("kill -SEGV $$"));
    QVERIFY(outcome);
    QVERIFY(outcome->signal.has_value());
    QCOMPARE(*outcome->signal, SIGSEGV);
    QVERIFY(!outcome->succeeded());
}

void TestSubprocess::missingProgram_data()
{
    QTest::addColumn<QString>("program");
    QTest::newRow("path") << "/nowhere/to/be/found";
    QTest::newRow("name") << "ptxwb-no-such-program";
    QTest::newRow("directory") << "/tmp";
}

void TestSubprocess::missingProgram()
{
    QFETCH(QString, program);
    const auto outcome = runProcess({.argv = {program.toStdString()}});
    QVERIFY(!outcome);
    QVERIFY(outcome.error().code == ErrorCode::MissingTool);
    QVERIFY(outcome.error().message.find(program.toStdString()) != std::string::npos);
}

void TestSubprocess::missingDirectory()
{
    auto request = shell("true");
    request.workingDirectory = "/nowhere/to/be/found";
    const auto outcome = runProcess(request);
    QVERIFY(!outcome);
    QVERIFY(outcome.error().message.find("/nowhere") != std::string::npos);
}

void TestSubprocess::killsTheWholeGroupOnTimeout()
{
    auto request = shell("sleep 300 & echo $!; wait");
    request.timeout = 300ms;
    const auto outcome = runProcess(request);
    QVERIFY(outcome);
    QVERIFY(outcome->timedOut);
    QVERIFY(!outcome->cancelled);
    QVERIFY(!outcome->succeeded());
    const int grandchild = std::stoi(outcome->standardOutput);
    QVERIFY(grandchild > 0);
    QVERIFY(waitUntilGone(grandchild));
}

void TestSubprocess::cancels()
{
    std::stop_source stop;
    std::jthread canceller([&] {
        std::this_thread::sleep_for(100ms);
        stop.request_stop();
    });
    const auto outcome = runProcess(shell("sleep 300"), stop.get_token());
    QVERIFY(outcome);
    QVERIFY(outcome->cancelled);
    QVERIFY(!outcome->timedOut);
}

void TestSubprocess::killsWhatTheLeaderLeavesRunning()
{
    // The grandchild keeps the pipes open after its parent is gone.
    const auto outcome = runProcess(shell("sleep 300 & echo $!"));
    QVERIFY(outcome);
    QCOMPARE(outcome->exitCode, 0);
    QVERIFY(waitUntilGone(std::stoi(outcome->standardOutput)));
}

void TestSubprocess::cutsEndlessOutput()
{
    auto request = shell("yes");
    request.maxOutputBytes = 10'000;
    request.timeout = 500ms;
    const auto outcome = runProcess(request);
    QVERIFY(outcome);
    QVERIFY(outcome->outputTruncated);
    QCOMPARE(outcome->standardOutput.size(), std::size_t{10'000});
}

void TestSubprocess::endsAtTheOutputLimit()
{
    auto request = shell("sleep 300 & echo $! >&2; yes");
    request.maxOutputBytes = 10'000;
    request.endsAtOutputLimit = true;
    const auto outcome = runProcess(request);
    QVERIFY(outcome && outcome->outputTruncated && !outcome->timedOut && !outcome->cancelled);
    QCOMPARE(outcome->standardOutput.size(), std::size_t{10'000});
    QVERIFY(waitUntilGone(std::stoi(outcome->standardError)));
}

void TestSubprocess::leaksNoFilesAndNoZombies()
{
    const auto before = openFiles();
    for (int i = 0; i < 50; ++i) {
        QVERIFY(runProcess(shell("exit 1")));
        QVERIFY(!runProcess({.argv = {"/nowhere/to/be/found"}}));
    }
    QCOMPARE(openFiles(), before);
    QCOMPARE(::waitpid(-1, nullptr, WNOHANG), -1); // no child is left
    QCOMPARE(errno, ECHILD);
}

void TestSubprocess::findsInPath()
{
    const QTemporaryDir directory;
    const auto before = qgetenv("PATH");
    QFile program(directory.filePath("ptxwb-test-program"));
    QVERIFY(program.open(QIODevice::WriteOnly));
    program.write("#!/bin/sh\nprintf found\n");
    program.close();
    qputenv("PATH", "/nowhere::" + directory.path().toUtf8() + ":" + before);
    QVERIFY(!findInPath("ptxwb-test-program")); // not executable yet
    QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY(findInPath("ptxwb-test-program"));
    const auto outcome = runProcess({.argv = {"ptxwb-test-program"}});
    qputenv("PATH", before);
    QVERIFY(outcome);
    QCOMPARE(outcome->standardOutput, std::string("found"));
    QVERIFY(!findInPath("ptxwb-test-program"));
}

QTEST_APPLESS_MAIN(TestSubprocess)
#include "tst_subprocess.moc"
