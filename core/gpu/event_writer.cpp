// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/event_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace ptxwb::gpu {

EventWriter::EventWriter()
    : m_begin(std::chrono::steady_clock::now())
{
}

EventWriter::~EventWriter()
{
    if (m_log != nullptr) {
        std::fclose(m_log);
    }
}

Result<void> EventWriter::recordTo(const std::string& path)
{
    const std::lock_guard lock(m_mutex);
    m_log = std::fopen(path.c_str(), "we");
    if (m_log == nullptr) {
        return Error{.code = ErrorCode::Unreadable,
            .message = fmt::format("cannot write the log: {}", std::strerror(errno)),
            .path = path};
    }
    fmt::print(m_log, "{}", m_early);
    return {};
}

void EventWriter::record(const std::string& member, const std::string& json)
{
    const std::chrono::duration<double, std::milli> since = std::chrono::steady_clock::now() - m_begin;
    const std::string line = fmt::format("{{\"t_ms\":{:.1f},\"{}\":{}}}\n", since.count(), member, json);
    if (m_log == nullptr) {
        m_early += line;
        return;
    }
    fmt::print(m_log, "{}", line);
    std::fflush(m_log);
}

void EventWriter::write(const RunnerEvent& event)
{
    const std::lock_guard lock(m_mutex);
    if (m_ended) {
        return;
    }
    m_ended = isTerminal(event);
    const std::string line = encode(event);
    fmt::print(stdout, "{}\n", line);
    std::fflush(stdout);
    record("event", line);
}

void EventWriter::requestReceived()
{
    const std::lock_guard lock(m_mutex);
    record("request", "true");
}

void EventWriter::leave(RunnerExit code)
{
    const std::lock_guard lock(m_mutex);
    record("exit", std::to_string(static_cast<int>(code)));
    ::_exit(static_cast<int>(code));
}

} // namespace ptxwb::gpu
