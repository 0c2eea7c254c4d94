// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/conversation.h"

#include <string>
#include <variant>

namespace ptxwb::llm {

struct ContentDelta {
    std::string text{};
    bool operator==(const ContentDelta&) const = default;
};
struct ReasoningDelta {
    std::string text{};
    bool operator==(const ReasoningDelta&) const = default;
};
/// All content so far was reasoning: its closing tag came without an opening one.
struct ContentWasReasoning {
    bool operator==(const ContentWasReasoning&) const = default;
};
struct ModelDelta {
    std::string model{};
    bool operator==(const ModelDelta&) const = default;
};
struct UsageDelta {
    Usage usage{};
    bool operator==(const UsageDelta&) const = default;
};
struct FinishDelta {
    std::string reason{}; ///< "stop", "length", ...
    bool operator==(const FinishDelta&) const = default;
};
/// The stream's `[DONE]`.
struct DoneDelta {
    bool operator==(const DoneDelta&) const = default;
};
/// An error that the server reports inside its stream.
struct ErrorDelta {
    std::string message{};
    bool operator==(const ErrorDelta&) const = default;
};

/// One step of a streamed answer.
using Delta = std::variant<ContentDelta, ReasoningDelta, ContentWasReasoning, ModelDelta, UsageDelta,
    FinishDelta, DoneDelta, ErrorDelta>;

/// Adds a delta to the assistant message that is being built. State is left alone: the end of the turn sets
/// it.
void applyDelta(Message& message, const Delta& delta);

} // namespace ptxwb::llm
