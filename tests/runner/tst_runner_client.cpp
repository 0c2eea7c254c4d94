// SPDX-License-Identifier: Apache-2.0
#include "core/runner/runner_client.h"
#include "core/runner/ssh_runner.h"

#include "core/support/files.h"
#include "core/support/temporary_directory.h"

#include <QTest>

#include <csignal>
#include <thread>

using namespace ptxwb;
using namespace std::chrono_literals;

namespace {

constexpr const char* hello =
    R"({"t_ms":0,"event":{"event":"hello","protocol":"ptxwb-runner","version":1,"build":"t","cuda_runtime":"13.0"}})"
    "\n"
    R"({"t_ms":0,"request":true})"
    "\n";
constexpr const char* running =
    R"({"t_ms":1,"event":{"event":"progress","phase":"verify","fraction":0,"message":"trial 1 of 3","candidate_running":true}})"
    "\n";
constexpr const char* resting =
    R"({"t_ms":1,"event":{"event":"progress","phase":"verify","fraction":0.2,"message":"oracle","candidate_running":false}})"
    "\n";

/// What a run did, as the front end saw it.
struct Seen {
    std::vector<RunnerEvent> events;
    int terminals() const
    {
        int count = 0;
        for (const auto& event : events) {
            count += isTerminal(event) ? 1 : 0;
        }
        return count;
    }
};

/// True once no process `pid` is left.
bool isGone(pid_t pid)
{
    for (int i = 0; i < 100; ++i) {
        if (::kill(pid, 0) != 0 && errno == ESRCH) {
            return true;
        }
        std::this_thread::sleep_for(20ms);
    }
    return false;
}

} // namespace

class TestRunnerClient : public QObject {
    Q_OBJECT

private slots:
    void init();
    void playsARecordedRun();
    void probeIsAnsweredFromTheLog();
    void missingProgram();
    void badGreetings_data();
    void badGreetings();
    void linesInFrontOfTheGreetingAreSkipped();
    void deathWhileTheCandidateRuns_data();
    void deathWhileTheCandidateRuns();
    void connectionsThatEnd_data();
    void connectionsThatEnd();
    void deathOfTheRunnerItself();
    void noDeviceExitStatus();
    void silenceWhileTheCandidateRuns();
    void silenceOfTheRunnerItself();
    void garbageInTheMiddle();
    void failedEventIsAnError();
    void cancelledByTheUser();
    void cancelledBeforeTheGreeting();
    void childThatNeverReads();
    void grandchildrenDieToo();
    void deviceIsAskedAfterAFault();
    void localRunnerIsNamedOrExplained();
    void librariesThatTravel();
    void aSlowCopyTakesNoTimeFromTheRunner();

private:
    RunnerEndpoint replay(const std::string& log, double speed = 0);
    static RunnerEndpoint shell(const std::string& script);
    Result<Finished> run(const RunnerEndpoint& endpoint, std::stop_token stop = {});

    std::optional<TemporaryDirectory> m_directory;
    EvaluateRequest m_request;
    Seen m_seen;
};

void TestRunnerClient::init()
{
    auto directory = TemporaryDirectory::create();
    QVERIFY(directory);
    m_directory.emplace(*std::move(directory));
    m_request = {};
    m_request.phaseTimeoutMs = 300;
    m_seen = {};
}

RunnerEndpoint TestRunnerClient::replay(const std::string& log, double speed)
{
    const auto path = m_directory->path() / "run.jsonl";
    if (!writeFileAtomically(path, log)) {
        qFatal("no log");
    }
    return {.command = {PTXWB_BIN_DIR "/ptxwb-replay", path.string(), "--speed", std::to_string(speed)},
        .title = "replay",
        .greetingTimeout = 10s,
        .silenceMargin = 200ms,
        .probeAfterFault = false};
}

RunnerEndpoint TestRunnerClient::shell(const std::string& script)
{
    return {.command = {"/bin/sh", "-c", script},
        .title = "script",
        .greetingTimeout = 2s,
        .silenceMargin = 200ms,
        .probeAfterFault = false};
}

Result<Finished> TestRunnerClient::run(const RunnerEndpoint& endpoint, std::stop_token stop)
{
    m_seen = {};
    auto result = runOnRunner(
        endpoint, m_request, [&](const RunnerEvent& event) { m_seen.events.push_back(event); }, stop);
    // Whatever happened: exactly one terminal event, and it is the last.
    if (m_seen.terminals() != 1 || !isTerminal(m_seen.events.back())) {
        QTest::qFail("not exactly one terminal event", __FILE__, __LINE__);
    }
    return result;
}

void TestRunnerClient::playsARecordedRun()
{
    Finished finished;
    finished.verdict = Verdict::IncorrectNumerical;
    finished.explanation = "wrong";
    const auto result = run(replay(
        std::string(hello) + running + R"({"t_ms":2,"event":)" + encode(RunnerEvent(finished)) + "}\n"));
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    QVERIFY(result->verdict == Verdict::IncorrectNumerical);
    QCOMPARE(m_seen.events.size(), std::size_t(3));
    QVERIFY(std::holds_alternative<Hello>(m_seen.events[0]));
    QVERIFY(std::get<ProgressEvent>(m_seen.events[1]).candidateRunning);
}

void TestRunnerClient::probeIsAnsweredFromTheLog()
{
    Finished finished;
    finished.device.name = "NVIDIA H200";
    finished.device.target = "sm_90a";
    const auto probe = probeRunner(
        replay(std::string(hello) + R"({"t_ms":2,"event":)" + encode(RunnerEvent(finished)) + "}\n"), 10s);
    QVERIFY2(probe, probe ? "" : probe.error().message.c_str());
    QCOMPARE(probe->devices.size(), std::size_t(1));
    QCOMPARE(probe->devices[0].target, std::string("sm_90a"));
}

void TestRunnerClient::missingProgram()
{
    const auto result = run({.command = {"/nonexistent/ptxwb-runner"}});
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::MissingTool);
    QVERIFY(!run({.command = {}}));
}

void TestRunnerClient::badGreetings_data()
{
    QTest::addColumn<std::string>("script");
    QTest::addColumn<int>("code");
    QTest::addColumn<std::string>("says");
    const auto row = [](const char* name, const char* script, ErrorCode code, const char* says) {
        QTest::newRow(name) << std::string(script) << static_cast<int>(code) << std::string(says);
    };
    row("ends at once", "echo 'no such host' >&2; exit 255", ErrorCode::Protocol, "no such host");
    row("dies", "kill -SEGV $$", ErrorCode::Protocol, "signal 11");
    row("no driver", "echo 'no driver' >&2; exit 3", ErrorCode::Unavailable, "no driver");
    row("garbage", "yes garbage | head -100; sleep 9", ErrorCode::Protocol, "does not speak the protocol");
    row("endless line", "head -c 3000000 /dev/zero | tr '\\0' x; exit 0", ErrorCode::Protocol,
        "before its greeting");
    row("silent", "sleep 30", ErrorCode::TimedOut, "did not greet");
    row("another version",
        R"(echo '{"event":"hello","protocol":"ptxwb-runner","version":7,"build":"9.9","cuda_runtime":""}'; sleep 9)",
        ErrorCode::Protocol, "version 7");
    row("another protocol",
        R"(echo '{"event":"hello","protocol":"lsp","version":1,"build":"","cuda_runtime":""}'; sleep 9)",
        ErrorCode::Protocol, "'lsp'");
    row("another event first", R"(echo '{"event":"cancelled"}'; sleep 9)", ErrorCode::Protocol, "greeting");
}

void TestRunnerClient::badGreetings()
{
    QFETCH(std::string, script);
    QFETCH(int, code);
    QFETCH(std::string, says);
    const auto result = run(shell(script));
    QVERIFY(!result);
    QVERIFY2(result.error().message.find(says) != std::string::npos, result.error().message.c_str());
    QCOMPARE(static_cast<int>(result.error().code), code);
    QVERIFY(result.error().message.size() < 2000);
}

void TestRunnerClient::linesInFrontOfTheGreetingAreSkipped()
{
    auto endpoint = replay(std::string(R"({"t_ms":0,"raw":"srun: job 17 queued"})") + "\n" + hello
        + R"({"t_ms":2,"event":)" + encode(RunnerEvent(Finished{})) + "}\n");
    QVERIFY(run(endpoint));
}

void TestRunnerClient::deathWhileTheCandidateRuns_data()
{
    QTest::addColumn<std::string>("death");
    QTest::addColumn<std::string>("says");
    QTest::newRow("signal") << std::string(R"({"t_ms":2,"signal":11})") << std::string("signal 11");
    QTest::newRow("exit") << std::string(R"({"t_ms":2,"exit":9})") << std::string("status 9");
    QTest::newRow("log") << std::string("{\"t_ms\":2,\"stderr\":\"CUDA said boo\"}\n{\"t_ms\":3,\"exit\":1}")
                         << std::string("CUDA said boo");
}

void TestRunnerClient::deathWhileTheCandidateRuns()
{
    QFETCH(std::string, death);
    QFETCH(std::string, says);
    const auto result = run(replay(std::string(hello) + running + death + "\n"));
    QVERIFY(result);
    QVERIFY(result->verdict == Verdict::RuntimeError);
    QVERIFY2(result->explanation.find(says) != std::string::npos, result->explanation.c_str());
}

void TestRunnerClient::connectionsThatEnd_data()
{
    QTest::addColumn<std::string>("script");
    QTest::addColumn<int>("code");
    QTest::addColumn<std::string>("says");
    const auto unavailable = static_cast<int>(ErrorCode::Unavailable);
    const std::string greeting =
        "echo '{\"event\":\"hello\",\"protocol\":\"ptxwb-runner\",\"version\":1,\"build\":"
        "\"t\",\"cuda_runtime\":\"13.0\"}'; read line; ";
    const std::string atWork = greeting
        + "echo '{\"event\":\"progress\",\"phase\":\"verify\",\"fraction\":0,\"message\":\"trial 1 of 3\","
          "\"candidate_running\":true}'; ";
    QTest::newRow("password") << std::string(
        "echo 'me@host: Permission denied (publickey,password).' >&2; exit 255")
                              << unavailable << std::string("asks for a password");
    QTest::newRow("host key") << std::string("echo 'Host key verification failed.' >&2; exit 255")
                              << unavailable << std::string("host key");
    QTest::newRow("refused") << std::string(
        "echo 'ssh: connect to host x port 22: Connection refused' >&2; exit 255")
                             << unavailable << std::string("refuses the connection");
    QTest::newRow("no runner there") << std::string("echo 'sh: 1: ptxwb-runner: not found' >&2; exit 127")
                                     << static_cast<int>(ErrorCode::MissingTool)
                                     << std::string("not on the path");
    QTest::newRow("lost before work")
        << greeting + "echo 'client_loop: send disconnect: Broken pipe' >&2; exit 255" << unavailable
        << std::string("connection was lost");
    QTest::newRow("lost at work") << atWork + "exit 255" << unavailable << std::string("connection was lost");
    QTest::newRow("preempted") << atWork
            + "echo 'slurmstepd: error: *** STEP 1.0 ON n1 CANCELLED AT 2026-12-02 DUE TO PREEMPTION ***' "
              ">&2; exit 143" << unavailable
                               << std::string("preempted");
}

/// None of these is the candidate's fault, and each says what to do.
void TestRunnerClient::connectionsThatEnd()
{
    QFETCH(std::string, script);
    QFETCH(int, code);
    QFETCH(std::string, says);
    auto endpoint = shell(script);
    endpoint.title = "ssh:host";
    endpoint.host = "host";
    const auto result = run(endpoint);
    QVERIFY(!result);
    QCOMPARE(static_cast<int>(result.error().code), code);
    QVERIFY2(result.error().message.find(says) != std::string::npos, result.error().message.c_str());
    QVERIFY(!result.error().hint.empty());
    // The same end of a local runner is the runner's own.
    endpoint.host.reset();
    const auto local = run(endpoint);
    QVERIFY(local ? local->verdict == Verdict::RuntimeError
                  : local.error().message.find(says) == std::string::npos);
}

void TestRunnerClient::deathOfTheRunnerItself()
{
    const auto result = run(replay(std::string(hello) + running + resting + R"({"t_ms":2,"signal":6})"));
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::ToolCrashed);
    QVERIFY(result.error().message.find("oracle") != std::string::npos);
}

void TestRunnerClient::noDeviceExitStatus()
{
    const auto result = run(replay(std::string(hello) + R"({"t_ms":2,"exit":3})"));
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::Unavailable);
}

void TestRunnerClient::silenceWhileTheCandidateRuns()
{
    const auto result = run(replay(std::string(hello) + running + R"({"t_ms":2,"hang":true})"));
    QVERIFY(result);
    QVERIFY(result->verdict == Verdict::Timeout);
    QVERIFY(result->explanation.find("trial 1 of 3") != std::string::npos);
}

void TestRunnerClient::silenceOfTheRunnerItself()
{
    const auto result = run(replay(std::string(hello) + R"({"t_ms":2,"hang":true})"));
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::TimedOut);
}

void TestRunnerClient::garbageInTheMiddle()
{
    const auto result = run(replay(
        std::string(hello) + running + "{\"t_ms\":2,\"raw\":\"Segfault\"}\n{\"t_ms\":2,\"hang\":true}"));
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::Protocol);
    QVERIFY(result.error().message.find("Segfault") != std::string::npos);
}

void TestRunnerClient::failedEventIsAnError()
{
    const Failed failed{{.code = ErrorCode::Unavailable, .message = "no GPU", .hint = "get one"}};
    const auto result =
        run(replay(std::string(hello) + R"({"t_ms":2,"event":)" + encode(RunnerEvent(failed)) + "}\n"));
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::Unavailable);
    QCOMPARE(result.error().hint, std::string("get one"));
}

void TestRunnerClient::cancelledByTheUser()
{
    m_request.phaseTimeoutMs = 20'000;
    std::stop_source source;
    pid_t child = 0;
    const auto pidFile = (m_directory->path() / "pid").string();
    const auto endpoint = shell("echo $$ >" + pidFile
        + R"(; echo '{"event":"hello","protocol":"ptxwb-runner","version":1,"build":"","cuda_runtime":""}'; read x;)"
          R"( echo '{"event":"progress","phase":"verify","fraction":0,"message":"m","candidate_running":true}'; sleep 60)");
    const auto begin = std::chrono::steady_clock::now();
    const auto result = runOnRunner(
        endpoint, m_request,
        [&](const RunnerEvent& event) {
            m_seen.events.push_back(event);
            if (std::holds_alternative<ProgressEvent>(event)) {
                child = std::stoi(readFile(pidFile).value());
                source.request_stop();
            }
        },
        source.get_token());
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::Cancelled);
    QVERIFY(std::holds_alternative<Cancelled>(m_seen.events.back()));
    QVERIFY(std::chrono::steady_clock::now() - begin < 5s);
    QVERIFY(child > 0 && isGone(child));
}

void TestRunnerClient::cancelledBeforeTheGreeting()
{
    std::stop_source source;
    source.request_stop();
    const auto result = run(shell("sleep 30"), source.get_token());
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::Cancelled);
}

void TestRunnerClient::childThatNeverReads()
{
    m_request.cubin.assign(4U << 20, 'x'); // more than a pipe holds
    const auto result = run(shell(
        R"(echo '{"event":"hello","protocol":"ptxwb-runner","version":1,"build":"","cuda_runtime":""}'; sleep 60)"));
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::TimedOut);
}

void TestRunnerClient::grandchildrenDieToo()
{
    const auto pidFile = (m_directory->path() / "pid").string();
    const auto result = run(shell("sleep 60 & echo $! >" + pidFile
        + R"(; echo '{"event":"hello","protocol":"ptxwb-runner","version":1,"build":"","cuda_runtime":""}'; wait)"));
    QVERIFY(!result);
    QVERIFY(isGone(std::stoi(readFile(pidFile).value())));
}

void TestRunnerClient::deviceIsAskedAfterAFault()
{
    Finished finished;
    finished.verdict = Verdict::RuntimeError;
    finished.explanation = "It trapped.";
    const std::string log = std::string(hello) + running + R"({"t_ms":2,"event":)"
        + encode(RunnerEvent(finished)) + "}\n{\"t_ms\":3,\"exit\":7}\n";
    auto endpoint = replay(log);
    endpoint.probeAfterFault = true;
    auto result = run(endpoint);
    QVERIFY(result);
    QVERIFY2(
        result->explanation.find("the device answers") != std::string::npos, result->explanation.c_str());

    finished.device.problem = "it is off the bus";
    endpoint = replay(std::string(hello) + running + R"({"t_ms":2,"event":)" + encode(RunnerEvent(finished))
        + "}\n{\"t_ms\":3,\"exit\":7}\n");
    endpoint.probeAfterFault = true;
    result = run(endpoint);
    QVERIFY(result);
    QVERIFY2(result->explanation.find("lost: it is off the bus") != std::string::npos,
        result->explanation.c_str());
}

void TestRunnerClient::aSlowCopyTakesNoTimeFromTheRunner()
{
    Finished finished;
    finished.device.target = "sm_90a";
    const auto log = std::string(hello) + R"({"t_ms":2,"event":)" + encode(RunnerEvent(finished)) + "}\n";
    const auto there = (m_directory->path() / "there").string();
    auto endpoint = replay(log);
    std::string start = "[ -e \"$0\" ] || exit 127; exec \"$@\"";
    endpoint.command.insert(endpoint.command.begin(), {"/bin/sh", "-c", start, there});
    endpoint.host = "there";
    endpoint.copy = RunnerCopy{.program = PTXWB_BIN_DIR "/ptxwb-replay",
        .command = {"/bin/sh", "-c", "cat > /dev/null; sleep 1.2; : > \"$0\"", there}};
    const auto probe = probeRunner(endpoint, 1s);
    QVERIFY2(probe, probe ? "" : probe.error().message.c_str());
    QCOMPARE(probe->devices.size(), std::size_t(1));
}

void TestRunnerClient::librariesThatTravel()
{
    const auto paths =
        detail::librariesToSend("\tlinux-vdso.so.1 (0x00007fa57b3fd000)\n"
                                "\tlibfmt.so.9 => /lib/x86 64/libfmt.so.9 (0x00007fa57b3c9000)\n"
                                "\tlibstdc++.so.6 => /lib/libstdc++.so.6 (0x00007fa57aa00000)\n"
                                "\tlibgone.so => not found\n"
                                "\tlibm.so.6 => /lib/libm.so.6 (0x00007fa57b2e9000)\n"
                                "\t/lib64/ld-linux-x86-64.so.2 (0x00007fa57b3ff000)");
    QCOMPARE(paths, std::vector<std::filesystem::path>{"/lib/x86 64/libfmt.so.9"});
    QVERIFY(detail::librariesToSend("\tnot a dynamic executable\n").empty());
}

void TestRunnerClient::localRunnerIsNamedOrExplained()
{
    qputenv("PTXWB_RUNNER", "/bin/true");
    auto runner = localRunner();
    QVERIFY(runner);
    QCOMPARE(runner->command, std::vector<std::string>{"/bin/true"});
    QVERIFY(!runner->host);

    for (const char* bad : {"/nonexistent/ptxwb-runner", "/tmp", "/etc/passwd"}) {
        qputenv("PTXWB_RUNNER", bad);
        runner = localRunner();
        QVERIFY2(!runner, bad);
        QVERIFY(runner.error().code == ErrorCode::MissingTool);
        QCOMPARE(runner.error().path, std::string(bad));
    }
    qunsetenv("PTXWB_RUNNER");
    runner = localRunner();
    QVERIFY(runner || (runner.error().code == ErrorCode::MissingTool && !runner.error().hint.empty()));
}

QTEST_APPLESS_MAIN(TestRunnerClient)
#include "tst_runner_client.moc"
