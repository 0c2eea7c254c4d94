// SPDX-License-Identifier: Apache-2.0
#include "core/llm/openai_codec.h"

#include "core/llm/sse_parser.h"
#include "core/support/files.h"

#include <nlohmann/json.hpp>

#include <QTest>

using namespace ptxwb::llm;
using nlohmann::json;

namespace {

std::string contentEvent(const std::string& text)
{
    return json{{"choices", {{{"index", 0}, {"delta", {{"content", text}}}}}}}.dump();
}

// The message and the finish reason that a list of event data builds.
struct Built {
    Message message;
    std::string finish{};
    std::string error{};
    bool done = false;
};

Built build(const std::vector<std::string>& events)
{
    Built built{.message = {.role = Role::Assistant}};
    StreamDecoder decoder;
    const auto take = [&](const std::vector<Delta>& deltas) {
        for (const auto& delta : deltas) {
            applyDelta(built.message, delta);
            if (const auto* error = std::get_if<ErrorDelta>(&delta)) {
                built.error = error->message;
            }
        }
    };
    for (const auto& event : events) {
        const auto deltas = decoder.decode(event);
        if (!deltas) {
            built.error = deltas.error().message;
            break;
        }
        take(*deltas);
    }
    take(decoder.finish());
    built.finish = decoder.finishReason().value_or("");
    built.done = decoder.done();
    return built;
}

// A text as content events of every possible cut in two, and byte by byte.
std::vector<std::vector<std::string>> cutsOf(const std::string& text)
{
    std::vector<std::vector<std::string>> cuts;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        cuts.push_back({text.substr(0, at), text.substr(at)});
    }
    cuts.emplace_back();
    for (const char c : text) {
        cuts.back().emplace_back(1, c);
    }
    return cuts;
}

Message userSays(const std::string& text)
{
    return {.role = Role::User, .content = {TextBlock{text}}};
}

} // namespace

class TestOpenAiCodec : public QObject {
    Q_OBJECT
private slots:
    void asksForAStreamWithUsage()
    {
        const Conversation conversation{{userSays("hello")}};
        const auto request = json::parse(encodeChatRequest(conversation, {.model = "m", .maxTokens = 7}));
        QVERIFY(request["stream"] == true);
        QVERIFY(request["stream_options"]["include_usage"] == true);
        QVERIFY(request["model"] == "m");
        QVERIFY(request["max_tokens"] == 7);
        QVERIFY(request["messages"] == json::parse(R"([{"role":"user","content":"hello"}])"));
    }
    void leavesOutWhatIsNotSet()
    {
        const auto request = json::parse(encodeChatRequest({{userSays("x")}}, {.askForUsage = false}));
        QVERIFY(!request.contains("model"));
        QVERIFY(!request.contains("temperature"));
        QVERIFY(!request.contains("stream_options"));
    }
    void sendsNoReasoningAndNoTurnWithoutAWholeAnswer()
    {
        Conversation conversation{{userSays("zero"),
            {.role = Role::Assistant, .content = {TextBlock{"fine"}}, .reasoning = "secret thoughts"}}};
        for (const auto state : {FinishState::Failed, FinishState::EndedEarly, FinishState::Stopped}) {
            conversation.messages.push_back(userSays("lost"));
            conversation.messages.push_back(
                {.role = Role::Assistant, .content = {TextBlock{"half an an"}}, .state = state});
            QVERIFY(isUnanswered(conversation, conversation.messages.size() - 2));
        }
        conversation.messages.push_back(userSays("two"));
        QVERIFY(!isUnanswered(conversation, 0));
        QVERIFY(!isUnanswered(conversation, conversation.messages.size() - 1));
        const auto text = encodeChatRequest(conversation, {});
        QVERIFY(text.find("secret thoughts") == std::string::npos);
        const auto messages = json::parse(text)["messages"];
        QCOMPARE(messages.size(), std::size_t{3});
        QVERIFY(messages[0]["content"] == "zero");
        QVERIFY(messages[1]["content"] == "fine");
        QVERIFY(messages[2]["content"] == "two");
    }
    void encodesABufferThatIsNotUtf8()
    {
        const auto request = json::parse(encodeChatRequest({{userSays("a\xFFz")}}, {}));
        QVERIFY(request["messages"][0]["content"] == "a\xEF\xBF\xBDz");
    }
    void takesContentUsageModelAndFinish()
    {
        const auto built =
            build({R"({"model":"q","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]})",
                contentEvent("Hel"), contentEvent("lo"),
                R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null})",
                R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}})", "[DONE]"});
        QCOMPARE(messageText(built.message), std::string("Hello"));
        QCOMPARE(built.message.model, std::string("q"));
        QVERIFY((built.message.usage == Usage{.promptTokens = 5, .completionTokens = 2}));
        QCOMPARE(built.finish, std::string("stop"));
        QVERIFY(built.done);
        QVERIFY(built.error.empty());
    }
    void takesNullsForNothing()
    {
        const auto built = build(
            {R"({"error":null,"model":null,"usage":null,"choices":[{"index":0,"finish_reason":null,"delta":
                {"content":null,"reasoning_content":null,"reasoning":null,"tool_calls":null}}]})",
                R"({"choices":null})", R"({"choices":[{"delta":null}]})", R"({})", ""});
        QVERIFY(built.message.content.empty());
        QVERIFY(built.message.reasoning.empty());
        QVERIFY(built.finish.empty());
        QVERIFY(built.error.empty());
    }
    void takesReasoningUnderBothNamesOnce()
    {
        const auto built = build({R"({"choices":[{"delta":{"reasoning_content":"a","reasoning":"a"}}]})",
            R"({"choices":[{"delta":{"reasoning":"b"}}]})", contentEvent("<think> is a tag")});
        QCOMPARE(built.message.reasoning, std::string("ab"));
        QCOMPARE(messageText(built.message), std::string("<think> is a tag"));
    }
    void partsThinkTagsWhereverTheyAreCut()
    {
        for (const auto& cut : cutsOf("\n<think>why\n</think>\n\nAnswer <b")) {
            std::vector<std::string> events;
            std::transform(cut.begin(), cut.end(), std::back_inserter(events), contentEvent);
            const auto built = build(events);
            QCOMPARE(built.message.reasoning, std::string("why\n"));
            QCOMPARE(messageText(built.message), std::string("Answer <b"));
        }
    }
    void takesTextBeforeALoneClosingTagForReasoning()
    {
        for (const auto& cut : cutsOf("I wonder\n</think>\n\nAnswer")) {
            std::vector<std::string> events;
            std::transform(cut.begin(), cut.end(), std::back_inserter(events), contentEvent);
            const auto built = build(events);
            QCOMPARE(built.message.reasoning, std::string("I wonder\n"));
            QCOMPARE(messageText(built.message), std::string("Answer"));
        }
    }
    void keepsTagsInsideAnAnswer()
    {
        const std::string text = "Use `<think>` or </think> in text";
        for (const auto& cut : cutsOf(text)) {
            std::vector<std::string> events;
            std::transform(cut.begin(), cut.end(), std::back_inserter(events), contentEvent);
            QCOMPARE(messageText(build(events).message), text);
        }
    }
    void joinsACharacterSplitBetweenEvents()
    {
        const std::string text = "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80";
        for (std::size_t at = 0; at <= text.size(); ++at) {
            const std::string head = "{\"choices\":[{\"delta\":{\"content\":\"";
            const std::string tail = "\"}}]}";
            QCOMPARE(
                messageText(build({head + text.substr(0, at) + tail, head + text.substr(at) + tail}).message),
                text);
        }
    }
    void replacesWhatNeverBecomesACharacter()
    {
        const auto built = build({"{\"choices\":[{\"delta\":{\"content\":\"a\xFFz\xE2\x82\"}}]}"});
        QCOMPARE(messageText(built.message), std::string("a\xEF\xBF\xBDz\xEF\xBF\xBD"));
    }
    void takesAnErrorInsideAGoodStream_data()
    {
        QTest::addColumn<QByteArray>("event");
        QTest::newRow("object") << QByteArray(R"({"error":{"message":"out of memory","code":500}})");
        QTest::newRow("string") << QByteArray(R"({"error":"out of memory"})");
        QTest::newRow("detail") << QByteArray(R"({"detail":"out of memory"})");
    }
    void takesAnErrorInsideAGoodStream()
    {
        QFETCH(QByteArray, event);
        QCOMPARE(build({event.toStdString()}).error, std::string("out of memory"));
    }
    void saysWhatIsNotJson()
    {
        QVERIFY(build({"<html>"}).error.find("<html>") != std::string::npos);
        QVERIFY(!build({"[1,2]"}).error.empty());
        QVERIFY(!build({"{\"choices\":"}).error.empty());
    }
    void takesAWholeMessageAndPartsOfText()
    {
        const auto built = build({R"({"choices":[{"index":0,"message":{"content":[{"type":"text","text":"a"},
            {"type":"text","text":"b"}]},"finish_reason":"stop"}]})"});
        QCOMPARE(messageText(built.message), std::string("ab"));
        QCOMPARE(built.finish, std::string("stop"));
    }
    void takesOnlyTheFirstChoice()
    {
        const auto built = build(
            {R"({"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"yes"}}]})"});
        QCOMPARE(messageText(built.message), std::string("yes"));
    }
    void readsAStreamRecordedFromLlamaServer()
    {
        const auto bytes = ptxwb::readFile(std::string(PTXWB_TEST_DATA) + "/llm/llama_server_stream.txt");
        QVERIFY(bytes);
        SseParser parser;
        std::vector<std::string> events;
        const auto parsed = parser.feed(*bytes);
        QVERIFY(parsed);
        for (const auto& event : *parsed) {
            events.push_back(event.data);
        }
        const auto built = build(events);
        QCOMPARE(messageText(built.message), std::string("S{^,II"));
        QCOMPARE(built.finish, std::string("length"));
        QVERIFY(built.done);
        QVERIFY((built.message.usage == Usage{.promptTokens = 54, .completionTokens = 6}));
    }
    void listsModels()
    {
        const auto models = decodeModelList(R"({"object":"list","data":[{"id":"a"},{"id":"b"},{"x":1}]})");
        QVERIFY(models);
        QVERIFY((*models == std::vector<std::string>{"a", "b"}));
        QVERIFY(!decodeModelList("<html>"));
        QVERIFY(!decodeModelList(R"({"data":3})"));
    }
};

QTEST_GUILESS_MAIN(TestOpenAiCodec)
#include "tst_openai_codec.moc"
