// SPDX-License-Identifier: Apache-2.0
#include "core/llm/chat_client.h"

#include "core/llm/http_failure.h"
#include "core/llm/sse_parser.h"

#include <algorithm>
#include <utility>

namespace ptxwb::llm {

namespace {

// An answer that is not a stream is gathered up to here: enough for a whole answer, bounded for anything
// else.
constexpr std::size_t maxBodyBytes = std::size_t{8} << 20;
// After the finish reason the usage and [DONE] are waited for this long; some servers then just keep the line
// open.
constexpr std::chrono::milliseconds graceAfterFinish{3000};

// The state of one turn while its bytes arrive.
class Turn {
public:
    Turn(const OnDelta& onDelta, const Secret& key)
        : m_onDelta(onDelta)
        , m_key(key)
    {
    }

    void takeHead(const HttpResponseHead& head)
    {
        m_head = head;
        m_streams = head.status == 200;
    }

    bool takeBytes(std::string_view bytes)
    {
        if (m_body.empty() && bytes.find_first_of("{[<") == bytes.find_first_not_of(" \t\r\n")) {
            m_streams =
                false; // an object or a page, whatever the content type says: no line of a stream begins so
        }
        if (!m_streams) {
            m_body += bytes.substr(0, maxBodyBytes - std::min(maxBodyBytes, m_body.size()));
            return m_body.size() < maxBodyBytes;
        }
        if (m_body.size() < shownBodyBytes) {
            m_body += bytes.substr(0, shownBodyBytes - m_body.size());
        }
        auto events = m_parser.feed(bytes);
        if (!events) {
            m_failure = describe(events.error());
            return false;
        }
        for (const auto& event : *events) {
            takeData(event.data);
            if (m_failure || m_decoder.done()) {
                return false;
            }
        }
        return true;
    }

    bool enough(std::chrono::milliseconds silence) const
    {
        return m_decoder.finishReason().has_value() && silence > graceAfterFinish;
    }

    TurnEnd end(const Result<HttpResponseHead>& outcome)
    {
        if (outcome && !m_streams && m_head.status == 200 && !looksLikeHtml(m_head, m_body)) {
            takeData(m_body); // a server that ignores "stream": true sends the whole answer as one object
        }
        for (const auto& delta : m_decoder.finish()) {
            give(delta);
        }
        TurnEnd result = classify(outcome);
        result.sentence = m_key.redact(std::move(result.sentence));
        if (m_head.status != 0) {
            result.httpStatus = m_head.status;
            result.retryAfter = retryDelay(m_head);
        }
        return result;
    }

private:
    void takeData(std::string_view data)
    {
        const auto deltas = m_decoder.decode(data);
        if (!deltas) {
            m_failure = describe(deltas.error());
            return;
        }
        for (const auto& delta : *deltas) {
            if (const auto* error = std::get_if<ErrorDelta>(&delta)) {
                m_failure = "The server reports an error: "
                    + std::string(utf8Prefix(m_key.redact(error->message), shownBodyBytes));
            }
            give(delta);
        }
    }

    void give(const Delta& delta)
    {
        if (const auto* content = std::get_if<ContentDelta>(&delta)) {
            m_hasContent = m_hasContent || content->text.find_first_not_of(" \t\r\n") != std::string::npos;
        } else if (std::holds_alternative<ReasoningDelta>(delta)) {
            m_hasReasoning = true;
        } else if (std::holds_alternative<ContentWasReasoning>(delta)) {
            m_hasReasoning = std::exchange(m_hasContent, false);
        }
        if (const auto* error = std::get_if<ErrorDelta>(&delta)) {
            m_onDelta(ErrorDelta{m_key.redact(error->message)});
        } else {
            m_onDelta(delta);
        }
    }

    TurnEnd classify(const Result<HttpResponseHead>& outcome) const
    {
        const bool ended = m_decoder.done() || m_decoder.finishReason().has_value();
        if (!outcome && !ended && outcome.error().code == ErrorCode::Cancelled) {
            return {FinishState::Stopped, "Stopped before the answer was complete."};
        }
        if (m_failure) {
            return {FinishState::Failed, *m_failure};
        }
        if (m_head.status != 0 && m_head.status != 200) {
            return {FinishState::Failed, describeHttpFailure(m_head, m_body, m_key)};
        }
        if (ended) {
            return classifyFinished();
        }
        if (!outcome && m_head.status == 0) {
            return {FinishState::Failed, "No answer: " + describe(outcome.error()) + "."};
        }
        if (!m_hasContent && !m_hasReasoning && (!m_streams || looksLikeHtml(m_head, m_body))) {
            return {FinishState::Failed, describeHttpFailure(m_head, m_body, m_key)};
        }
        std::string sentence = "The connection ended early: the answer is not complete.";
        if (!outcome) {
            sentence += " (" + describe(outcome.error()) + ")";
        }
        return {FinishState::EndedEarly, sentence};
    }

    TurnEnd classifyFinished() const
    {
        const std::string reason = m_decoder.finishReason().value_or("stop");
        if (reason == "length") {
            return {FinishState::CutByLimit,
                m_hasContent
                    ? "The answer was cut by the token limit."
                    : "The token limit was reached while the model was still reasoning: there is no answer."};
        }
        if (reason == "content_filter") {
            return {FinishState::Failed, "The provider's content filter ended the answer."};
        }
        if (reason == "error") {
            return {FinishState::Failed, "The server reports an error and gives no detail."};
        }
        if (reason == "tool_calls" || reason == "function_call") {
            return {FinishState::Failed, "The model asked to call a tool, and this chat offers none."};
        }
        if (!m_hasContent) {
            return {FinishState::Failed,
                m_hasReasoning ? "The model returned only reasoning and no answer."
                               : "The model returned an empty answer."};
        }
        return {FinishState::Complete, {}};
    }

    const OnDelta& m_onDelta;
    const Secret& m_key;
    SseParser m_parser;
    StreamDecoder m_decoder;
    HttpResponseHead m_head;
    std::string m_body;
    std::optional<std::string> m_failure;
    bool m_streams = false;
    bool m_hasContent = false;
    bool m_hasReasoning = false;
};

} // namespace

TurnEnd runTurn(const ChatRequest& request, const OnDelta& onDelta, std::stop_token stop)
{
    const auto endpoint = resolveEndpoint(request.provider.baseUrl);
    if (!endpoint) {
        return {FinishState::Failed, describe(endpoint.error())};
    }
    RequestOptions options = request.options;
    options.model = request.provider.model;
    HttpRequest http{.url = endpoint->chatUrl,
        .headers = {"Content-Type: application/json", "Accept: text/event-stream", "Expect:"},
        .postBody = encodeChatRequest(request.conversation, options),
        .bypassProxy = endpoint->loopback,
        .limits = request.limits};
    if (!request.key.empty()) {
        http.headers.push_back("Authorization: Bearer " + request.key.reveal());
    }
    Turn turn(onDelta, request.key);
    const HttpSink sink{.head = [&](const HttpResponseHead& head) { turn.takeHead(head); },
        .body = [&](std::string_view bytes) { return turn.takeBytes(bytes); },
        .enough = [&](std::chrono::milliseconds silence) { return turn.enough(silence); }};
    return turn.end(transfer(http, sink, std::move(stop)));
}

ChatClient::~ChatClient() = default;

void ChatClient::start(ChatRequest request, OnDelta onDelta, OnEnd onEnd)
{
    stopAndWait();
    m_thread =
        std::jthread([request = std::move(request), onDelta = std::move(onDelta), onEnd = std::move(onEnd)](
                         std::stop_token stop) { onEnd(runTurn(request, onDelta, std::move(stop))); });
}

void ChatClient::stop()
{
    m_thread.request_stop();
}

void ChatClient::stopAndWait()
{
    m_thread = {}; // stops and joins
}

} // namespace ptxwb::llm
