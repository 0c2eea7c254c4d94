// SPDX-License-Identifier: Apache-2.0
#include "core/llm/sse_parser.h"

namespace ptxwb::llm {

namespace {
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
}

SseParser::SseParser(std::size_t maxEventBytes)
    : m_maxEventBytes(maxEventBytes)
{
}

Result<std::vector<SseEvent>> SseParser::feed(std::string_view bytes)
{
    std::vector<SseEvent> events;
    std::size_t at = 0;
    while (at < bytes.size() && !m_overflowed) {
        if (m_afterCarriageReturn) {
            m_afterCarriageReturn = false;
            if (bytes[at] == '\n') {
                ++at;
                continue;
            }
        }
        const auto end = bytes.find_first_of("\r\n", at);
        const auto piece = bytes.substr(at, end == std::string_view::npos ? end : end - at);
        m_line += piece;
        m_overflowed = m_line.size() + m_data.size() > m_maxEventBytes;
        at += piece.size();
        if (end != std::string_view::npos && !m_overflowed) {
            m_afterCarriageReturn = bytes[at] == '\r';
            ++at;
            endLine(events);
        }
    }
    if (m_overflowed && events.empty()) {
        return Error{.code = ErrorCode::Protocol,
            .message = "one event of the stream is larger than " + std::to_string(m_maxEventBytes) + " bytes",
            .hint = "the address is probably not a chat server's"};
    }
    return events;
}

void SseParser::endLine(std::vector<SseEvent>& events)
{
    std::string_view line = m_line;
    if (m_atStart) {
        m_atStart = false;
        if (line.starts_with(byteOrderMark)) {
            line.remove_prefix(byteOrderMark.size());
        }
    }
    if (line.empty()) {
        dispatch(events);
    } else if (line.front() != ':') {
        const auto colon = line.find(':');
        const auto field = line.substr(0, colon);
        auto value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
        if (value.starts_with(' ')) {
            value.remove_prefix(1);
        }
        if (field == "data") {
            if (m_hasData) {
                m_data += '\n';
            }
            m_data += value;
            m_hasData = true;
        } else if (field == "event") {
            m_type = value;
        } else if (field == "id" && value.find('\0') == std::string_view::npos) {
            m_lastId = value;
        }
    }
    m_line.clear();
}

void SseParser::dispatch(std::vector<SseEvent>& events)
{
    if (m_hasData) {
        events.push_back({.type = m_type.empty() ? "message" : m_type, .data = m_data, .lastId = m_lastId});
    }
    m_type.clear();
    m_data.clear();
    m_hasData = false;
}

} // namespace ptxwb::llm
