// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/watchdog.h"

namespace ptxwb::gpu {

Watchdog::Watchdog(std::function<void(const std::string&, std::chrono::milliseconds)> onHang)
    : m_onHang(std::move(onHang))
    , m_thread([this](const std::stop_token& stop) { run(stop); })
{
}

void Watchdog::run(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        if (!m_armed) {
            m_changed.wait(lock, stop, [this] { return m_armed; });
            continue;
        }
        const auto deadline = m_deadline;
        const bool disarmed =
            m_changed.wait_until(lock, stop, deadline, [&] { return !m_armed || m_deadline != deadline; });
        if (!disarmed && m_armed && !stop.stop_requested()) {
            m_armed = false;
            m_onHang(m_doing, m_limit);
        }
    }
}

Watchdog::Watch::Watch(Watchdog& dog, std::chrono::milliseconds limit, std::string doing)
    : m_dog(dog)
{
    const std::lock_guard lock(dog.m_mutex);
    dog.m_armed = true;
    dog.m_limit = limit;
    dog.m_doing = std::move(doing);
    dog.m_deadline = std::chrono::steady_clock::now() + limit;
    dog.m_changed.notify_all();
}

Watchdog::Watch::~Watch()
{
    const std::lock_guard lock(m_dog.m_mutex);
    m_dog.m_armed = false;
    m_dog.m_changed.notify_all();
}

} // namespace ptxwb::gpu
