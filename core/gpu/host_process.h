// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/host_channel.h"
#include "core/support/result.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace ptxwb::gpu {

/// The child that holds a host-contract candidate: this program again, in a process group of its own, its
/// stdin closed, its stdout and stderr read by us. Killed, group and all, when this object or this process
/// ends. One thread.
class HostProcess {
public:
    HostProcess() = default;
    HostProcess(HostProcess&& other) noexcept;
    HostProcess& operator=(HostProcess&& other) noexcept;
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;
    ~HostProcess();

    /// `library`: a descriptor that the child inherits. Errors: Internal.
    static Result<HostProcess> start(int library);

    /// Errors: Internal (the child closed its end).
    template <class T> Result<void> send(const T& message) { return sendBytes(&message, sizeof message); }

    enum class Heard { Reply, Ended, TimedOut, Foreign };
    /// Waits for a reply to `number`; anything else on the channel is Foreign: something else than our code
    /// wrote it.
    Heard hear(std::uint64_t number, std::chrono::milliseconds limit, HostReply& reply);

    /// Kills and reaps it; how it ended: "exit status 0", "signal 11 (Segmentation fault)".
    std::string end();
    /// How it ended by itself, waiting a moment for that.
    std::string howItEnded();
    int pid() const { return m_pid; }
    /// What it printed so far, at most 64 KiB.
    const std::string& output() const { return m_output; }

private:
    Result<void> sendBytes(const void* bytes, std::size_t size);
    void drain();
    int m_pid = -1;
    int m_channel = -1;
    int m_pipe = -1;
    std::string m_output;
};

} // namespace ptxwb::gpu
