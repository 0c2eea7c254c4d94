// SPDX-License-Identifier: Apache-2.0
#include "core/support/sandbox.h"

#include "core/support/files.h"
#include "core/support/temporary_directory.h"

#include <QTest>

#include <arpa/inet.h>
#include <csignal>
#include <cstdlib>
#include <sys/socket.h>
#include <unistd.h>

using namespace ptxwb;
using namespace std::chrono_literals;

namespace {

// Outside it runs as any shell does; the same words are tried on both sides, so that a wall is seen to stop
// something that works without it.
ProcessRequest shell(const std::string& script)
{
    return {.argv = {"/bin/bash", "-c", script}, .timeout = 20s};
}

class Listener {
public:
    Listener()
        : m_fd(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* raw = reinterpret_cast<sockaddr*>(&address);
        if (::bind(m_fd, raw, size) == 0 && ::listen(m_fd, 4) == 0 && ::getsockname(m_fd, raw, &size) == 0) {
            m_port = ntohs(address.sin_port);
        }
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() { ::close(m_fd); }
    int port() const { return m_port; }

private:
    int m_fd;
    int m_port = 0;
};

} // namespace

class TestSandbox : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanup();
    void runsAProgramWithItsInput();
    void keepsWhatIsWrittenToScratchOnly();
    void seesNoFileThatIsNotNamed();
    void passesOnlyNamedVariables();
    void hasNoNetwork();
    void seesNoOtherProcess();
    void cutsALargeFile();
    void cutsALargeProcess();
    void endsEverythingThatItStarted();
    void holdsTheNumberOfProcesses();

private:
    ProcessOutcome inside(const std::string& script, SandboxWalls walls = {});
    std::optional<TemporaryDirectory> m_scratch{};
    std::optional<TemporaryDirectory> m_private{};
};

void TestSandbox::initTestCase()
{
    if (const auto available = sandboxAvailable(); !available) {
        QSKIP(available.error().message.c_str());
    }
}

void TestSandbox::cleanup()
{
    m_scratch.reset();
    m_private.reset();
}

ProcessOutcome TestSandbox::inside(const std::string& script, SandboxWalls walls)
{
    m_scratch = TemporaryDirectory::create("ptxwb-test").value();
    walls.scratch = m_scratch->path();
    const auto request = sandboxed(shell(script), walls);
    return request ? runProcess(*request).value() : ProcessOutcome{};
}

void TestSandbox::runsAProgramWithItsInput()
{
    auto request = shell("cat; echo seen >&2; exit 7");
    request.standardInput = "words";
    request.environment["GIVEN"] = "yes";
    const auto walled = sandboxed(request, {});
    QVERIFY(walled);
    const auto outcome = runProcess(*walled).value();
    QCOMPARE(outcome.standardOutput, std::string("words"));
    QCOMPARE(outcome.standardError, std::string("seen\n"));
    QCOMPARE(outcome.exitCode, 7);
}

void TestSandbox::keepsWhatIsWrittenToScratchOnly()
{
    const auto outcome = inside("pwd; echo kept > made; echo lost > /tmp/lost; touch /usr/ptxwb-probe");
    QCOMPARE(outcome.standardOutput, m_scratch->path().string() + "\n");
    QCOMPARE(readFile(m_scratch->path() / "made").value(), std::string("kept\n"));
    QVERIFY(!std::filesystem::exists("/tmp/lost"));
    QVERIFY(!std::filesystem::exists("/usr/ptxwb-probe"));
    QVERIFY(outcome.standardError.find("Read-only file system") != std::string::npos);
}

void TestSandbox::seesNoFileThatIsNotNamed()
{
    m_private = TemporaryDirectory::create("ptxwb-test").value();
    const auto secret = m_private->path() / "secret";
    QVERIFY(writeFileAtomically(secret, "a secret"));
    const auto read = "cat '" + secret.string() + "'";
    QCOMPARE(runProcess(shell(read)).value().standardOutput, std::string("a secret"));
    QVERIFY(inside(read).exitCode != 0);
    QCOMPARE(inside(read, {.readable = {m_private->path()}}).standardOutput, std::string("a secret"));
    QVERIFY(
        inside("echo changed > '" + secret.string() + "'", {.readable = {m_private->path()}}).exitCode != 0);
    QCOMPARE(readFile(secret).value(), std::string("a secret"));
    QVERIFY(inside("cat /etc/passwd").exitCode != 0);
    QVERIFY(inside("ls /home || ls /root").exitCode != 0);
}

void TestSandbox::passesOnlyNamedVariables()
{
    ::setenv("PTXWB_TEST_SECRET", "hidden", 1);
    ::setenv("PTXWB_TEST_OPEN", "shown", 1);
    const auto outcome =
        inside("env; tr '\\0' '\\n' < /proc/1/environ", {.environment = {"PTXWB_TEST_OPEN"}});
    ::unsetenv("PTXWB_TEST_SECRET");
    ::unsetenv("PTXWB_TEST_OPEN");
    QVERIFY(outcome.standardOutput.find("hidden") == std::string::npos);
    QVERIFY(outcome.standardOutput.find("PTXWB_TEST_OPEN=shown") != std::string::npos);
}

void TestSandbox::hasNoNetwork()
{
    const Listener listener;
    QVERIFY(listener.port() != 0);
    const auto connect = "exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(listener.port());
    QCOMPARE(runProcess(shell(connect)).value().exitCode, 0);
    QVERIFY(inside(connect).exitCode != 0);
}

void TestSandbox::seesNoOtherProcess()
{
    const auto own = "kill -0 " + std::to_string(::getpid());
    QCOMPARE(runProcess(shell(own)).value().exitCode, 0);
    const auto outcome = inside("ls -d /proc/[0-9]* | wc -l");
    QVERIFY2(std::stoi(outcome.standardOutput) < 8, outcome.standardOutput.c_str());
}

void TestSandbox::cutsALargeFile()
{
    const auto outcome = inside("head -c 3000000 /dev/zero > big", {.fileBytes = 1'000'000});
    QVERIFY(!outcome.succeeded());
    QCOMPARE(std::filesystem::file_size(m_scratch->path() / "big"), std::uintmax_t{1'000'000});
}

void TestSandbox::cutsALargeProcess()
{
    const std::string hoard = "x=$(head -c 300000000 /dev/zero | tr '\\0' x); echo ${#x}";
    QVERIFY(inside(hoard, {.addressSpaceBytes = 200'000'000}).standardOutput != "300000000\n");
}

void TestSandbox::endsEverythingThatItStarted()
{
    m_scratch = TemporaryDirectory::create("ptxwb-test").value();
    auto request = shell("(setsid sh -c 'sleep 1; echo late > late') & sleep 60");
    request.timeout = 300ms;
    const auto walled = sandboxed(request, {.scratch = m_scratch->path()});
    QVERIFY(walled);
    const auto outcome = runProcess(*walled).value();
    QVERIFY(outcome.timedOut);
    QTest::qWait(1200);
    QVERIFY(!std::filesystem::exists(m_scratch->path() / "late"));
}

void TestSandbox::holdsTheNumberOfProcesses()
{
    if (::getuid() == 0) {
        QSKIP("the kernel does not hold root to a number of processes");
    }
    const auto outcome = inside("for i in $(seq 100); do sleep 5 & done; jobs -p | wc -l", {.processes = 30});
    QVERIFY(outcome.standardError.find("fork") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestSandbox)
#include "tst_sandbox.moc"
