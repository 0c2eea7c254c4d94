// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/delta.h"

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

/// Parts `<think>...</think>` at the head of an answer from its content, although the tags may be split
/// between pieces. A `</think>` alone on the line start, with no opening tag before it, makes everything
/// before it reasoning (servers whose prompt template already opened the tag).
class ThinkSplitter {
public:
    std::vector<Delta> feed(std::string_view text);
    /// Gives out what was held back because it might have become a tag.
    std::vector<Delta> finish();
    /// The server has a field for reasoning: tags in the content are then just text.
    void reasoningCameSeparately() { m_separate = true; }

private:
    enum class Place { Head, Thinking, AfterThinking, Content };
    bool step(std::vector<Delta>& deltas);
    bool stepContent(std::vector<Delta>& deltas);
    void give(std::vector<Delta>& deltas, std::size_t bytes);

    Place m_place = Place::Head;
    std::string m_held;
    bool m_atLineStart = true;
    bool m_tagsSeen = false;
    bool m_separate = false;
};

} // namespace ptxwb::llm
