// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace ptxwb::gpu {

/// Calls `onHang` on its own thread when an armed step is not done in time. A spinning kernel cannot be
/// stopped, and the thread that waits for it is stuck in the driver: onHang must say what happened and end
/// the process.
class Watchdog {
public:
    explicit Watchdog(std::function<void(const std::string& doing, std::chrono::milliseconds limit)> onHang);

    /// Arms on construction, disarms on destruction.
    class Watch {
    public:
        Watch(Watchdog& dog, std::chrono::milliseconds limit, std::string doing);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        Watchdog& m_dog;
    };

private:
    void run(const std::stop_token& stop);

    std::function<void(const std::string&, std::chrono::milliseconds)> m_onHang;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    bool m_armed = false;
    std::chrono::steady_clock::time_point m_deadline;
    std::chrono::milliseconds m_limit{0};
    std::string m_doing;
    std::jthread m_thread; ///< last: it uses everything above
};

} // namespace ptxwb::gpu
