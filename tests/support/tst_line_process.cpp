// SPDX-License-Identifier: Apache-2.0
#include "core/support/subprocess.h"

#include <QTest>

#include <cerrno>
#include <csignal>
#include <sys/wait.h>
#include <thread>

using namespace ptxwb;
using namespace std::chrono_literals;

namespace {

Result<LineProcess> startShell(const std::string& script)
{
    return LineProcess::start({.argv = {"/bin/sh", "-c", script}});
}

} // namespace

class TestLineProcess : public QObject {
    Q_OBJECT
private slots:
    void answersLineByLine();
    void readsALineInPieces();
    void aLastLineWithoutEndCounts();
    void timesOutAndGoesOn();
    void stops();
    void longLinesBothWays();
    void collectsStandardError();
    void tellsThatTheChildClosedItsInput();
    void finishKillsWhatDoesNotEnd();
    void finishGivesTheStatus();
    void destructionKillsTheGroup();
    void missingProgram();
};

void TestLineProcess::answersLineByLine()
{
    auto process = startShell("while read line; do echo \"got $line\"; done; echo bye");
    QVERIFY(process);
    for (int i = 0; i < 3; ++i) {
        QVERIFY(process->writeLine(std::to_string(i)));
        const auto read = process->readLine(20s);
        QVERIFY(read.wait == LineProcess::Wait::Line);
        QCOMPARE(read.line, "got " + std::to_string(i));
    }
    process->closeInput();
    QCOMPARE(process->readLine(20s).line, std::string("bye"));
    QVERIFY(process->readLine(20s).wait == LineProcess::Wait::EndOfOutput);
    const auto outcome = process->finish(20s);
    QCOMPARE(outcome.exitCode, 0);
}

void TestLineProcess::readsALineInPieces()
{
    auto process = startShell("printf one; sleep 0.1; printf ' two\\nthree\\n\\nfour\\n'");
    QVERIFY(process);
    for (const char* expected : {"one two", "three", "", "four"}) {
        const auto read = process->readLine(20s);
        QVERIFY(read.wait == LineProcess::Wait::Line);
        QCOMPARE(read.line, std::string(expected));
    }
}

void TestLineProcess::aLastLineWithoutEndCounts()
{
    auto process = startShell("printf 'a\\nb'");
    QVERIFY(process);
    QCOMPARE(process->readLine(20s).line, std::string("a"));
    QCOMPARE(process->readLine(20s).line, std::string("b"));
    QVERIFY(process->readLine(20s).wait == LineProcess::Wait::EndOfOutput);
}

void TestLineProcess::timesOutAndGoesOn()
{
    auto process = startShell("read line; echo late");
    QVERIFY(process);
    QVERIFY(process->readLine(50ms).wait == LineProcess::Wait::TimedOut);
    QVERIFY(process->writeLine(""));
    QCOMPARE(process->readLine(20s).line, std::string("late"));
}

void TestLineProcess::stops()
{
    auto process = startShell("sleep 300");
    QVERIFY(process);
    std::stop_source stop;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(50ms);
        stop.request_stop();
    });
    QVERIFY(process->readLine(20s, stop.get_token()).wait == LineProcess::Wait::Stopped);
}

void TestLineProcess::longLinesBothWays()
{
    auto process = startShell("cat");
    QVERIFY(process);
    const std::string line(2'000'000, 'x');
    QVERIFY(process->writeLine(line));
    QVERIFY(process->readLine(20s).line == line);
}

void TestLineProcess::collectsStandardError()
{
    auto process = startShell("echo log >&2; echo line");
    QVERIFY(process);
    QCOMPARE(process->readLine(20s).line, std::string("line"));
    const auto outcome = process->finish(20s);
    QCOMPARE(outcome.standardError, std::string("log\n"));
}

void TestLineProcess::tellsThatTheChildClosedItsInput()
{
    auto process = startShell("exec <&-; echo closed; sleep 300");
    QVERIFY(process);
    QCOMPARE(process->readLine(20s).line, std::string("closed"));
    const auto written = process->writeLine("anyone there?");
    QVERIFY(!written);
    QVERIFY(written.error().code == ErrorCode::Protocol);
}

void TestLineProcess::finishKillsWhatDoesNotEnd()
{
    auto process = startShell("trap '' TERM; sleep 300");
    QVERIFY(process);
    const auto outcome = process->finish(100ms);
    QVERIFY(outcome.timedOut);
    QVERIFY(outcome.signal.has_value());
    QCOMPARE(*outcome.signal, SIGKILL);
}

void TestLineProcess::finishGivesTheStatus()
{
    auto process = startShell("exit 5");
    QVERIFY(process);
    const auto outcome = process->finish(20s);
    QVERIFY(!outcome.timedOut);
    QCOMPARE(outcome.exitCode, 5);
}

void TestLineProcess::destructionKillsTheGroup()
{
    int pid = 0;
    {
        auto process = startShell("sleep 300 & wait");
        QVERIFY(process);
        pid = process->pid();
        LineProcess moved = std::move(process).value();
        QCOMPARE(moved.pid(), pid);
        QCOMPARE(::kill(-pid, 0), 0);
    }
    bool gone = false;
    for (int i = 0; i < 200 && !gone; ++i) {
        gone = ::kill(-pid, 0) != 0 && errno == ESRCH;
        std::this_thread::sleep_for(10ms);
    }
    QVERIFY(gone);
    QCOMPARE(::waitpid(-1, nullptr, WNOHANG), -1); // reaped
}

void TestLineProcess::missingProgram()
{
    const auto process = LineProcess::start({.argv = {"/nowhere/to/be/found"}});
    QVERIFY(!process);
    QVERIFY(process.error().code == ErrorCode::MissingTool);
}

QTEST_APPLESS_MAIN(TestLineProcess)
#include "tst_line_process.moc"
