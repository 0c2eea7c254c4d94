// SPDX-License-Identifier: Apache-2.0
// Against llama.cpp's own server, where there is one: PTXWB_LLAMA_SERVER names the program (llama-server) and
// PTXWB_LLAMA_MODEL a .gguf file, for which make_tiny_model.py will do.
#include "core/llm/chat_client.h"
#include "core/llm/connection_test.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QTcpServer>
#include <QTest>

#include <atomic>

using namespace ptxwb::llm;

namespace {

const std::string key = "sk-local-0123456789abcdef";

ChatRequest requestFor(const std::string& baseUrl, const std::string& text, int maxTokens)
{
    ChatRequest request{.provider = {.baseUrl = baseUrl}, .key = Secret(key)};
    request.conversation.messages.push_back({.role = Role::User, .content = {TextBlock{text}}});
    request.options.maxTokens = maxTokens;
    return request;
}

} // namespace

class TestRealServer : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        const auto program = qEnvironmentVariable("PTXWB_LLAMA_SERVER");
        const auto model = qEnvironmentVariable("PTXWB_LLAMA_MODEL");
        if (!QFileInfo(program).isExecutable() || !QFileInfo::exists(model)) {
            QSKIP("PTXWB_LLAMA_SERVER and PTXWB_LLAMA_MODEL name no llama.cpp server and model");
        }
        QTcpServer probe;
        QVERIFY(probe.listen(QHostAddress::LocalHost));
        const auto port = probe.serverPort();
        probe.close();
        m_baseUrl = "http://127.0.0.1:" + std::to_string(port);
        m_server.setProcessChannelMode(QProcess::MergedChannels);
        m_server.start(program,
            {QStringLiteral("-m"), model, QStringLiteral("--host"), QStringLiteral("127.0.0.1"),
                QStringLiteral("--port"), QString::number(port), QStringLiteral("-c"), QStringLiteral("2048"),
                QStringLiteral("-t"), QStringLiteral("1"), QStringLiteral("--api-key"),
                QString::fromStdString(key)});
        QVERIFY(m_server.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(testConnection({.baseUrl = m_baseUrl}, Secret(key), {}).reachable, 30000);
    }
    void cleanupTestCase()
    {
        m_server.kill();
        m_server.waitForFinished();
    }
    void testsTheConnection()
    {
        const auto report = testConnection({.baseUrl = m_baseUrl}, Secret(key), {});
        QVERIFY2(report.reachable, report.sentence.c_str());
        QCOMPARE(report.models.size(), std::size_t{1});
    }
    void refusesAWrongKeyInWords()
    {
        auto request = requestFor(m_baseUrl, "hello", 4);
        request.key = Secret("sk-wrong");
        const auto end = runTurn(request, [](const Delta&) {}, {});
        QCOMPARE(end.state, FinishState::Failed);
        QCOMPARE(end.httpStatus.value_or(0), 401);
        QVERIFY(end.sentence.find("sk-wrong") == std::string::npos);
    }
    void streamsAnAnswerWithUsage()
    {
        Message answer{.role = Role::Assistant};
        int contentDeltas = 0;
        const auto end = runTurn(requestFor(m_baseUrl, "hello", 24),
            [&](const Delta& delta) {
                applyDelta(answer, delta);
                contentDeltas += std::holds_alternative<ContentDelta>(delta) ? 1 : 0;
            },
            {});
        // A model with random weights never stops by itself.
        QVERIFY2(
            end.state == FinishState::CutByLimit || end.state == FinishState::Complete, end.sentence.c_str());
        QVERIFY(!messageText(answer).empty());
        QVERIFY(contentDeltas > 1);
        QVERIFY(!answer.model.empty());
        QVERIFY(answer.usage && answer.usage->completionTokens.value_or(0) > 0);
    }
    void keepsAConversationOfSeveralTurns()
    {
        auto request = requestFor(m_baseUrl, "one", 4);
        request.conversation.messages.push_back({.role = Role::Assistant, .content = {TextBlock{"two"}}});
        request.conversation.messages.push_back({.role = Role::User, .content = {TextBlock{"three"}}});
        const auto end = runTurn(request, [](const Delta&) {}, {});
        QCOMPARE(end.httpStatus.value_or(0), 200);
        QVERIFY(end.state != FinishState::Failed);
    }
    void stopsALongAnswer()
    {
        std::stop_source stop;
        std::atomic<int> deltas = 0;
        QElapsedTimer timer;
        const auto end = runTurn(
            requestFor(m_baseUrl, "hello", 1500),
            [&](const Delta&) {
                if (++deltas == 5) {
                    timer.start();
                    stop.request_stop();
                }
            },
            stop.get_token());
        QCOMPARE(end.state, FinishState::Stopped);
        QVERIFY(timer.elapsed() < 2000);
    }
    void saysWhatIsWrongWhenThePromptIsTooLong()
    {
        const auto end = runTurn(requestFor(m_baseUrl, std::string(20000, 'x'), 4), [](const Delta&) {}, {});
        QCOMPARE(end.state, FinishState::Failed);
        QCOMPARE(end.httpStatus.value_or(0), 400);
        QVERIFY2(end.sentence.find("context") != std::string::npos, end.sentence.c_str());
    }

private:
    QProcess m_server;
    std::string m_baseUrl;
};

QTEST_GUILESS_MAIN(TestRealServer)
#include "tst_real_server.moc"
