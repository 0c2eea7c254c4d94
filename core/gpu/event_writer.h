// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runner/protocol.h"

#include <chrono>
#include <cstdio>
#include <mutex>

namespace ptxwb::gpu {

/// Writes events as lines to stdout, and with their times to a log for ptxwb-replay. Thread-safe; after a
/// terminal event nothing more is written, so there is exactly one.
class EventWriter {
public:
    EventWriter();
    ~EventWriter();
    EventWriter(const EventWriter&) = delete;
    EventWriter& operator=(const EventWriter&) = delete;

    /// Records this conversation from its start, also what was said before. Errors: Unreadable.
    Result<void> recordTo(const std::string& path);
    void write(const RunnerEvent& event);
    void requestReceived();
    /// Ends the process at once with no destructor run: the context may hang in them.
    [[noreturn]] void leave(RunnerExit code);

private:
    void record(const std::string& member, const std::string& json);
    std::mutex m_mutex;
    std::chrono::steady_clock::time_point m_begin;
    std::FILE* m_log = nullptr;
    std::string m_early; ///< lines for a log that is not open yet
    bool m_ended = false;
};

} // namespace ptxwb::gpu
