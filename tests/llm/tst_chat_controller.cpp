// SPDX-License-Identifier: Apache-2.0
#include "app/chat_controller.h"

#include "app/provider_store.h"
#include "tests/llm/scripted_server.h"

#include <QElapsedTimer>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::llm;
using End = ScriptedServer::End;

namespace {

const QByteArray key = "sk-test-0123456789abcdef";

std::string say(const std::string& text)
{
    return "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
}
const std::string done = "data: [DONE]\n\n";

// Counts the terminal signals, which must be one per question.
struct Spies {
    explicit Spies(ChatController& controller)
        : deltas(&controller, &ChatController::deltaReceived)
        , finished(&controller, &ChatController::finished)
        , failed(&controller, &ChatController::failed)
    {
    }
    int ends() const { return static_cast<int>(finished.size() + failed.size()); }
    QSignalSpy deltas;
    QSignalSpy finished;
    QSignalSpy failed;
};

ProviderSettings settingsFor(const ScriptedServer& server)
{
    return {.name = "test",
        .baseUrl = server.baseUrl(),
        .model = "tiny",
        .keyEnvironmentVariable = "PTXWB_TEST_KEY"};
}

std::string lastText(const ChatController& controller)
{
    return messageText(controller.conversation().messages.back());
}

FinishState lastState(const ChatController& controller)
{
    return controller.conversation().messages.back().state;
}

} // namespace

class TestChatController : public QObject {
    Q_OBJECT
private slots:
    void init() { qputenv("PTXWB_TEST_KEY", key); }

    void answersAQuestionSplitEverywhere()
    {
        const ScriptedServer server(
            {{.bytes = eventStream(say("caf\xC3\xA9 ") + say("ok") + done), .pieceBytes = 1}});
        ChatController controller;
        controller.setProvider(settingsFor(server));
        Spies spies(controller);
        controller.ask(QStringLiteral("why?"),
            {{ContextKind::Buffer, {.id = "buffer", .title = "a.ptx", .text = "mov;\n"}}});
        QVERIFY(controller.isBusy());
        QCOMPARE(lastState(controller), FinishState::Streaming);
        QTRY_COMPARE(spies.ends(), 1);
        QCOMPARE(spies.finished.size(), 1);
        QCOMPARE(lastText(controller), std::string("caf\xC3\xA9 ok"));
        QCOMPARE(lastState(controller), FinishState::Complete);
        QCOMPARE(controller.conversation().messages.size(), std::size_t{3});
        QVERIFY(server.requests().front().find("mov;") != std::string::npos);
        QVERIFY(server.requests().front().find("Bearer " + key.toStdString()) != std::string::npos);
    }
    void opensNoConnectionWithoutAProvider()
    {
        ChatController controller;
        Spies spies(controller);
        controller.ask(QStringLiteral("why?"), {});
        QTRY_COMPARE(spies.ends(), 1);
        QCOMPARE(spies.failed.size(), 1);
        QVERIFY(spies.failed.front().front().toString().contains(QLatin1String("No provider")));
    }
    void saysThatTheKeyIsMissingAndSendsNothing()
    {
        qunsetenv("PTXWB_TEST_KEY");
        const ScriptedServer server({{.bytes = eventStream(say("a") + done)}});
        ChatController controller;
        controller.setProvider(settingsFor(server));
        Spies spies(controller);
        controller.ask(QStringLiteral("why?"), {});
        QTRY_COMPARE(spies.failed.size(), 1);
        QVERIFY(spies.failed.front().front().toString().contains(QLatin1String("PTXWB_TEST_KEY")));
        QVERIFY(server.requests().empty());
    }
    void aBrokenStreamIsNotComplete()
    {
        const ScriptedServer server({{.bytes = eventStream(say("half"))}});
        ChatController controller;
        controller.setProvider(settingsFor(server));
        Spies spies(controller);
        controller.ask(QStringLiteral("why?"), {});
        QTRY_COMPARE(spies.ends(), 1);
        QCOMPARE(lastState(controller), FinishState::EndedEarly);
        QCOMPARE(lastText(controller), std::string("half"));
    }
    void stopEndsOnce()
    {
        const ScriptedServer server({{.bytes = eventStream(say("a")), .end = End::HoldOpen}});
        ChatController controller;
        controller.setProvider(settingsFor(server));
        Spies spies(controller);
        controller.ask(QStringLiteral("why?"), {});
        QTRY_COMPARE(lastText(controller), std::string("a"));
        controller.stop();
        QTRY_COMPARE(spies.ends(), 1);
        QCOMPARE(lastState(controller), FinishState::Stopped);
        controller.stop();
        QTest::qWait(50);
        QCOMPARE(spies.ends(), 1);
        QCOMPARE(lastText(controller), std::string("a"));
    }
    void aNewQuestionEndsTheOldOneFirst()
    {
        const ScriptedServer server({{.bytes = eventStream(say("old")), .end = End::HoldOpen},
            {.bytes = eventStream(say("new") + done)}});
        ChatController controller;
        controller.setProvider(settingsFor(server));
        Spies spies(controller);
        controller.ask(QStringLiteral("one"), {});
        QTRY_COMPARE(lastText(controller), std::string("old"));
        controller.ask(QStringLiteral("two"), {});
        QTRY_COMPARE(spies.ends(), 2);
        QCOMPARE(spies.finished[0][0].value<FinishState>(), FinishState::Stopped);
        QCOMPARE(spies.finished[1][0].value<FinishState>(), FinishState::Complete);
        QCOMPARE(lastText(controller), std::string("new"));
    }
    void retryAsksTheSameQuestionAgain()
    {
        const ScriptedServer server({{.bytes = httpAnswer("503 Busy", "text/plain", "loading")},
            {.bytes = eventStream(say("now") + done)}});
        ChatController controller;
        controller.setProvider(settingsFor(server));
        Spies spies(controller);
        controller.ask(QStringLiteral("why?"), {});
        QTRY_COMPARE(spies.failed.size(), 1);
        QVERIFY(spies.failed.front().front().toString().contains(QLatin1String("503")));
        controller.retry();
        QTRY_COMPARE(spies.finished.size(), 1);
        QCOMPARE(controller.conversation().messages.size(), std::size_t{3});
        QCOMPARE(lastText(controller), std::string("now"));
    }
    void askInsteadDropsWhatFollows()
    {
        const ScriptedServer server({{.bytes = eventStream(say("1") + done)},
            {.bytes = eventStream(say("2") + done)}, {.bytes = eventStream(say("3") + done)}});
        ChatController controller;
        controller.setProvider(settingsFor(server));
        Spies spies(controller);
        controller.ask(QStringLiteral("first"), {});
        QTRY_COMPARE(spies.ends(), 1);
        controller.ask(QStringLiteral("second"), {});
        QTRY_COMPARE(spies.ends(), 2);
        controller.askInstead(1, QStringLiteral("changed"), {});
        QTRY_COMPARE(spies.ends(), 3);
        QCOMPARE(controller.conversation().messages.size(), std::size_t{3});
        QCOMPARE(messageText(controller.conversation().messages[1]), std::string("changed"));
        QVERIFY(server.requests().back().find("second") == std::string::npos);
    }
    void closingWhileItStreamsTakesUnderTwoSeconds()
    {
        const ScriptedServer server({{.bytes = eventStream(say("a")), .end = End::HoldOpen}});
        QElapsedTimer timer;
        {
            ChatController controller;
            controller.setProvider(settingsFor(server));
            controller.ask(QStringLiteral("why?"), {});
            QTRY_COMPARE(lastText(controller), std::string("a"));
            timer.start();
        }
        QVERIFY(timer.elapsed() < 2000);
        QTRY_VERIFY(server.clientWentAway());
        QTest::qWait(20);
    }
    void closingWhileAConnectionIsTestedTakesUnderTwoSeconds()
    {
        const ScriptedServer server({{.bytes = "", .end = End::HoldOpen}});
        QElapsedTimer timer;
        {
            ChatController controller;
            controller.testConnection(settingsFor(server), {});
            QTRY_VERIFY(!server.requests().empty());
            timer.start();
        }
        QVERIFY(timer.elapsed() < 2000);
    }
    void aConnectionTestEndsInASentence()
    {
        const ScriptedServer server(
            {{.bytes = httpAnswer("200 OK", "application/json", R"({"data":[{"id":"tiny"}]})")}});
        ChatController controller;
        QSignalSpy tested(&controller, &ChatController::connectionTested);
        controller.testConnection(settingsFor(server), QStringLiteral("typed-key"));
        QTRY_COMPARE(tested.size(), 1);
        const auto report = tested.front().front().value<ConnectionReport>();
        QVERIFY(report.reachable);
        QVERIFY(!report.sentence.empty());
        QVERIFY(server.requests().front().find("Bearer typed-key") != std::string::npos);
    }
    void aFastStreamDoesNotFloodTheEventLoop()
    {
        std::string events;
        for (int i = 0; i < 5000; ++i) {
            events += say("x");
        }
        const ScriptedServer server({{.bytes = eventStream(events + done)}});
        ChatController controller;
        controller.setProvider(settingsFor(server));
        Spies spies(controller);
        controller.ask(QStringLiteral("why?"), {});
        QTRY_COMPARE(spies.ends(), 1);
        QCOMPARE(lastText(controller).size(), std::size_t{5000});
        QVERIFY(spies.deltas.size() < 5000);
    }
    void theKeyIsInNothingThatIsKeptOrShown()
    {
        const auto echo =
            "{\"error\":{\"message\":\"Incorrect API key provided: " + key.toStdString() + "\"}}";
        const ScriptedServer server({{.bytes = httpAnswer("401 Unauthorized", "application/json", echo)}});
        ChatController controller;
        controller.setProvider(settingsFor(server));
        Spies spies(controller);
        controller.ask(QStringLiteral("why?"), {});
        QTRY_COMPARE(spies.failed.size(), 1);
        QVERIFY(!spies.failed.front().front().toString().contains(QString::fromLatin1(key)));
        for (const auto& message : controller.conversation().messages) {
            QVERIFY(message.failure.find(key.toStdString()) == std::string::npos);
            QVERIFY(messageText(message).find(key.toStdString()) == std::string::npos);
        }
        const QTemporaryDir directory;
        const auto path = directory.filePath(QStringLiteral("settings.ini"));
        {
            QSettings store(path, QSettings::IniFormat);
            saveProvider(store, settingsFor(server));
            QVERIFY(loadProvider(store) == settingsFor(server));
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains(key));
    }
};

QTEST_GUILESS_MAIN(TestChatController)
#include "tst_chat_controller.moc"
