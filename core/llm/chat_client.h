// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/delta.h"
#include "core/llm/http_transfer.h"
#include "core/llm/openai_codec.h"
#include "core/llm/provider.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace ptxwb::llm {

/// How a turn ended.
struct TurnEnd {
    FinishState state = FinishState::Failed; ///< never Streaming
    std::string sentence{}; ///< empty for Complete alone
    std::optional<int> httpStatus{};
    std::optional<std::chrono::seconds> retryAfter{};
};

struct ChatRequest {
    ProviderSettings provider{};
    Secret key{};
    Conversation conversation{};
    RequestOptions options{}; ///< its model is taken from `provider`
    HttpLimits limits{};
};

using OnDelta = std::function<void(const Delta&)>;

/// One turn on the calling thread. `onDelta` is called on it too, in order; the end of the turn is returned.
/// Complete means that a finish reason or [DONE] arrived. Never throws on bad answers; the key is in no
/// sentence.
TurnEnd runTurn(const ChatRequest& request, const OnDelta& onDelta, std::stop_token stop);

/// Runs turns on a thread of its own, one at a time.
class ChatClient {
public:
    using OnEnd = std::function<void(const TurnEnd&)>;

    ChatClient() = default;
    /// Stops a running turn, whose end is still reported, and waits for the thread (well under a second).
    ~ChatClient();
    ChatClient(const ChatClient&) = delete;
    ChatClient& operator=(const ChatClient&) = delete;

    /// Starts a turn; one that still runs is stopped and reported first. Both callbacks run on the client's
    /// thread and must not call into this object; `onEnd` is called exactly once per start, after the last
    /// `onDelta`.
    void start(ChatRequest request, OnDelta onDelta, OnEnd onEnd);
    /// Asks the running turn to end as Stopped. Returns at once.
    void stop();
    /// Stops the running turn and returns when its end was reported (well under a second).
    void stopAndWait();

private:
    std::jthread m_thread;
};

} // namespace ptxwb::llm
