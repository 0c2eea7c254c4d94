// SPDX-License-Identifier: Apache-2.0
#include "core/llm/conversation.h"

#include <algorithm>

namespace ptxwb::llm {

std::string_view roleName(Role role)
{
    switch (role) {
    case Role::System:
        return "system";
    case Role::User:
        return "user";
    case Role::Assistant:
        return "assistant";
    }
    return "user";
}

std::string_view finishStateName(FinishState state)
{
    switch (state) {
    case FinishState::Streaming:
        return "streaming";
    case FinishState::Complete:
        return "complete";
    case FinishState::CutByLimit:
        return "cut_by_limit";
    case FinishState::EndedEarly:
        return "ended_early";
    case FinishState::Stopped:
        return "stopped";
    case FinishState::Failed:
        return "failed";
    }
    return "failed";
}

bool isUnanswered(const Conversation& conversation, std::size_t index)
{
    const auto& messages = conversation.messages;
    if (index < messages.size() && messages[index].role == Role::User) {
        ++index; // its answer
    }
    if (index >= messages.size() || messages[index].role != Role::Assistant) {
        return false;
    }
    const FinishState state = messages[index].state;
    return state == FinishState::EndedEarly || state == FinishState::Stopped || state == FinishState::Failed;
}

Conversation withoutUnansweredTurns(const Conversation& conversation)
{
    Conversation kept;
    for (std::size_t i = 0; i < conversation.messages.size(); ++i) {
        if (!isUnanswered(conversation, i)) {
            kept.messages.push_back(conversation.messages[i]);
        }
    }
    return kept;
}

std::string messageText(const Message& message)
{
    std::string text;
    for (const auto& block : message.content) {
        if (const auto* part = std::get_if<TextBlock>(&block)) {
            text += part->text;
        }
    }
    return text;
}

std::optional<std::string> contextBefore(
    const Conversation& conversation, std::size_t index, std::string_view id)
{
    for (std::size_t i = std::min(index, conversation.messages.size()); i-- > 0;) {
        for (const auto& block : conversation.messages[i].content) {
            const auto* context = std::get_if<ContextBlock>(&block);
            if (context != nullptr && context->id == id) {
                return context->text;
            }
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::llm
