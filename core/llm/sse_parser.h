// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

struct SseEvent {
    std::string type = "message";
    std::string data{};
    std::string lastId{};
    bool operator==(const SseEvent&) const = default;
};

/// Server-sent events by the WHATWG HTML standard, section 9.2.6, from bytes in pieces of any size. An event
/// that the stream leaves without its blank line is dropped, as the standard asks.
class SseParser {
public:
    /// `maxEventBytes` bounds one line and the data of one event.
    explicit SseParser(std::size_t maxEventBytes = std::size_t{8} << 20);

    /// The events that these bytes complete. Error: Protocol, when the bound is passed; the parser then takes
    /// no more.
    Result<std::vector<SseEvent>> feed(std::string_view bytes);

private:
    void endLine(std::vector<SseEvent>& events);
    void dispatch(std::vector<SseEvent>& events);

    std::size_t m_maxEventBytes;
    std::string m_line;
    std::string m_type;
    std::string m_data;
    std::string m_lastId;
    bool m_hasData = false;
    bool m_afterCarriageReturn = false;
    bool m_atStart = true;
    bool m_overflowed = false;
};

} // namespace ptxwb::llm
