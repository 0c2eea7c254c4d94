// SPDX-License-Identifier: Apache-2.0
#include "core/llm/think_splitter.h"

#include <algorithm>

namespace ptxwb::llm {

namespace {

constexpr std::string_view openTag = "<think>";
constexpr std::string_view closeTag = "</think>";
constexpr std::string_view blanks = " \t\r\n";

// How many bytes at the end of `text` are a beginning of `tag`.
std::size_t partialTag(std::string_view text, std::string_view tag)
{
    for (std::size_t length = std::min(text.size(), tag.size() - 1); length > 0; --length) {
        if (text.ends_with(tag.substr(0, length))) {
            return length;
        }
    }
    return 0;
}

} // namespace

std::vector<Delta> ThinkSplitter::feed(std::string_view text)
{
    m_held += text;
    std::vector<Delta> deltas;
    while (!m_held.empty() && step(deltas)) { }
    return deltas;
}

std::vector<Delta> ThinkSplitter::finish()
{
    std::vector<Delta> deltas;
    if (m_place == Place::AfterThinking) {
        m_held.clear();
    }
    give(deltas, m_held.size());
    return deltas;
}

// Gives out the first bytes of what is held, as the kind of text of the current place.
void ThinkSplitter::give(std::vector<Delta>& deltas, std::size_t bytes)
{
    if (bytes == 0) {
        return;
    }
    std::string text = m_held.substr(0, bytes);
    m_held.erase(0, bytes);
    m_atLineStart = text.back() == '\n';
    if (m_place == Place::Thinking) {
        deltas.emplace_back(ReasoningDelta{std::move(text)});
    } else {
        deltas.emplace_back(ContentDelta{std::move(text)});
    }
}

// True when more of the held text can be looked at.
bool ThinkSplitter::step(std::vector<Delta>& deltas)
{
    switch (m_place) {
    case Place::Head: {
        const auto start = m_held.find_first_not_of(blanks);
        if (start == std::string::npos) {
            return false;
        }
        const std::string_view rest = std::string_view(m_held).substr(start);
        if (!m_separate && rest.size() < openTag.size() && openTag.starts_with(rest)) {
            return false;
        }
        if (!m_separate && rest.starts_with(openTag)) {
            m_held.erase(0, start + openTag.size());
            m_tagsSeen = true;
            m_place = Place::Thinking;
        } else {
            m_place = Place::Content;
        }
        return true;
    }
    case Place::Thinking: {
        const auto close = m_held.find(closeTag);
        if (close == std::string::npos) {
            give(deltas, m_held.size() - partialTag(m_held, closeTag));
            return false;
        }
        give(deltas, close);
        m_held.erase(0, closeTag.size());
        m_place = Place::AfterThinking;
        return true;
    }
    case Place::AfterThinking: {
        m_held.erase(0, m_held.find_first_not_of(blanks));
        if (!m_held.empty()) {
            m_place = Place::Content;
        }
        return true;
    }
    case Place::Content:
        return stepContent(deltas);
    }
    return false;
}

bool ThinkSplitter::stepContent(std::vector<Delta>& deltas)
{
    if (m_tagsSeen || m_separate) {
        give(deltas, m_held.size());
        return false;
    }
    const auto close = m_held.find(closeTag);
    if (close != std::string::npos) {
        const bool lineStart = close == 0 ? m_atLineStart : m_held[close - 1] == '\n';
        if (!lineStart) {
            give(deltas, close + closeTag.size());
            return true;
        }
        give(deltas, close);
        deltas.emplace_back(ContentWasReasoning{});
        m_held.erase(0, closeTag.size());
        m_tagsSeen = true;
        m_place = Place::AfterThinking;
        return true;
    }
    give(deltas, m_held.size() - partialTag(m_held, closeTag));
    return false;
}

} // namespace ptxwb::llm
