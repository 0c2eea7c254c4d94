// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/conversation.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

enum class ContextKind { Selection, Buffer, Diagnostics, Verdict, Task };

/// A piece of evidence that may go with a question; a chip in the window.
struct ContextItem {
    ContextKind kind = ContextKind::Buffer;
    ContextBlock block{};
    bool operator==(const ContextItem&) const = default;
};

struct LeftOut {
    std::string id{};
    std::string title{};
    std::size_t leftOutBytes = 0;
    std::size_t ofBytes = 0; ///< equal to leftOutBytes: nothing of it was sent
    bool operator==(const LeftOut&) const = default;
};

struct ComposedPrompt {
    Message message{}; ///< the user's turn, evidence included
    std::vector<LeftOut> leftOut{};
    std::size_t contextBytes = 0;
};

inline constexpr std::size_t defaultContextBudgetBytes = std::size_t{96} << 10;

/// The user's turn within a byte budget for evidence. Selection, diagnostics and verdict come before buffer
/// and task. Code is sent whole or not at all (half a kernel misleads); lists of lines are cut at a line end.
/// The text itself says what was cut, so that the model knows it too.
ComposedPrompt composeTurn(std::string text, const std::vector<ContextItem>& items,
    std::size_t budgetBytes = defaultContextBudgetBytes);

/// What this message says to a model: its text, then each piece of evidence under its title in a fence that
/// its content cannot close. Evidence that a later message sends anew is only named.
std::string renderForModel(const Conversation& conversation, std::size_t index);

/// The system message of the chat pane.
Message chatSystemMessage();

} // namespace ptxwb::llm
