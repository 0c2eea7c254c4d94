// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/delta.h"
#include "core/llm/think_splitter.h"
#include "core/llm/utf8.h"
#include "core/support/result.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

struct RequestOptions {
    std::string model{}; ///< left out of the request when empty
    std::optional<double> temperature{};
    std::optional<int> maxTokens{};
    bool askForUsage = true; ///< `stream_options`; a few servers refuse it
};

/// The body of POST /v1/chat/completions with `"stream": true`. Messages without text are left out and
/// neighbours of one role are joined, since many chat templates refuse two user messages in a row.
std::string encodeChatRequest(const Conversation& conversation, const RequestOptions& options);

/// Turns the `data` of streamed events into deltas. Takes what servers were seen to send:
/// `reasoning_content`, `reasoning`, `<think>` in the content, null contents, usage in a chunk of its own, an
/// error object in a good stream, a whole `message` instead of a `delta`, and characters split between two
/// events.
class StreamDecoder {
public:
    /// Error: Protocol, when the data is not a JSON object.
    Result<std::vector<Delta>> decode(std::string_view data);
    /// Text held back because it might have become a tag or a character.
    std::vector<Delta> finish();

    bool done() const { return m_done; } ///< `[DONE]` was seen
    const std::optional<std::string>& finishReason() const { return m_finishReason; }

private:
    void decodeChoice(const nlohmann::json& choice, std::vector<Delta>& deltas);
    void addContent(const std::string& text, std::vector<Delta>& deltas);

    ThinkSplitter m_splitter;
    Utf8Joiner m_content;
    Utf8Joiner m_reasoning;
    std::optional<std::string> m_finishReason;
    std::string m_model;
    bool m_done = false;
};

/// The error text of a JSON error body in the shapes that servers use (`{"error":{"message":..}}`,
/// `{"error":".."}`,
/// `{"detail":..}`, `{"message":..}`); nothing when it is none of them.
std::optional<std::string> errorTextOf(std::string_view body);

/// The `id`s of a GET /v1/models answer. Error: Protocol, when it is no such list.
Result<std::vector<std::string>> decodeModelList(std::string_view body);

} // namespace ptxwb::llm
