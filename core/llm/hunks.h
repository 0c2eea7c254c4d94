// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/markdown.h"
#include "core/support/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

/// One change of the buffer that is accepted or not. Lines are without their ends and counted from 0.
struct Hunk {
    std::size_t firstLine = 0; ///< in the buffer
    std::vector<std::string> removed{};
    std::vector<std::string> added{};
    bool suggested = true; ///< checked when the view opens
    bool conflicts = false; ///< the user changed these lines since the prompt: cannot be accepted
    bool operator==(const Hunk&) const = default;
};

/// What a code block of an answer would do to a buffer.
struct Proposal {
    std::string buffer{}; ///< the text that the hunks change
    std::vector<Hunk> hunks{};
    std::vector<Elision> elisions{}; ///< placeholders for code left out; not part of any hunk
    bool fragment = false; ///< the block is no whole file: what it lacks is not suggested for removal
    bool bufferChanged = false; ///< the buffer is not the one that the model saw
    bool wholeFileAllowed = true; ///< "accept all" makes sense: nothing is elided, a fragment or in conflict
    bool operator==(const Proposal&) const = default;
};

/// Compares a code block with the buffer. `promptBuffer` is the text that the model saw, where it saw one:
/// when the buffer has moved on, the model's changes are carried over, and those that touch lines changed
/// since then conflict. Placeholder lines ("// ... existing code") are no part of the proposal, and removals
/// beside them are not suggested.
Proposal propose(
    std::string_view buffer, const CodeBlock& block, const std::optional<std::string>& promptBuffer);

/// The buffer with the accepted hunks (one flag per hunk). Unchanged lines keep their bytes; new lines get
/// the buffer's line ends. Errors: InvalidArgument, when `currentBuffer` is no longer the proposal's, flags
/// and hunks differ in number, or a conflicting hunk is accepted.
Result<std::string> applyHunks(
    const Proposal& proposal, const std::vector<bool>& accepted, std::string_view currentBuffer);

} // namespace ptxwb::llm
