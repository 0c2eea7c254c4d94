// SPDX-License-Identifier: Apache-2.0
#include "core/llm/delta.h"

namespace ptxwb::llm {

void applyDelta(Message& message, const Delta& delta)
{
    if (const auto* content = std::get_if<ContentDelta>(&delta)) {
        if (message.content.empty() || !std::holds_alternative<TextBlock>(message.content.back())) {
            message.content.emplace_back(TextBlock{});
        }
        std::get<TextBlock>(message.content.back()).text += content->text;
    } else if (const auto* reasoning = std::get_if<ReasoningDelta>(&delta)) {
        message.reasoning += reasoning->text;
    } else if (std::holds_alternative<ContentWasReasoning>(delta)) {
        message.reasoning += messageText(message);
        message.content.clear();
    } else if (const auto* model = std::get_if<ModelDelta>(&delta)) {
        message.model = model->model;
    } else if (const auto* usage = std::get_if<UsageDelta>(&delta)) {
        message.usage = usage->usage;
    }
}

} // namespace ptxwb::llm
