// SPDX-License-Identifier: Apache-2.0
#include "core/llm/chat_client.h"

#include "tests/llm/scripted_server.h"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QTest>

#include <atomic>

using namespace ptxwb::llm;
using namespace std::chrono_literals;

namespace {

const std::string key = "sk-test-0123456789abcdef";

std::string say(const std::string& text)
{
    return "data: {\"model\":\"tiny\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text
        + "\"}}]}\n\n";
}
const std::string finishStop =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const std::string finishLength =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\n";
const std::string done = "data: [DONE]\n\n";

ChatRequest requestFor(const std::string& baseUrl)
{
    ChatRequest request{.provider = {.baseUrl = baseUrl, .model = "tiny"}, .key = Secret(key)};
    request.conversation.messages.push_back({.role = Role::User, .content = {TextBlock{"hello"}}});
    request.limits = {.connect = 2s, .idle = 5s};
    return request;
}

struct Outcome {
    TurnEnd end;
    Message message;
    std::string everything; ///< every text that came out, to be searched for the key
};

Outcome runAgainst(const ScriptedServer& server, HttpLimits limits = {.connect = 2s, .idle = 5s})
{
    auto request = requestFor(server.baseUrl());
    request.limits = limits;
    Outcome outcome;
    outcome.message.role = Role::Assistant;
    outcome.end = runTurn(request,
        [&](const Delta& delta) {
            applyDelta(outcome.message, delta);
            if (const auto* error = std::get_if<ErrorDelta>(&delta)) {
                outcome.everything += error->message;
            }
        },
        {});
    outcome.everything += outcome.end.sentence;
    return outcome;
}

Outcome answer(const std::string& bytes, ScriptedServer::End end = ScriptedServer::End::Close)
{
    const ScriptedServer server({{.bytes = bytes, .end = end}});
    return runAgainst(server);
}

bool contains(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestChatClient : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        qunsetenv("http_proxy");
        qunsetenv("all_proxy");
    }

    void streamsAnAnswerInPiecesOfAnySize_data()
    {
        QTest::addColumn<int>("pieceBytes");
        for (const int size : {1, 2, 3, 7, 64, 100000}) {
            QTest::addRow("%d bytes", size) << size;
        }
    }
    void streamsAnAnswerInPiecesOfAnySize()
    {
        QFETCH(int, pieceBytes);
        const ScriptedServer server(
            {{.bytes = eventStream(say("caf\xC3\xA9 ") + say("\xE2\x82\xAC") + finishStop + done),
                .pieceBytes = static_cast<std::size_t>(pieceBytes)}});
        const auto outcome = runAgainst(server);
        QCOMPARE(outcome.end.state, FinishState::Complete);
        QVERIFY(outcome.end.sentence.empty());
        QCOMPARE(messageText(outcome.message), std::string("caf\xC3\xA9 \xE2\x82\xAC"));
        QCOMPARE(outcome.message.model, std::string("tiny"));
    }
    void sendsOneRequestWithTheKeyInItsHeaderAlone()
    {
        const ScriptedServer server({{.bytes = eventStream(say("a") + done)}});
        QCOMPARE(runAgainst(server).end.state, FinishState::Complete);
        const auto requests = server.requests();
        QCOMPARE(requests.size(), std::size_t{1});
        const auto& request = requests.front();
        QVERIFY(request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"));
        QVERIFY(contains(request, "\r\nAuthorization: Bearer " + key + "\r\n"));
        QCOMPARE(request.find(key), request.rfind(key));
        const auto body = nlohmann::json::parse(request.substr(request.find("\r\n\r\n") + 4));
        QVERIFY(body["stream"] == true);
        QVERIFY(body["model"] == "tiny");
    }
    void sendsNoAuthorizationWithoutAKey()
    {
        const ScriptedServer server({{.bytes = eventStream(say("a") + done)}});
        auto request = requestFor(server.baseUrl());
        request.key = Secret();
        QCOMPARE(runTurn(request, [](const Delta&) {}, {}).state, FinishState::Complete);
        QVERIFY(!contains(server.requests().front(), "Authorization"));
    }
    void aFinishReasonAloneIsComplete()
    {
        QCOMPARE(answer(eventStream(say("a") + finishStop)).end.state, FinishState::Complete);
    }
    void doneAloneIsComplete()
    {
        QCOMPARE(answer(eventStream(say("a") + done)).end.state, FinishState::Complete);
    }
    void doneEndsTheTurnOnALineThatStaysOpen()
    {
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(answer(eventStream(say("a") + done), ScriptedServer::End::HoldOpen).end.state,
            FinishState::Complete);
        QVERIFY(timer.elapsed() < 2500);
    }
    void aFinishReasonEndsTheTurnOnALineThatStaysOpen()
    {
        const auto outcome = answer(eventStream(say("a") + finishStop), ScriptedServer::End::HoldOpen);
        QCOMPARE(outcome.end.state, FinishState::Complete);
    }
    void neitherIsEndedEarly()
    {
        const auto outcome = answer(eventStream(say("half a ker")));
        QCOMPARE(outcome.end.state, FinishState::EndedEarly);
        QVERIFY(contains(outcome.end.sentence, "connection ended early"));
        QCOMPARE(messageText(outcome.message), std::string("half a ker"));
    }
    void aResetIsEndedEarly()
    {
        const auto outcome = answer(eventStream(say("half")), ScriptedServer::End::Reset);
        QCOMPARE(outcome.end.state, FinishState::EndedEarly);
        QCOMPARE(messageText(outcome.message), std::string("half"));
    }
    void aCutChunkedStreamIsEndedEarly()
    {
        const std::string event = say("half");
        const auto outcome = answer(httpAnswer("200 OK", "text/event-stream",
            QByteArray::number(static_cast<int>(event.size()), 16).toStdString() + "\r\n" + event + "\r\n",
            "Transfer-Encoding: chunked\r\n"));
        QCOMPARE(outcome.end.state, FinishState::EndedEarly);
        QCOMPARE(messageText(outcome.message), std::string("half"));
    }
    void everyPrefixOfAStreamEndsInExactlyOneHonestState()
    {
        const std::string stream = say("ab") + finishStop;
        for (std::size_t length = 0; length <= stream.size(); length += 3) {
            const auto outcome = answer(eventStream(stream.substr(0, length)));
            const bool whole = length == stream.size();
            QCOMPARE(outcome.end.state, whole ? FinishState::Complete : FinishState::EndedEarly);
        }
    }
    void aLengthReasonIsCutByLimit()
    {
        QCOMPARE(answer(eventStream(say("a") + finishLength)).end.state, FinishState::CutByLimit);
    }
    void onlyReasoningIsAnError()
    {
        const auto outcome = answer(
            eventStream("data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n" + finishStop));
        QCOMPARE(outcome.end.state, FinishState::Failed);
        QVERIFY(contains(outcome.end.sentence, "only reasoning"));
        QCOMPARE(outcome.message.reasoning, std::string("hm"));
    }
    void anEmptyAnswerIsAnError()
    {
        QCOMPARE(answer(eventStream(finishStop + done)).end.state, FinishState::Failed);
    }
    void anErrorInsideAGoodStreamFails()
    {
        const auto outcome =
            answer(eventStream(say("a") + "data: {\"error\":{\"message\":\"lost " + key + "\"}}\n\n"));
        QCOMPARE(outcome.end.state, FinishState::Failed);
        QVERIFY(contains(outcome.end.sentence, "lost [key]"));
        QVERIFY(!contains(outcome.everything, key));
    }
    void anEventThatIsNotJsonFails()
    {
        const auto outcome = answer(eventStream(say("a") + "data: {oops " + key + "\n\n"));
        QCOMPARE(outcome.end.state, FinishState::Failed);
        QVERIFY(contains(outcome.end.sentence, "not JSON"));
        QVERIFY(!contains(outcome.everything, key));
    }
    void anHttpErrorShowsStatusAndBody()
    {
        const auto outcome = answer(httpAnswer(
            "401 Unauthorized", "application/json", "{\"error\":{\"message\":\"bad " + key + "\"}}"));
        QCOMPARE(outcome.end.state, FinishState::Failed);
        QCOMPARE(outcome.end.httpStatus.value_or(0), 401);
        QVERIFY(contains(outcome.end.sentence, "HTTP 401"));
        QVERIFY(contains(outcome.end.sentence, "bad [key]"));
        QVERIFY(!contains(outcome.everything, key));
    }
    void aLongErrorBodyIsCut()
    {
        const auto outcome = answer(httpAnswer("500 Oops", "text/plain", std::string(20000, 'x')));
        QVERIFY(outcome.end.sentence.size() < 700);
        QVERIFY(contains(outcome.end.sentence, std::string(500, 'x')));
    }
    void tooManyRequestsSaysWhenToComeBack()
    {
        const auto outcome = answer(httpAnswer(
            "429 Too Many Requests", "application/json", R"({"error":"slow down"})", "Retry-After: 30\r\n"));
        QCOMPARE(outcome.end.retryAfter.value_or(0s), 30s);
        QVERIFY(contains(outcome.end.sentence, "30 s"));
        QVERIFY(contains(outcome.end.sentence, "slow down"));
    }
    void aWebPageIsNamedAsOne()
    {
        const auto outcome =
            answer(httpAnswer("200 OK", "text/html", "<!DOCTYPE html><html><body>Welcome</body></html>"));
        QCOMPARE(outcome.end.state, FinishState::Failed);
        QVERIFY(contains(outcome.end.sentence, "web page"));
    }
    void aRedirectIsNotFollowed()
    {
        const ScriptedServer other({{.bytes = eventStream(say("stolen") + done)}});
        const ScriptedServer server(
            {{.bytes = httpAnswer("307 Temporary Redirect", "text/plain", "",
                  "Location: " + other.baseUrl() + "/chat/completions?token=1\r\n")}});
        const auto outcome = runAgainst(server);
        QCOMPARE(outcome.end.state, FinishState::Failed);
        QVERIFY(other.requests().empty());
        QVERIFY(contains(outcome.end.sentence, other.baseUrl()));
        QVERIFY(!contains(outcome.end.sentence, "token=1"));
    }
    void aWholeJsonAnswerIsTaken()
    {
        const auto outcome = answer(httpAnswer("200 OK", "application/json",
            R"({"choices":[{"index":0,"message":{"role":"assistant","content":"whole"},"finish_reason":"stop"}]})"));
        QCOMPARE(outcome.end.state, FinishState::Complete);
        QCOMPARE(messageText(outcome.message), std::string("whole"));
    }
    void aServerThatIsNotThereIsNamed()
    {
        std::string address;
        {
            const ScriptedServer gone({});
            address = gone.baseUrl();
        }
        const auto end = runTurn(requestFor(address), [](const Delta&) {}, {});
        QCOMPARE(end.state, FinishState::Failed);
        QVERIFY(contains(end.sentence, "is the server running"));
    }
    void silenceEndsTheTurn()
    {
        const ScriptedServer server({{.bytes = eventStream(say("a")), .end = ScriptedServer::End::HoldOpen}});
        const auto outcome = runAgainst(server, {.connect = 1s, .idle = 300ms});
        QCOMPARE(outcome.end.state, FinishState::EndedEarly);
        QVERIFY(contains(outcome.end.sentence, "silent"));
    }
    void aBadAddressOpensNoConnection()
    {
        auto request = requestFor("localhost:8080");
        const auto end = runTurn(request, [](const Delta&) {}, {});
        QCOMPARE(end.state, FinishState::Failed);
        QVERIFY(contains(end.sentence, "http://"));
    }

    void stopEndsAStreamAtOnceAndOnce()
    {
        const ScriptedServer server({{.bytes = eventStream(say("a")), .end = ScriptedServer::End::HoldOpen}});
        ChatClient client;
        std::atomic<int> deltas = 0;
        std::atomic<int> ends = 0;
        std::atomic<FinishState> state = FinishState::Streaming;
        client.start(
            requestFor(server.baseUrl()), [&](const Delta&) { ++deltas; },
            [&](const TurnEnd& end) {
                state = end.state;
                ++ends;
            });
        QTRY_VERIFY(deltas > 0);
        QElapsedTimer timer;
        timer.start();
        client.stop();
        QTRY_COMPARE(ends.load(), 1);
        QVERIFY(timer.elapsed() < 1000);
        QCOMPARE(state.load(), FinishState::Stopped);
        QTRY_VERIFY(server.clientWentAway());
        client.stop();
        QTest::qWait(50);
        QCOMPARE(ends.load(), 1);
    }
    void destroyingTheClientWhileItStreamsTakesUnderTwoSeconds()
    {
        const ScriptedServer server({{.bytes = eventStream(say("a")), .end = ScriptedServer::End::HoldOpen}});
        std::atomic<int> deltas = 0;
        std::atomic<int> ends = 0;
        QElapsedTimer timer;
        {
            ChatClient client;
            client.start(
                requestFor(server.baseUrl()), [&](const Delta&) { ++deltas; },
                [&](const TurnEnd&) { ++ends; });
            QTRY_VERIFY(deltas > 0);
            timer.start();
        }
        QVERIFY(timer.elapsed() < 2000);
        QCOMPARE(ends.load(), 1);
    }
    void destroyingTheClientWhileTheServerThinksTakesUnderTwoSeconds()
    {
        const ScriptedServer server({{.bytes = "", .end = ScriptedServer::End::HoldOpen}});
        QElapsedTimer timer;
        {
            ChatClient client;
            client.start(
                requestFor(server.baseUrl()), [](const Delta&) {}, [](const TurnEnd&) {});
            QTRY_VERIFY(!server.requests().empty());
            timer.start();
        }
        QVERIFY(timer.elapsed() < 2000);
    }
    void aNewTurnReplacesTheOldOneAndEachEndsOnce()
    {
        const ScriptedServer server({{.bytes = eventStream(say("old")), .end = ScriptedServer::End::HoldOpen},
            {.bytes = eventStream(say("new") + done)}});
        ChatClient client;
        std::atomic<int> deltas = 0;
        std::atomic<int> stopped = 0;
        std::atomic<int> complete = 0;
        const auto onEnd = [&](const TurnEnd& end) {
            stopped += end.state == FinishState::Stopped ? 1 : 0;
            complete += end.state == FinishState::Complete ? 1 : 0;
        };
        client.start(
            requestFor(server.baseUrl()), [&](const Delta&) { ++deltas; }, onEnd);
        QTRY_VERIFY(deltas > 0);
        client.start(
            requestFor(server.baseUrl()), [](const Delta&) {}, onEnd);
        QTRY_COMPARE(complete.load(), 1);
        QCOMPARE(stopped.load(), 1);
    }
};

QTEST_GUILESS_MAIN(TestChatClient)
#include "tst_chat_client.moc"
