// SPDX-License-Identifier: Apache-2.0
#include "core/support/subprocess.h"

#include "core/support/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ptxwb {

namespace {

using Clock = std::chrono::steady_clock;

// A stop must be seen within this time although nothing wakes poll().
constexpr std::chrono::milliseconds pollSlice{20};
// After the leader exited, stray grandchildren may hold the pipes open; they get this long to let go.
constexpr std::chrono::milliseconds strayGrace{200};

// Readable when the child ends; -1 on kernels before 5.3, where the loop looks at short intervals instead.
int openPidFd(pid_t pid)
{
    return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

// Whether the child has ended. It stays a zombie, so that its process group keeps its number until it is
// killed.
bool hasEnded(pid_t pid)
{
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0
        || info.si_pid == pid;
}

void setStatus(ProcessOutcome& outcome, int status)
{
    if (WIFSIGNALED(status)) {
        outcome.signal = WTERMSIG(status);
    } else {
        outcome.exitCode = WEXITSTATUS(status);
    }
}

void feed(int& fd, std::string_view text, std::size_t& written)
{
    while (written < text.size()) {
        const ssize_t put = detail::writeWithoutSignal(fd, text.data() + written, text.size() - written);
        if (put > 0) {
            written += static_cast<std::size_t>(put);
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != EINTR) {
            break;
        }
    }
    detail::closeFd(fd);
}

} // namespace

Result<ProcessOutcome> runProcess(const ProcessRequest& request, std::stop_token stop)
{
    const auto begin = Clock::now();
    auto started = detail::startChild(request);
    if (!started) {
        return started.error();
    }
    detail::Child child = *started;
    for (const int fd : {child.in, child.out, child.err}) {
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
    ProcessOutcome outcome;
    std::size_t written = 0;
    if (request.standardInput.empty()) {
        detail::closeFd(child.in);
    }
    const auto deadline = begin + request.timeout;
    std::optional<Clock::time_point> exitedAt;
    bool killed = false;
    int pidFd = openPidFd(child.pid);
    while (child.out >= 0 || child.err >= 0 || !exitedAt) {
        const auto now = Clock::now();
        if (!killed && !exitedAt && (stop.stop_requested() || now >= deadline)) {
            outcome.cancelled = stop.stop_requested();
            outcome.timedOut = !outcome.cancelled;
            detail::killGroup(child.pid);
            killed = true;
        }
        if (!killed && !exitedAt && request.endsAtOutputLimit && outcome.outputTruncated) {
            detail::killGroup(child.pid);
            killed = true;
        }
        if (exitedAt && now - *exitedAt > strayGrace) {
            detail::killGroup(child.pid);
            break;
        }
        std::array<pollfd, 4> fds{{{child.out, POLLIN, 0}, {child.err, POLLIN, 0}, {child.in, POLLOUT, 0},
            {exitedAt ? -1 : pidFd, POLLIN, 0}}};
        const bool onlyExitAwaited = child.out < 0 && child.err < 0 && pidFd < 0;
        ::poll(fds.data(), fds.size(), onlyExitAwaited ? 1 : static_cast<int>(pollSlice.count()));
        if (child.out >= 0 && fds[0].revents != 0
            && !detail::drain(
                child.out, outcome.standardOutput, request.maxOutputBytes, outcome.outputTruncated)) {
            detail::closeFd(child.out);
        }
        if (child.err >= 0 && fds[1].revents != 0
            && !detail::drain(
                child.err, outcome.standardError, request.maxOutputBytes, outcome.outputTruncated)) {
            detail::closeFd(child.err);
        }
        if (child.in >= 0 && fds[2].revents != 0) {
            feed(child.in, request.standardInput, written);
        }
        if (!exitedAt && hasEnded(child.pid)) {
            exitedAt = Clock::now();
        }
    }
    detail::killGroup(child.pid); // what the leader left running in its group
    int status = 0;
    pid_t reaped = 0;
    do {
        reaped = ::waitpid(child.pid, &status, 0);
    } while (reaped < 0 && errno == EINTR);
    if (reaped == child.pid) {
        setStatus(outcome, status);
    }
    detail::closeFd(pidFd);
    detail::closeFd(child.in);
    detail::closeFd(child.out);
    detail::closeFd(child.err);
    outcome.wallMs = Clock::now() - begin;
    return outcome;
}

std::optional<std::filesystem::path> findInPath(std::string_view name)
{
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    while (!rest.empty()) {
        const auto colon = rest.find(':');
        const auto directory = rest.substr(0, colon);
        rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
        if (directory.empty()) {
            continue;
        }
        const auto candidate = std::filesystem::path(directory) / name;
        std::error_code ignored;
        if (::access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate, ignored)) {
            return candidate;
        }
    }
    return std::nullopt;
}

} // namespace ptxwb
