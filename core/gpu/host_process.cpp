// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/host_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace ptxwb::gpu {

namespace {

constexpr std::size_t mostOutput = 64U << 10;
constexpr std::chrono::milliseconds endGrace{2000};

std::string describeStatus(int status)
{
    return WIFSIGNALED(status)
        ? fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
        : fmt::format("exit status {}", WEXITSTATUS(status));
}

void closeFd(int& fd)
{
    if (fd >= 0) {
        ::close(fd);
    }
    fd = -1;
}

} // namespace

HostProcess::HostProcess(HostProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1))
    , m_channel(std::exchange(other.m_channel, -1))
    , m_pipe(std::exchange(other.m_pipe, -1))
    , m_output(std::move(other.m_output))
{
}

HostProcess& HostProcess::operator=(HostProcess&& other) noexcept
{
    std::swap(m_pid, other.m_pid);
    std::swap(m_channel, other.m_channel);
    std::swap(m_pipe, other.m_pipe);
    std::swap(m_output, other.m_output);
    return *this;
}

HostProcess::~HostProcess()
{
    end();
}

Result<HostProcess> HostProcess::start(int library)
{
    std::array<int, 2> channel{-1, -1};
    std::array<int, 2> output{-1, -1};
    const bool open = ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel.data()) == 0
        && ::pipe2(output.data(), O_CLOEXEC | O_NONBLOCK) == 0;
    // Everything that allocates happens before the fork: another thread may hold the allocator's lock.
    const std::string argument = std::to_string(channel[1]);
    const std::array<const char*, 4> argv{"ptxwb-runner", "--host-child", argument.c_str(), nullptr};
    const int pid = open ? ::fork() : -1;
    if (pid == 0) {
        ::setpgid(0, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int nothing = ::open("/dev/null", O_RDONLY);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(output[1], STDOUT_FILENO);
        ::dup2(output[1], STDERR_FILENO);
        // A candidate that prints much is to wait, not to lose its text.
        ::fcntl(STDOUT_FILENO, F_SETFL, ::fcntl(STDOUT_FILENO, F_GETFL) & ~O_NONBLOCK);
        ::fcntl(channel[1], F_SETFD, 0);
        ::fcntl(library, F_SETFD, 0);
        ::execv("/proc/self/exe", const_cast<char* const*>(argv.data()));
        ::_exit(127);
    }
    closeFd(channel[1]);
    closeFd(output[1]);
    HostProcess process;
    process.m_channel = channel[0];
    process.m_pipe = output[0];
    if (pid < 0) {
        return Error{.code = ErrorCode::Internal,
            .message = fmt::format("a child process cannot be started: {}", std::strerror(errno))};
    }
    process.m_pid = pid;
    ::setpgid(pid, pid);
    return process;
}

Result<void> HostProcess::sendBytes(const void* bytes, std::size_t size)
{
    if (::send(m_channel, bytes, size, MSG_NOSIGNAL) == static_cast<ssize_t>(size)) {
        return {};
    }
    return Error{.code = ErrorCode::Internal,
        .message = fmt::format("the child does not listen: {}", std::strerror(errno))};
}

void HostProcess::drain()
{
    std::array<char, 4096> piece{};
    for (;;) {
        const ssize_t got = ::read(m_pipe, piece.data(), piece.size());
        if (got <= 0) {
            if (got == 0) {
                closeFd(m_pipe);
            }
            return;
        }
        if (m_output.size() < mostOutput) {
            m_output.append(
                piece.data(), std::min(static_cast<std::size_t>(got), mostOutput - m_output.size()));
        }
    }
}

HostProcess::Heard HostProcess::hear(std::uint64_t number, std::chrono::milliseconds limit, HostReply& reply)
{
    const auto deadline = std::chrono::steady_clock::now() + limit;
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) {
            drain();
            return Heard::TimedOut;
        }
        std::array<pollfd, 2> watched{
            pollfd{m_channel, POLLIN, 0}, pollfd{m_pipe, POLLIN, 0}}; // a descriptor of -1 is passed over
        if (::poll(watched.data(), watched.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) {
            return Heard::Ended;
        }
        if ((watched[1].revents & (POLLIN | POLLHUP)) != 0) {
            drain();
        }
        if ((watched[0].revents & POLLIN) != 0) {
            // A longer message is cut, and its true length told.
            const ssize_t got = ::recv(m_channel, &reply, sizeof reply, MSG_TRUNC);
            if (got <= 0) {
                drain();
                return Heard::Ended;
            }
            const bool ours = got == static_cast<ssize_t>(sizeof reply) && reply.magic == hostMagic
                && reply.number == number;
            reply.message[sizeof reply.message - 1] = '\0';
            drain();
            return ours ? Heard::Reply : Heard::Foreign;
        }
        if ((watched[0].revents & (POLLHUP | POLLERR)) != 0) {
            drain();
            return Heard::Ended;
        }
    }
}

std::string HostProcess::howItEnded()
{
    const auto deadline = std::chrono::steady_clock::now() + endGrace;
    int status = 0;
    while (m_pid > 0 && std::chrono::steady_clock::now() < deadline) {
        if (::waitpid(m_pid, &status, WNOHANG) == m_pid) {
            ::kill(-m_pid, SIGKILL); // what it may have left behind
            m_pid = -1;
            drain();
            return describeStatus(status);
        }
        ::usleep(2000);
    }
    end();
    return "its channel was closed, and it was killed";
}

std::string HostProcess::end()
{
    std::string how;
    if (m_pid > 0) {
        int status = 0;
        ::kill(-m_pid, SIGKILL);
        ::kill(m_pid, SIGKILL);
        // A process inside the driver dies when the driver lets it; we do not wait for ever.
        const auto deadline = std::chrono::steady_clock::now() + endGrace;
        while (how.empty() && std::chrono::steady_clock::now() < deadline) {
            if (::waitpid(m_pid, &status, WNOHANG) == m_pid) {
                how = describeStatus(status);
            } else {
                ::usleep(2000);
            }
        }
        m_pid = -1;
    }
    closeFd(m_channel);
    closeFd(m_pipe);
    return how;
}

} // namespace ptxwb::gpu
