// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ptxwb::llm {

enum class Role { System, User, Assistant };
/// "system", "user", "assistant".
std::string_view roleName(Role role);

/// How the answer of a turn ended. Only `Complete` and `CutByLimit` may be applied to a buffer.
enum class FinishState {
    Streaming, ///< not ended yet
    Complete, ///< a finish reason or [DONE] arrived
    CutByLimit, ///< finish reason `length`
    EndedEarly, ///< the connection ended without either
    Stopped, ///< by the user
    Failed, ///< `failure` says why
};
/// "streaming", "complete", "cut_by_limit", "ended_early", "stopped", "failed".
std::string_view finishStateName(FinishState state);

/// What the user or the model wrote.
struct TextBlock {
    std::string text{};
    bool operator==(const TextBlock&) const = default;
};

/// Evidence that was sent with a question: the buffer, its diagnostics, the selection, a verdict.
struct ContextBlock {
    std::string id{}; ///< stable over turns ("buffer"), so that a later one supersedes it
    std::string title{}; ///< as shown on its chip: "gemm.ptx"
    std::string language{}; ///< info string of its fence; may be empty
    std::string text{};
    bool operator==(const ContextBlock&) const = default;
};

using ContentBlock = std::variant<TextBlock, ContextBlock>;

/// Token counts as the server reported them; nothing where it reported none.
struct Usage {
    std::optional<std::int64_t> promptTokens{};
    std::optional<std::int64_t> completionTokens{};
    bool operator==(const Usage&) const = default;
};

struct Message {
    Role role = Role::User;
    std::vector<ContentBlock> content{};
    std::string reasoning{}; ///< never searched for code, never sent back
    std::string model{}; ///< as the server named it
    std::optional<Usage> usage{};
    FinishState state = FinishState::Complete;
    std::string failure{}; ///< a sentence for every state but Complete and Streaming
    bool operator==(const Message&) const = default;
};

/// A chat as a value: widgets show it, the codec sends it, tests compare it.
struct Conversation {
    std::vector<Message> messages{};
    bool operator==(const Conversation&) const = default;
};

/// Whether message `index` belongs to a turn whose answer failed, was stopped or broke off: the question and
/// what there is of the answer.
bool isUnanswered(const Conversation& conversation, std::size_t index);
/// What is sent to a model: a turn without a whole answer is not part of it.
Conversation withoutUnansweredTurns(const Conversation& conversation);

/// All TextBlocks of a message, joined.
std::string messageText(const Message& message);

/// The text of the context block `id` that was last sent before message `index`; nothing when none was.
std::optional<std::string> contextBefore(
    const Conversation& conversation, std::size_t index, std::string_view id);

} // namespace ptxwb::llm
